/** Requests to an agent to count the tokens of a text, with a limit on open requests. */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';

export const OPEN_MAX = 4;
const ANSWER_MS_MAX = 5_000;

export type CountQuestion = Omit<Count, 'type' | 'id'>;

export class TokenCountClient {
  readonly #clock: Clock;
  readonly #send: (message: Count) => void;
  readonly #open = new Map<number, { resolve(counted: Counted | null): void; timer: Timer }>();
  #last = 0;
  #over = false;

  constructor(clock: Clock, send: (message: Count) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /**
   * Resolves to `busy` when `OPEN_MAX` requests are open or the session is over, and to null when
   * no answer comes within `ANSWER_MS_MAX` or the session ends.
   */
  async ask(question: CountQuestion): Promise<Counted | 'busy' | null> {
    if (this.#over || this.#open.size >= OPEN_MAX) return 'busy';
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Counted | null>();
    const timer = this.#clock.after(ANSWER_MS_MAX, () => this.#close(id, null));
    this.#open.set(id, { resolve, timer });
    this.#send({ type: 'count', id, ...question });
    return await promise;
  }

  /** Delivers an answer. Answers that come too late, or to no request, are ignored. */
  answer(counted: Counted): void {
    this.#close(counted.id, counted);
  }

  /** Resolves all open requests to null, because the link is closed. */
  end(): void {
    this.#over = true;
    for (const id of this.#open.keys()) this.#close(id, null);
  }

  #close(id: number, counted: Counted | null): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.timer.cancel();
    open.resolve(counted);
  }
}
