/**
 * Requests to an agent to count the tokens of texts. The texts go before whatever is sent next, so
 * a few are open at a time, and no more of them than of bodies: a cancel or a grant waits for them.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';

export const OPEN_MAX = 4;
/** The most bytes of text that are open. A longer text is sent when nothing else is open. */
export const OPEN_BYTES_MAX = limits.linkBodyWindowBytes;
const ANSWER_MS_MAX = 5_000;
/** Requests that wait until there is room, and for how long. */
export const WAITING_MAX = 32;
const WAIT_MS_MAX = 2_000;

export type CountQuestion = Omit<Count, 'type' | 'id'>;
export type CountAnswer = Counted | 'busy' | null;

type Open = Readonly<{ bytes: number; timer: Timer; resolve: (answer: CountAnswer) => void }>;

/** `end`: it is the request's turn, or it is not to be sent. */
type Waiting = Readonly<{ bytes: number; end: (isTurn: boolean) => void }>;

export class TokenCountClient {
  readonly #clock: Clock;
  readonly #send: (message: Count) => void;
  readonly #open = new Map<number, Open>();
  readonly #waiting = new Set<Waiting>();
  #openBytes = 0;
  #last = 0;
  #over = false;

  constructor(clock: Clock, send: (message: Count) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /**
   * Resolves to `busy` when there is no room or the session is over, and to null when no answer
   * comes within `ANSWER_MS_MAX` or the session ends.
   */
  async ask(question: CountQuestion): Promise<CountAnswer> {
    const bytes = bytesOf(question.prompt) + bytesOf(question.answer);
    return this.#hasRoom(bytes) ? await this.#start(bytes, question) : 'busy';
  }

  /** Like `ask`, but waits a while for its turn. The text is not kept meanwhile, but made then. */
  async askInTurn(bytes: number, question: () => CountQuestion): Promise<CountAnswer> {
    if (this.#waiting.size === 0 && this.#hasRoom(bytes)) {
      return await this.#start(bytes, question());
    }
    if (this.#over || this.#waiting.size >= WAITING_MAX) return 'busy';
    const { promise, resolve } = Promise.withResolvers<CountAnswer>();
    const waiting: Waiting = {
      bytes,
      // Sends at once, so that nobody else takes the room that there is now.
      end: (isTurn) => {
        timer.cancel();
        this.#waiting.delete(waiting);
        resolve(isTurn ? this.#start(bytes, question()) : 'busy');
      },
    };
    const timer = this.#clock.after(WAIT_MS_MAX, () => {
      waiting.end(false);
      this.#wake();
    });
    this.#waiting.add(waiting);
    return await promise;
  }

  /** Delivers an answer. Answers that come too late, or to no request, are ignored. */
  answer(counted: Counted): void {
    this.#close(counted.id, counted);
  }

  /** Resolves all open requests to null, because the link is closed. */
  end(): void {
    this.#over = true;
    for (const { end } of this.#waiting) end(false);
    for (const id of this.#open.keys()) this.#close(id, null);
  }

  #hasRoom(bytes: number): boolean {
    if (this.#over || this.#open.size >= OPEN_MAX) return false;
    return this.#open.size === 0 || this.#openBytes + bytes <= OPEN_BYTES_MAX;
  }

  #start(bytes: number, question: CountQuestion): Promise<CountAnswer> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<CountAnswer>();
    const timer = this.#clock.after(ANSWER_MS_MAX, () => this.#close(id, null));
    this.#open.set(id, { bytes, timer, resolve });
    this.#openBytes += bytes;
    this.#send({ type: 'count', id, ...question });
    return promise;
  }

  #close(id: number, answer: CountAnswer): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#openBytes -= open.bytes;
    open.timer.cancel();
    open.resolve(answer);
    this.#wake();
  }

  /** Sends those that have waited for longest, as far as there is room. */
  #wake(): void {
    for (const { bytes, end } of this.#waiting) {
      if (!this.#hasRoom(bytes)) return;
      end(true);
    }
  }
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}
