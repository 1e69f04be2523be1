/**
 * Hot path. Writes the deltas of one stream as records, within the byte window that the router has
 * granted. A delta that does not fit is split at the edge of the window, and the rest waits. The
 * last piece of a delta carries its new count, and the pieces before it carry the old count. If the
 * answer is not streamed, small deltas are merged, but not the first: the router measures the time
 * to the first token by it.
 */
import { DELTA_OVERHEAD_BYTES } from '../../shared/wire/deltas.ts';
import { cutEscaped } from '../../shared/wire/escaped.ts';
import { KIND } from '../../shared/wire/frames.ts';
import type { Records } from '../outbox.ts';
import type { Delta } from './deltas.ts';

/**
 * A longer record is split, because the size of a message is limited and other streams share it.
 */
const RECORD_BYTES_MAX = 256 * 1024;
/**
 * The shortest piece of a delta, except for the last piece. Each piece costs the full overhead of a
 * delta.
 */
const PIECE_BYTES_MIN = 1_024;
/** Deltas are merged up to this length. */
const GATHERED_CHARS_MAX = 4 * 1024;
/**
 * Counts without deltas are reported when they have grown by this many tokens, or after this many
 * ms if they have grown at all.
 */
const REPORT_TOKENS = 64;
const REPORT_MS = 250;

type Waiting = {
  readonly kind: Delta['kind'];
  readonly prefix: Uint8Array;
  text: string;
  /** The unsent rest of the text in UTF-8. Null as long as the text did not have to be measured. */
  bytes: Buffer | null;
  /** The completion count up to and including this delta. */
  completion: number;
};

export class Outflow {
  readonly #records: Records;
  readonly #stream: number;
  readonly #gathers: boolean;
  #window: number;
  #spent = 0;
  /** The completion counts of the last record, and of the last delta that was passed in. */
  #count = 0;
  #latest = 0;
  #sentAt = 0;
  #begun = false;
  #hasDelta = false;
  #queue: Waiting[] = [];
  #blocked = false;

  constructor(
    records: Records,
    { stream, window, gathers }: Readonly<{ stream: number; window: number; gathers: boolean }>,
  ) {
    this.#records = records;
    this.#stream = stream;
    this.#window = window;
    this.#gathers = gathers;
  }

  /** Whether deltas wait for the window to grow. Nothing more may be sent until then. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Whether a record was sent. */
  get begun(): boolean {
    return this.#begun;
  }

  /**
   * Sends the deltas of one chunk. The last delta carries the chunk's count. `now` is monotonic ms.
   */
  send(prompt: number, completion: number, deltas: readonly Delta[], now: number): void {
    const [only] = deltas;
    if (!this.#gathers && deltas.length === 1 && only && this.#fits(only.prefix, only.text)) {
      this.#sentAt = now;
      this.#latest = completion;
      return this.#write(prompt, completion, only);
    }
    for (const delta of deltas) this.#add(delta, this.#latest);
    this.#latest = completion;
    const last = this.#queue.at(-1);
    if (last) last.completion = completion;
    const isLong = (last?.text.length ?? 0) >= GATHERED_CHARS_MAX;
    if (!this.#gathers || isLong || !this.#hasDelta || this.#isDue(completion, now)) {
      this.#sentAt = now;
      this.flush(prompt);
    }
  }

  /** Notifies the router that the answer waits for a grant, by a report of unchanged counts. */
  wait(prompt: number, completion: number): void {
    this.flush(prompt);
    if (this.#blocked) return;
    if (completion > this.#count || !this.#begun) this.#report(prompt, completion);
    this.#report(prompt, completion);
  }

  /** Reports the counts, with merged deltas, if they are the first or have grown enough. */
  reportSometimes(prompt: number, completion: number, now: number): void {
    this.#latest = completion;
    if (!this.#isDue(completion, now)) return;
    this.#sentAt = now;
    const last = this.#queue.at(-1);
    if (!last) return this.#report(prompt, completion);
    last.completion = completion;
    this.flush(prompt);
  }

  grow(window: number): void {
    this.#window = window;
  }

  /** Sends as much of the waiting deltas as fits. */
  flush(prompt: number): void {
    let sent = 0;
    for (const waiting of this.#queue) {
      if (!this.#drain(prompt, waiting)) break;
      sent += 1;
    }
    this.#queue.splice(0, sent);
    this.#blocked = this.#queue.length > 0;
  }

  #isDue(completion: number, now: number): boolean {
    const grown = completion - this.#count;
    if (!this.#begun || grown >= REPORT_TOKENS) return true;
    return grown > 0 && now - this.#sentAt >= REPORT_MS;
  }

  #add({ kind, prefix, text }: Delta, completion: number): void {
    const last = this.#gathers ? this.#queue.at(-1) : undefined;
    const joins = last?.kind === kind && last.prefix === prefix && last.bytes === null;
    if (joins && last.text.length < GATHERED_CHARS_MAX) last.text += text;
    else this.#queue.push({ kind, prefix, text, bytes: null, completion });
  }

  #fits(prefix: Uint8Array, text: string): boolean {
    // A UTF-16 unit takes at most three bytes, so a text is measured only near the window's edge.
    return this.#queue.length === 0 && prefix.length + text.length * 3 <= this.#room;
  }

  /** The most bytes that the next record may have. */
  get #room(): number {
    return Math.min(this.#window - this.#spent - DELTA_OVERHEAD_BYTES, RECORD_BYTES_MAX);
  }

  /** Sends as much of a delta as fits. Returns whether all of it was sent. */
  #drain(prompt: number, waiting: Waiting): boolean {
    const { prefix, kind } = waiting;
    if (waiting.bytes === null && prefix.length + waiting.text.length * 3 <= this.#room) {
      this.#write(prompt, waiting.completion, waiting);
      return true;
    }
    waiting.bytes ??= Buffer.from(waiting.text);
    for (;;) {
      const room = this.#room - prefix.length;
      const isLast = waiting.bytes.length <= room;
      const isWhole = kind === KIND.call || kind === KIND.logprobs;
      if (!isLast && (isWhole || room < PIECE_BYTES_MIN)) return false;
      const end = cutEscaped(waiting.bytes, room);
      const text = waiting.bytes.toString('utf8', 0, end);
      waiting.bytes = waiting.bytes.subarray(end);
      const completion = isLast ? waiting.completion : this.#count;
      this.#write(prompt, completion, { kind, prefix, text });
      if (isLast) return true;
    }
  }

  #write(prompt: number, completion: number, delta: Delta): void {
    this.#begun = true;
    this.#hasDelta = true;
    this.#count = completion;
    const bytes = this.#records.delta(this.#stream, prompt, completion, delta);
    this.#spent += bytes + DELTA_OVERHEAD_BYTES;
  }

  #report(prompt: number, completion: number): void {
    this.#begun = true;
    this.#count = completion;
    this.#records.counts(this.#stream, prompt, completion);
  }
}
