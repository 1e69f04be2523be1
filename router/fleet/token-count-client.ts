/** Requests to an agent to count the tokens of a text, with a limit on open requests. */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';

export const OPEN_MAX = 4;
const ANSWER_MS_MAX = 5_000;
/** Requests that wait until fewer are open, and for how long. */
export const WAITING_MAX = 32;
const WAIT_MS_MAX = 2_000;

export type CountQuestion = Omit<Count, 'type' | 'id'>;
export type CountAnswer = Counted | 'busy' | null;

/** Ends the wait of a request: it is its turn, or it is not to be asked. */
type Waiting = (isTurn: boolean) => void;

export class TokenCountClient {
  readonly #clock: Clock;
  readonly #send: (message: Count) => void;
  readonly #open = new Map<number, { resolve(counted: Counted | null): void; timer: Timer }>();
  readonly #waiting = new Set<Waiting>();
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
  async ask(question: CountQuestion): Promise<CountAnswer> {
    if (this.#over || this.#open.size >= OPEN_MAX) return 'busy';
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Counted | null>();
    const timer = this.#clock.after(ANSWER_MS_MAX, () => this.#close(id, null));
    this.#open.set(id, { resolve, timer });
    this.#send({ type: 'count', id, ...question });
    return await promise;
  }

  /** Like `ask`, but waits a while for its turn. The text is not kept meanwhile, but made then. */
  async askInTurn(question: () => CountQuestion): Promise<CountAnswer> {
    if (!this.#over && this.#open.size < OPEN_MAX) return await this.ask(question());
    if (this.#over || this.#waiting.size >= WAITING_MAX) return 'busy';
    const { promise, resolve } = Promise.withResolvers<CountAnswer>();
    // Asks at once, so that nobody else takes the place that has become free.
    const next: Waiting = (isTurn) => {
      timer.cancel();
      this.#waiting.delete(next);
      resolve(isTurn ? this.ask(question()) : 'busy');
    };
    const timer = this.#clock.after(WAIT_MS_MAX, () => next(false));
    this.#waiting.add(next);
    return await promise;
  }

  /** Delivers an answer. Answers that come too late, or to no request, are ignored. */
  answer(counted: Counted): void {
    this.#close(counted.id, counted);
  }

  /** Resolves all open requests to null, because the link is closed. */
  end(): void {
    this.#over = true;
    for (const next of this.#waiting) next(false);
    for (const id of this.#open.keys()) this.#close(id, null);
  }

  #close(id: number, counted: Counted | null): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.timer.cancel();
    open.resolve(counted);
    const [next] = this.#waiting;
    next?.(true);
  }
}
