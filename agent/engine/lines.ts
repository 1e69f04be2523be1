/** The lines that a process prints, bounded: a progress bar's too, which end with a carriage return. */
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

/** What could be a secret, by what stands before it. */
const SECRETS =
  /\b([\w-]*(?:api[_-]?key|token|secret|password|authorization))(["']?\s*[=:,]\s*)\S+/gi;

/** A line as it may be logged: without these values, and without what looks like a secret. */
export function redacted(line: string, secrets: readonly string[]): string {
  let text = line;
  for (const secret of secrets) if (secret.length >= 4) text = text.replaceAll(secret, '…');
  return text.replace(SECRETS, '$1$2…');
}
