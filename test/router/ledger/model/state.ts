/**
 * A state of the whole system: the store's present state, the state that a crash of the store would
 * leave, the two routers' memory, the messages in flight, and what the clients have seen.
 *
 * The model leaves out what cannot affect these states. It has no prices, tokens or records: a
 * request is granted, and costs, all that its hold is known to cover, which is the most that the
 * rules allow. Lost connections: losing one is the same as losing the answers of all its requests,
 * one after the other. It has no slices kept free (MONEY 8) and no epochs (MONEY 11), because they
 * only cause more refusals. It has no time: what the rules allow after a while may happen at any
 * moment. So the sweeper may declare dead any router that sends heartbeats, and a router may stop
 * waiting at any time.
 */

/** Which events may happen, so that a search over more requests can leave some out. */
export type Scope = Readonly<{
  requests: 1 | 2 | 3;
  /** The starting balance, which is too little for all requests at once. */
  start: number;
  /** Deliveries of one top-up's webhook. The second is a duplicate. */
  deliveries: 0 | 1 | 2;
  /** Whether holds may grow. */
  extensions: boolean;
  /** Whether clients may leave before their answer is complete. */
  leaves: boolean;
  /** Whether the store may crash and lose its asynchronous suffix. */
  storeCrashes: boolean;
  /** Whether the store may still carry out operations that the router has given up on. */
  looseMessages: boolean;
  /**
   * Whether losses, wrong death declarations and starts also happen in the suffix that a crash of
   * the store loses. They make the search several times as long and mostly lead to the same states:
   * messages that nobody received are lost in the crash anyway, and what is given up could be given
   * up after it.
   */
  fullSuffix: boolean;
}>;

export const TOP_UP = 1;
export const FIRST_HOLD = 1;
export const EXTENSION = 1;

export type RouterIndex = 0 | 1;
export const ROUTERS: readonly RouterIndex[] = [0, 1];

/**
 * The incarnation that a request belongs to: its router's present one, or an earlier one that the
 * store still counts as alive or has seen declared dead. Earlier incarnations are told apart by
 * request, not by id. A sweeper that ends the incarnation of two requests at once therefore takes
 * two steps here, which allows more than can really happen.
 */
export type Under =
  | 'present'
  | 'earlier'
  | 'dead'
  /** Only if an incarnation may be removed while it has holds, which then cannot be found by it. */
  | 'removed';

/** The rows of one request: its hold, its usage row (the tombstone) and its transfers. */
export type Row = Readonly<{
  under: Under;
  /** 0: no hold. */
  hold: number;
  ending: 'none' | 'settled' | 'voided';
  /** The number and the sum of charges, less reversals. */
  charges: number;
  charged: number;
  /** Its hold was freed by a sweep or as an orphan while the request was alive. */
  taken: boolean;
}>;

/** The store's present answer to any query. */
export type View = Readonly<{
  balance: number;
  held: number;
  /** How often the top-up was credited. */
  credited: number;
  /** Whether each router's present incarnation counts as alive. */
  alive: readonly [boolean, boolean];
  rows: readonly Row[];
}>;

export type Phase =
  | 'new'
  /** The reservation is in flight. */
  | 'reserving'
  /** The request has passed the guard. Only if guard and hold are two steps. */
  | 'guarded'
  | 'streaming'
  /** The settlement is in flight. */
  | 'settling'
  /** The settlement was committed, and its answer is in flight. */
  | 'answered'
  /** The router knows that the settlement was committed, and waits for the barrier. */
  | 'committed'
  /** The charge is durable as far as the router knows. The final bytes are still to be written. */
  | 'durable'
  /** The router does not know what became of the settlement. */
  | 'unknown'
  /** The answer was cut. The void is in flight, and is retried until it is answered. */
  | 'voiding'
  /** The void was committed and waits for the barrier. */
  | 'voided'
  /** Ended: the client has its final bytes. */
  | 'served'
  /** Ended: refused, or cut and voided. */
  | 'free'
  /** The router crashed, and the client saw its answer break off. */
  | 'crashed';

/** Messages whose sender has stopped waiting, and that the store may still carry out. */
export const LOOSE = { none: 0, reserve: 1, extend: 2, settle: 4, void: 8 } as const;

export type Asked =
  | 'no'
  /**
   * The request for more is repeated until it is answered. Without a message in flight, the answer
   * was lost.
   */
  | 'asking'
  | 'answered'
  /**
   * More was granted than is known to be held. Only if the law does not forbid it
   * (`grantsAreCovered`).
   */
  | 'beyond';

