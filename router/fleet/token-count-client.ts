/**
 * Requests to an agent to count the tokens of texts: for clients, and for audits. The texts go
 * before whatever is sent next, so a few are open at a time, and of each kind no more bytes than of
 * bodies: a cancel or a grant waits for them. Counting is free, so clients leave a place to audits,
 * and organizations take turns.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { limits } from '../../shared/limits.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';

export const OPEN_MAX = 4;
/** The most for clients: there is always room for an audit of another host. */
export const CLIENTS_OPEN_MAX = 3;
/** The most bytes of text that are open of a kind. A longer text is sent when no other is open. */
export const OPEN_BYTES_MAX = limits.linkBodyWindowBytes;
const ANSWER_MS_MAX = 5_000;
/** Clients' requests that wait until there is room: of all, of an organization, and for how long. */
export const WAITING_MAX = 32;
export const ORGANIZATION_WAITING_MAX = 8;
const WAIT_MS_MAX = 2_000;
/** The most organizations that have a turn in one round. */
const ROUND_MAX = 1_024;

export type CountQuestion = Omit<Count, 'type' | 'id'>;
export type CountAnswer = Counted | 'busy' | null;

/** A client's request. Its text is long, so it is made when it is sent; `bytes` is its length. */
export type ClientCount = Readonly<{
  organization: OrganizationId;
  bytes: number;
  question: () => CountQuestion;
}>;

type Kind = 'client' | 'audit';

type Open = Readonly<{
  kind: Kind;
  bytes: number;
  timer: Timer;
  resolve: (counted: Counted | null) => void;
}>;

type Waiting = Pick<ClientCount, 'organization' | 'bytes'> &
  Readonly<{
    /** An organization has one turn in each round. */
    round: number;
    /** It is the request's turn, or it is not to be sent. */
    end: (isTurn: boolean) => void;
  }>;

export class TokenCountClient {
  readonly #clock: Clock;
  readonly #send: (message: Count) => void;
  readonly #open = new Map<number, Open>();
  readonly #waiting = new Set<Waiting>();
  readonly #openBytes: Record<Kind, number> = { client: 0, audit: 0 };
  #last = 0;
  /** The round that goes on, and the organizations that have had their turn in it. */
  #round = 0;
  readonly #served = new Set<OrganizationId>();
  #over = false;

  constructor(clock: Clock, send: (message: Count) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /**
   * Asks for an audit. Resolves to `busy` when there is no room or the session is over, and to null
   * when no answer comes within `ANSWER_MS_MAX` or the session ends.
   */
  async ask(question: CountQuestion): Promise<CountAnswer> {
    const bytes = bytesOf(question.prompt) + bytesOf(question.answer);
    return this.#hasRoom('audit', bytes) ? await this.#start('audit', bytes, question) : 'busy';
  }

  /** Asks for a client, and waits a while for its turn. */
  async askInTurn({ organization, bytes, question }: ClientCount): Promise<CountAnswer> {
    const waitingBefore = countOf(this.#waiting, organization);
    if (!this.#mayWait(waitingBefore)) return 'busy';
    const { promise, resolve } = Promise.withResolvers<CountAnswer>();
    const waiting: Waiting = {
      organization,
      bytes,
      round: this.#round + (this.#served.has(organization) ? 1 : 0) + waitingBefore,
      // Sends at once, so that nobody else takes the room that there is now.
      end: (isTurn) => {
        timer.cancel();
        this.#waiting.delete(waiting);
        if (isTurn) this.#hadTurn(waiting);
        resolve(isTurn ? this.#start('client', bytes, question()) : 'busy');
      },
    };
    const timer = this.#clock.after(WAIT_MS_MAX, () => {
      waiting.end(false);
      this.#wake();
    });
    this.#waiting.add(waiting);
    this.#wake();
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

  #hadTurn({ organization, round }: Waiting): void {
    if (round > this.#round || this.#served.size >= ROUND_MAX) {
      this.#round = Math.max(round, this.#round + 1);
      this.#served.clear();
    }
    this.#served.add(organization);
  }

  #hasRoom(kind: Kind, bytes: number): boolean {
    const most = kind === 'client' ? CLIENTS_OPEN_MAX : OPEN_MAX;
    if (this.#over || this.#open.size >= most) return false;
    const before = this.#openBytes[kind];
    return before === 0 || before + bytes <= OPEN_BYTES_MAX;
  }

  #mayWait(ofOrganization: number): boolean {
    const isFull = this.#waiting.size >= WAITING_MAX;
    return !this.#over && !isFull && ofOrganization < ORGANIZATION_WAITING_MAX;
  }

  #start(kind: Kind, bytes: number, question: CountQuestion): Promise<Counted | null> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<Counted | null>();
    const timer = this.#clock.after(ANSWER_MS_MAX, () => this.#close(id, null));
    this.#open.set(id, { kind, bytes, timer, resolve });
    this.#openBytes[kind] += bytes;
    this.#send({ type: 'count', id, ...question });
    return promise;
  }

  #close(id: number, counted: Counted | null): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#openBytes[open.kind] -= open.bytes;
    open.timer.cancel();
    open.resolve(counted);
    this.#wake();
  }

  /** Sends the next ones, as far as there is room. */
  #wake(): void {
    for (;;) {
      const next = this.#next();
      if (next === null || !this.#hasRoom('client', next.bytes)) return;
      next.end(true);
    }
  }

  /** The request of the first round; of the same round, the one that has waited for longest. */
  #next(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) if (!next || waiting.round < next.round) next = waiting;
    return next;
  }
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

function countOf(all: Iterable<Waiting>, organization: OrganizationId): number {
  let count = 0;
  for (const waiting of all) if (waiting.organization === organization) count += 1;
  return count;
}
