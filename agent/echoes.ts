/**
 * Reports to each router which requests the other routers have in flight on an engine, so that it
 * can estimate how long its own requests would wait. A request has at most three events and none
 * per token. Events are batched for `GATHER_MS`. When a link is full or has used up its rate of
 * echoes, a new request is not reported to the link's router, and neither are the later events of
 * that request.
 */
import { AllowedRate } from '../shared/bounds/allowed-rate.ts';
import type { Clock, Timer } from '../shared/clock.ts';
import { echoChars } from '../shared/limits.ts';
import type { Echo, Open } from '../shared/wire/messages.ts';

const GATHER_MS = 10;
/** The limits of one message: its events and, approximately, its characters. */
const MESSAGE_EVENTS_MAX = 1_024;
const MESSAGE_CHARS_MAX = 1024 * 1024;
/** The most characters in a batch. While a batch is larger, new requests are not reported. */
export const GATHERED_CHARS_MAX = 4 * 1024 * 1024;
const EVENT_CHARS = 128;

type Event = Echo['events'][number];
type Gathered = Readonly<{ worker: string; event: Event; chars: number }>;

/** A router that receives the events of the other routers' requests. */
export type Listener = Readonly<{
  router: string;
  send(echo: Echo): void;
  /** Whether the send buffer of its link is over its limit. */
  isFull(): boolean;
}>;

/**
 * `known`: the requests that were reported to a router and are not over. `budget`: the echo rate
 * limiter of the router's link, in characters.
 */
type Reported = Readonly<{ known: Set<string>; budget: AllowedRate }>;

/** Reports the progress of one request to the other routers. */
export type Echoed = Readonly<{ firstToken(): void; over(): void }>;

const NOT_REPORTED: Echoed = { firstToken() {}, over() {} };

export class Echoes implements Disposable {
  readonly #clock: Clock;
  readonly #listeners = new Map<Listener, Reported>();
  #gathered: Gathered[] = [];
  #chars = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#listeners.clear();
  }

  join(listener: Listener): Disposable {
    const budget = new AllowedRate(this.#clock, echoChars);
    this.#listeners.set(listener, { known: new Set(), budget });
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Reports a request that `from` has sent to an engine. The result reports its later events. */
  dispatched(from: string, open: Open): Echoed {
    if (this.#listeners.size < 2 || this.#chars > GATHERED_CHARS_MAX) return NOT_REPORTED;
    const { worker, stream, chunks, promptTokens, uncachedTokens } = open;
    const tokens = { chunks, promptTokens, uncachedTokens };
    this.#gather(worker, { at: 'dispatched', from, stream, ...tokens });
    return {
      firstToken: () => this.#gather(worker, { at: 'first_token', from, stream }),
      over: () => this.#gather(worker, { at: 'over', from, stream }),
    };
  }

  #gather(worker: string, event: Event): void {
    const chars = EVENT_CHARS + (event.at === 'dispatched' ? event.chunks.length : 0);
    this.#gathered.push({ worker, event, chars });
    this.#chars += chars;
    this.#timer ??= this.#clock.after(GATHER_MS, () => this.#flush());
  }

  #flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.#chars = 0;
    this.#timer = null;
    for (const [listener, reported] of this.#listeners) {
      const full = listener.isFull();
      const events = gathered.filter(
        (one) => one.event.from !== listener.router && isForListener(one, reported, full),
      );
      for (const echo of messagesOf(events)) listener.send(echo);
    }
  }
}

/**
 * Whether an event is reported to a router. The later events of a request are reported only if its
 * `dispatched` event was.
 */
function isForListener(
  { event, chars }: Gathered,
  { known, budget }: Reported,
  full: boolean,
): boolean {
  const request = `${event.stream} ${event.from}`;
  switch (event.at) {
    case 'dispatched': {
      // Includes the cost of the request's two later events.
      const fits = !full && budget.spend(chars + 2 * EVENT_CHARS);
      if (fits) known.add(request);
      return fits;
    }
    case 'first_token':
      return known.has(request);
    case 'over':
      return known.delete(request);
  }
}

/** Splits the events into bounded messages, one worker each, and keeps each worker's order. */
function messagesOf(gathered: readonly Gathered[]): Echo[] {
  const messages: Echo[] = [];
  const open = new Map<string, { events: Event[]; chars: number }>();
  for (const { worker, event, chars } of gathered) {
    let last = open.get(worker);
    if (
      !last ||
      last.events.length === MESSAGE_EVENTS_MAX ||
      last.chars + chars > MESSAGE_CHARS_MAX
    ) {
      last = { events: [], chars: 0 };
      open.set(worker, last);
      messages.push({ type: 'echo', worker, events: last.events });
    }
    last.events.push(event);
    last.chars += chars;
  }
  return messages;
}