/**
 * MONEY 15. `excused`: the client owed a payment, and the store refused the charge or its answer
 * stayed unknown.
 */
export type Left = 'no' | 'waived' | 'paying' | 'excused';

/** A request, as its router remembers it and as its client saw it. */
export type Request = Readonly<{
  /** Null before the request arrives, and once nothing depends on its router any more. */
  router: RouterIndex | null;
  phase: Phase;
  /** The amount that the router knows to be held. */
  known: number;
  /**
   * Whether more was requested. Until that is answered, every request for more names the same
   * amount, which keeps the state space small.
   */
  asked: Asked;
  /** Whether the client has left, and what it owes. */
  left: Left;
  /** This settlement has a new id. Only if retries take new ids. */
  renamed: boolean;
  /** A set of LOOSE. One message of each kind is enough, because a second would say the same. */
  loose: number;
  /** The usage in the final bytes that the client received. 0: it received none. */
  shown: number;
}>;

export type Router = Readonly<{
  up: boolean;
  /**
   * A peer has concluded that this router's present incarnation is dead, and is freeing its holds.
   */
  swept: boolean;
}>;

/** The state of a webhook's delivery. `seen`: only if deduplication and credit are two steps. */
export type Delivery = 'due' | 'seen' | 'credited' | 'acknowledged';

export type State = Readonly<{
  store: View;
  /**
   * The state that the next crash of the store will leave, or null if no crash is coming. The model
   * decides on a crash right after the last flush before it, so that it need not remember all other
   * possible points. From then on no barrier succeeds, and every commit belongs to the suffix that
   * will be lost.
   */
  surviving: View | null;
  routers: readonly [Router, Router];
  requests: readonly Request[];
  deliveries: readonly Delivery[];
}>;

export function initial(scope: Scope): State {
  const row: Row = {
    under: 'present',
    hold: 0,
    ending: 'none',
    charges: 0,
    charged: 0,
    taken: false,
  };
  const request: Request = {
    router: null,
    phase: 'new',
    known: 0,
    asked: 'no',
    left: 'no',
    renamed: false,
    loose: LOOSE.none,
    shown: 0,
  };
  const router: Router = { up: true, swept: false };
  const rows = Array.from({ length: scope.requests }, () => row);
  return {
    store: { balance: scope.start, held: 0, credited: 0, alive: [true, true], rows },
    surviving: null,
    routers: [router, router],
    requests: rows.map(() => request),
    deliveries: Array.from({ length: scope.deliveries }, () => 'due'),
  };
}

export function withRequest(state: State, at: number, change: Partial<Request>): State {
  return { ...state, requests: state.requests.with(at, { ...requestAt(state, at), ...change }) };
}

export function withRow(view: View, at: number, change: Partial<Row>): View {
  return { ...view, rows: view.rows.with(at, { ...rowAt(view, at), ...change }) };
}

export function withPair<T>(pair: readonly [T, T], at: RouterIndex, value: T): readonly [T, T] {
  return at === 0 ? [value, pair[1]] : [pair[0], value];
}

export function requestAt(state: State, at: number): Request {
  return state.requests[at] as Request;
}

export function rowAt(view: View, at: number): Row {
  return view.rows[at] as Row;
}

/** For each phase: whether the router keeps the hold, and whether the request has ended. */
const PHASES: Readonly<Record<Phase, 'new' | 'live' | 'voiding' | 'ended'>> = {
  new: 'new',
  reserving: 'live',
  guarded: 'live',
  streaming: 'live',
  settling: 'live',
  answered: 'live',
  committed: 'live',
  durable: 'live',
  unknown: 'live',
  // A void may be left to the next heartbeat (MONEY 20), so what is being voided is not live.
  voiding: 'voiding',
  voided: 'voiding',
  served: 'ended',
  free: 'ended',
  crashed: 'ended',
};

export function isLive({ phase }: Request): boolean {
  return PHASES[phase] === 'live';
}

export function isEnded({ phase }: Request): boolean {
  return PHASES[phase] === 'ended';
}

/** Returns whether the store counts the request's incarnation as alive. */
export function countsAsAlive(view: View, { under }: Row, router: RouterIndex | null): boolean {
  return under === 'present' ? router !== null && view.alive[router] : under === 'earlier';
}
