/**
 * Splits the output of a process into lines of bounded length. A carriage return ends a line as
 * well, as in progress bars.
 */
import { StringDecoder } from 'node:string_decoder';

const LINE_CHARS_MAX = 2_048;

export class Lines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #onLine: (line: string) => void;
  #rest = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX);
    for (const line of lines) if (line !== '') this.#onLine(line.slice(0, LINE_CHARS_MAX));
  }
}

/** Matches a value that could be a secret, by the name before it. */
const SECRETS =
  /\b([\w-]*(?:api[_-]?key|token|secret|password|authorization))(["']?\s*[=:,]\s*)\S+/gi;

/**
 * Returns a line that is safe to log. Each of `secrets` with four or more characters, and any value
 * that looks like a secret, becomes `…`.
 */
export function redacted(line: string, secrets: readonly string[]): string {
  let text = line;
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '…');
  return text.replace(SECRETS, '$1$2…');
}
