/**
 * Copies one answer for the audit: passes all events from a worker's session to the request, and
 * keeps the text. Only sampled requests have this cost.
 */
import type { Lease } from '../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../shared/bounds/chunk-buffer.ts';
import type { End, Finished } from '../../shared/wire/end.ts';
import type { Delta, Stream, StreamEvents } from '../fleet/stream.ts';

/**
 * What a finished attempt reported, before any clamping, and its escaped text. `answer` is null
 * when the text was too long or has tool calls.
 */
export type Reported = Readonly<{
  prompt: number;
  completion: number;
  end: Finished;
  answer: Buffer | null;
}>;

export class Sample implements StreamEvents {
  readonly #to: StreamEvents;
  #done: ((reported: Reported | null) => void) | null;
  /** Reasoning and content, still escaped. Null when the text is not kept. */
  #text: ChunkBuffer | null;

  /**
   * `done` is called once, when the attempt is over, with null if it did not finish. An answer that
   * does not fit into `lease` is not kept, and only its counts are used.
   */
  constructor(to: StreamEvents, lease: Lease, done: (reported: Reported | null) => void) {
    this.#to = to;
    this.#done = done;
    this.#text = new ChunkBuffer(lease, 0, Number.POSITIVE_INFINITY);
  }

  /** The stream of the attempt. After its `drop` there are no more events. */
  over(stream: Stream): Stream {
    return {
      grant: (grant) => stream.grant(grant),
      cancel: () => stream.cancel(),
      drop: () => {
        stream.drop();
        this.#finish(null);
      },
    };
  }

  delta(prompt: number, completion: number, delta: Delta, cost: number, textBytes: number): void {
    this.#keep(delta);
    this.#to.delta(prompt, completion, delta, cost, textBytes);
  }

  counts(prompt: number, completion: number): void {
    this.#to.counts(prompt, completion);
  }

  ended(prompt: number, completion: number, end: End): void {
    // Taken first, because the request drops its stream as soon as it gets the end.
    const [done, text] = [this.#done, this.#text];
    this.#done = null;
    this.#text = null;
    this.#to.ended(prompt, completion, end);
    const isWhole = end.outcome === 'finished';
    done?.(
      isWhole ? { prompt, completion, end, answer: text && Buffer.concat(text.blocks()) } : null,
    );
    text?.drop();
  }

  refused(): void {
    this.#to.refused();
    this.#finish(null);
  }

  lost(): void {
    this.#to.lost();
    this.#finish(null);
  }

  #keep(delta: Delta): void {
    if (this.#text === null) return;
    // The text does not show the tokens of a tool call.
    const isText = delta.kind === 'content' || delta.kind === 'reasoning';
    if (!isText || this.#text.add(delta.text) !== 'kept') this.#forget();
  }

  #forget(): void {
    this.#text?.drop();
    this.#text = null;
  }

  #finish(reported: Reported | null): void {
    const done = this.#done;
    this.#done = null;
    this.#forget();
    done?.(reported);
  }
}
