/**
 * One answer on its way through, kept for the audit: a tap between a worker's session and the request, which sees
 * the same events. Only sampled requests have one, so no other pays anything for it.
 */
import type { End, Finished } from '../../shared/wire/messages.ts';
import type { Stream, StreamEvents } from '../fleet/stream.ts';

/** An answer is kept up to here; of a longer one only the counts are. */
const ANSWER_BYTES_MAX = 256 * 1024;

/** What a finished attempt reported, unclamped, and its content bytes; null: there were too many. */
export type Reported = Readonly<{
  prompt: number;
  completion: number;
  end: Finished;
  answer: Buffer | null;
}>;

export class Sample implements StreamEvents {
  readonly #to: StreamEvents;
  #done: ((reported: Reported | null) => void) | null;
  #pieces: Buffer[] | null = [];
  #bytes = 0;

  /** `done` is called once, when the attempt is over; with null where it was not finished. */
  constructor(to: StreamEvents, done: (reported: Reported | null) => void) {
    this.#to = to;
    this.#done = done;
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

  content(prompt: number, completion: number, bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#bytes > ANSWER_BYTES_MAX) this.#pieces = null;
    else this.#pieces?.push(Buffer.from(bytes));
    this.#to.content(prompt, completion, bytes);
  }

  ended(prompt: number, completion: number, end: End): void {
    // Taken first: the request lets go of its stream as soon as it hears of the end.
    const [done, pieces] = [this.#done, this.#pieces];
    this.#done = null;
    this.#to.ended(prompt, completion, end);
    const isWhole = end.outcome === 'finished';
    done?.(isWhole ? { prompt, completion, end, answer: pieces && Buffer.concat(pieces) } : null);
  }

  refused(): void {
    this.#to.refused();
    this.#finish(null);
  }

  lost(): void {
    this.#to.lost();
    this.#finish(null);
  }

  #finish(reported: Reported | null): void {
    const done = this.#done;
    this.#done = null;
    this.#pieces = null;
    done?.(reported);
  }
}
