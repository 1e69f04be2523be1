/**
 * A state of the whole system: what the store would answer now, what of it a crash of the store would leave, what
 * the two routers remember, what is still on its way, and what the clients have seen.
 *
 * What is left out, because it cannot decide any of these questions: prices, tokens and records (a request costs what
 * its hold is known to pay for, the dearest that the law allows, and so much is granted to it), a connection that is
 * lost (which is that the answers of all that it was asked are lost, one after the other), the slices kept free (MONEY 8) and epochs (MONEY 11),
 * which only refuse more, and time: whatever the law lets happen after a while may happen at any moment. So the
 * sweeper may declare anybody dead who beats, and a router may give up waiting whenever it waits.
 */

/** What may happen, so that a search over more requests can be had for less. */
export type Scope = Readonly<{
  requests: 1 | 2 | 3;
  /** The balance to start with: too little for all of them at once. */
  start: number;
  /** Deliveries of one top-up's webhook: the second is its duplicate. */
  deliveries: 0 | 1 | 2;
  /** Whether holds may grow. */
  extensions: boolean;
  /** Whether clients may leave before their answer is complete. */
  leaves: boolean;
  /** Whether the store may crash and lose its asynchronous suffix. */
  storeCrashes: boolean;
  /** Whether what was given up may still be carried out by the store, later. */
  looseMessages: boolean;
  /**
   * Whether losses, misjudgements and starts happen, too, in the suffix that a crash of the store takes. They make the
   * search several times as long, and mostly come to the same: what nobody hears is lost in the crash anyway, and what
   * is given up could be given up after it.
   */
  fullSuffix: boolean;
}>;

export const TOP_UP = 1;
export const FIRST_HOLD = 1;
export const EXTENSION = 1;

export type RouterIndex = 0 | 1;
export const ROUTERS: readonly RouterIndex[] = [0, 1];

/**
 * Under which incarnation a request stands: its router's present one, or an earlier one that the store still counts
 * as alive, or has seen declared dead. Earlier ones are told apart by request, not by id: that a sweeper ends two
 * requests' incarnation at once is two steps here, which allows more than can happen.
 */
export type Under =
  | 'present'
  | 'earlier'
  | 'dead'
  /** Only where an incarnation may be removed with its holds: nobody finds them by it any more. */
  | 'removed';

/** The rows of one request: its hold, its usage row (the tombstone) and its transfers. */
export type Row = Readonly<{
  under: Under;
  /** 0: there is no hold. */
  hold: number;
  ending: 'none' | 'settled' | 'voided';
  /** Charges less reversals: how many, and how much. */
  charges: number;
  charged: number;
  /** Its hold was freed by a sweep or as an orphan while the request was alive. */
  taken: boolean;
}>;

/** What the store would answer. */
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
  /** The reservation is on its way. */
  | 'reserving'
  /** Only where guard and hold are two steps: the guard was passed. */
  | 'guarded'
  | 'streaming'
  /** The settlement is on its way. */
  | 'settling'
  /** It was committed; its answer is on its way. */
  | 'answered'
  /** The router knows that it was committed, and awaits the barrier. */
  | 'committed'
  /** The charge is durable, as far as the router knows; the final bytes are to be written. */
  | 'durable'
  /** Nothing is known of the settlement. */
  | 'unknown'
  /** The answer was cut; the void is on its way, and is sent until it is answered. */
  | 'voiding'
  /** The void was committed and awaits the barrier. */
  | 'voided'
  /** Ended: the client has its final bytes. */
  | 'served'
  /** Ended: refused, or cut and voided. */
  | 'free'
  /** Its router crashed; the client saw its answer break off. */
  | 'crashed';

/** Messages that nobody waits for any more, and that the store may still carry out. */
export const LOOSE = { none: 0, reserve: 1, extend: 2, settle: 4, void: 8 } as const;

export type Asked =
  | 'no'
  /** As often as it takes: while nothing is on its way, the answer was lost. */
  | 'asking'
  | 'answered'
  /** Only where that is not asserted: more is granted to it than is known to be held. */
  | 'beyond';

/** MONEY 15. `excused`: it was to be paid for, and the store refused the charge or did not say what became of it. */
export type Left = 'no' | 'waived' | 'paying' | 'excused';

/** A request as its router remembers it and its client saw it. */
export type Request = Readonly<{
  /** Null before it arrives, and once nothing depends on it any more. */
  router: RouterIndex | null;
  phase: Phase;
  /** What the router knows to be held for it. */
  known: number;
  /** Whether more was asked for: to one amount, so that the state space stays small, until that is answered. */
  asked: Asked;
  /** Whether its client has left, and what is owed for that. */
  left: Left;
  /** Only where retries take a new id: this settlement is one. */
  renamed: boolean;
  /** A set of LOOSE; of each kind one, since a second would say the same. */
  loose: number;
  /** The client's own log: the usage in its final bytes; 0: it has none. */
  shown: number;
}>;

export type Router = Readonly<{
  up: boolean;
  /** A peer has concluded that the incarnation with its present id is dead, and is freeing its holds. */
  swept: boolean;
}>;

/** A webhook's delivery; `seen`: only where de-duplication and credit are two steps. */
export type Delivery = 'due' | 'seen' | 'credited' | 'acknowledged';

export type State = Readonly<{
  store: View;
  /**
   * What the next crash of the store will leave; null: none is coming. That a crash is coming is decided when its
   * last flush is over, so that nothing need be remembered of all the other points at which it might have been: from
   * then on no barrier succeeds, and every commit is of the suffix that is lost.
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

/** Of each phase: whether its router keeps its hold, and whether it has ended. */
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
  // A void may be left to the next beat (MONEY 20), so what is being voided is not live.
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

/** Whether the store counts the incarnation under which a request stands as alive. */
export function countsAsAlive(view: View, { under }: Row, router: RouterIndex | null): boolean {
  return under === 'present' ? router !== null && view.alive[router] : under === 'earlier';
}
