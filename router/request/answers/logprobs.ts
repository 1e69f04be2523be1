/** Log probabilities of tokens, as the APIs show them. Only requests that ask for them get them. */
import type { Candidate, TokenLogprob } from '../../../shared/wire/logprobs.ts';
import type { Content } from '../../fleet/stream.ts';
import type { Pieces } from '../reply.ts';

/** JSON made of lists side by side, to each of which a delta adds. */
export interface LogprobLists {
  /** The JSON before, between and after the lists. */
  readonly around: readonly string[];
  /** Returns what a delta adds to each list, or null if that is nothing. Called for each in turn. */
  add(delta: Content): readonly string[] | null;
}

/** Returns the JSON with the lists in it. */
export function withLists({ around }: LogprobLists, lists: readonly Pieces[]): Pieces {
  return around.flatMap((text, at) => [text, ...(lists[at] ?? [])]);
}

/** Returns the JSON for one delta. Null when it has no log probabilities. */
export function logprobsOf(format: LogprobLists, delta: Content): string | null {
  const added = format.add(delta);
  if (added === null) return null;
  const lists = added.map((list) => [list]);
  return withLists(format, lists).join('');
}

/** `logprobs` of a chat. */
export class ChatLogprobs implements LogprobLists {
  readonly around = ['{"content":[', '],"refusal":null}'];

  add({ logprobs }: Content): readonly string[] | null {
    return logprobs ? [logprobs.map((token) => JSON.stringify(shown(token))).join()] : null;
  }
}

function shown({ top_logprobs: others, ...chosen }: TokenLogprob): object {
  return { ...named(chosen), top_logprobs: others.map(named) };
}

function named({ logprob, bytes }: Candidate): object {
  return { token: textOf({ bytes }), logprob, bytes };
}

/** A part of a character becomes U+FFFD. */
function textOf({ bytes }: Pick<Candidate, 'bytes'>): string {
  return Buffer.from(bytes).toString('utf8');
}

/** `logprobs` of a text completion. */
export class TextLogprobs implements LogprobLists {
  readonly around = [
    '{"tokens":[',
    '],"token_logprobs":[',
    '],"top_logprobs":[',
    '],"text_offset":[',
    ']}',
  ];
  /** Characters of the text so far, and of the text up to the last token. */
  #written = 0;
  #offset = 0;

  add({ text, logprobs }: Content): readonly string[] | null {
    this.#written += charsOf(Buffer.from(JSON.parse(`"${text.toString()}"`) as string));
    if (!logprobs) return null;
    // Tokens end where their text does, unless it came in an earlier delta.
    const chars = logprobs.reduce((sum, token) => sum + charsOf(token.bytes), 0);
    if (text.length > 0) this.#offset = Math.max(0, this.#written - chars);
    const offsets = logprobs.map(({ bytes }) => {
      const offset = this.#offset;
      this.#offset += charsOf(bytes);
      return offset;
    });
    const tokens = logprobs.map(textOf);
    const others = logprobs.map(({ top_logprobs: all }) =>
      Object.fromEntries(all.map((other) => [textOf(other), other.logprob])),
    );
    const values = logprobs.map(({ logprob }) => logprob);
    return [tokens, values, others, offsets].map((list) => JSON.stringify(list).slice(1, -1));
  }
}

/** Characters that begin in these bytes of UTF-8: as Python counts them, and so does OpenAI. */
function charsOf(bytes: Iterable<number>): number {
  let chars = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) chars += 1;
  return chars;
}
