/** The calls to a thread, or to another process, that have not been answered yet. */
import { InFlightByNumber } from '../../../shared/in-flight.ts';
import type { BatchAnswer } from '../procedure.ts';
import { errorOf } from './failures.ts';
import type { Reply } from './messages.ts';

/** A reply to a call. */
export type SettlingReply = Exclude<Reply, { kind: 'ready' }>;

export type OnAnswers = (answers: readonly BatchAnswer<unknown>[]) => void;

type Pending = Readonly<{
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  onAnswers: OnAnswers | undefined;
}>;

export class PendingCalls {
  readonly #pending = new InFlightByNumber<Pending>();
  #nextId = 0;

  /**
   * Calls `send` with the id of a new call. Resolves with its answer; `onAnswers` gets the answers
   * that come before the last. Rejects with the error of the other side, or with that of `failAll`.
   */
  begin(send: (id: number) => void, onAnswers?: OnAnswers): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      send(id);
      this.#pending.add(id, { resolve, reject, onAnswers });
    });
  }

  settle(reply: SettlingReply): void {
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    if (reply.kind === 'part') return pending.onAnswers?.(reply.answers);
    this.#pending.delete(reply.id);
    if (reply.kind === 'done') pending.resolve(reply.value);
    else pending.reject(errorOf(reply.failure));
  }

  /** The other side is gone: whether the calls ran is unknown. */
  failAll(error: Error): void {
    for (const id of this.#pending.numbers()) this.#pending.delete(id)?.reject(error);
  }
}
