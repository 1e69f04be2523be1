/**
 * One answer on its way through, kept for the audit: a tap between a worker's session and the request, which sees
 * the same events. Only sampled requests have one, so no other pays anything for it.
 */
import type { Lease } from '../../shared/bounds/budget.ts';
import { Gathering } from '../../shared/bounds/gathering.ts';
import type { End, Finished } from '../../shared/wire/messages.ts';
import type { Delta, Stream, StreamEvents } from '../fleet/stream.ts';

/** What a finished attempt reported, unclamped, and its text, escaped; null: it was too long, or it calls tools. */
export type Reported = Readonly<{
  prompt: number;
  completion: number;
  end: Finished;
  answer: Buffer | null;
}>;

export class Sample implements StreamEvents {
  readonly #to: StreamEvents;
  #done: ((reported: Reported | null) => void) | null;
  /** Thoughts and content as they came, escaped. */
  #text: Gathering | null;

  /**
   * `done` is called once, when the attempt is over; with null where it was not finished. `lease`: an answer that it
   * has no room for is not kept, and only its counts are looked at.
   */
  constructor(to: StreamEvents, lease: Lease, done: (reported: Reported | null) => void) {
    this.#to = to;
    this.#done = done;
    this.#text = new Gathering(lease, 0, Number.POSITIVE_INFINITY);
  }

  /** The attempt's own stream, whose `drop` is the last that is heard of it. */
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

  delta(prompt: number, completion: number, delta: Delta, cost: number): void {
    this.#keep(delta);
    this.#to.delta(prompt, completion, delta, cost);
  }

  counts(prompt: number, completion: number): void {
    this.#to.counts(prompt, completion);
  }

  ended(prompt: number, completion: number, end: End): void {
    // Taken first: the request lets go of its stream as soon as it hears of the end.
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
    // The tokens of a call are not in the text.
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
