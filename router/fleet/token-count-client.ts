/** Requests to an agent to count the tokens of a text, with a limit on open requests. */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';

export const OPEN_MAX = 4;
const ANSWER_MS_MAX = 5_000;
/** Requests that wait until fewer are open, and for how long. */
export const WAITING_MAX = 32;
const WAIT_MS_MAX = 2_000;

export type CountQuestion = Omit<Count, 'type' | 'id'>;

export class TokenCountClient {
  readonly #clock: Clock;
  readonly #send: (message: Count) => void;
  readonly #open = new Map<number, { resolve(counted: Counted | null): void; timer: Timer }>();
  readonly #waiting = new Set<(isTurn: boolean) => void>();
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

  /** Like `ask`, but waits a while for its turn. */
  async askInTurn(question: CountQuestion): Promise<Counted | 'busy' | null> {
    const isTurn = this.#open.size < OPEN_MAX || (await this.#turn());
    return isTurn ? await this.ask(question) : 'busy';
  }

  async #turn(): Promise<boolean> {
    if (this.#over || this.#waiting.size >= WAITING_MAX) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const timer = this.#clock.after(WAIT_MS_MAX, () => resolve(false));
    const isTurn = await promise;
    timer.cancel();
    this.#waiting.delete(resolve);
    return isTurn;
  }

  /** Delivers an answer. Answers that come too late, or to no request, are ignored. */
  answer(counted: Counted): void {
    this.#close(counted.id, counted);
  }

  /** Resolves all open requests to null, because the link is closed. */
  end(): void {
    this.#over = true;
    for (const resolve of this.#waiting) resolve(false);
    for (const id of this.#open.keys()) this.#close(id, null);
  }

  #close(id: number, counted: Counted | null): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.timer.cancel();
    open.resolve(counted);
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    next(true);
  }
}
