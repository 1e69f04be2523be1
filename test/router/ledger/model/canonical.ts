/**
 * Maps equivalent states to one canonical state. The names of requests and routers do not matter,
 * nor does state that no process can still use.
 */
import { LAW, type Law } from './law.ts';
import {
  type Delivery,
  EXTENSION,
  FIRST_HOLD,
  isEnded,
  isLive,
  LOOSE,
  type Phase,
  type Request,
  requestAt,
  type RouterIndex,
  type Row,
  rowAt,
  type State,
  type View,
  withRequest,
  withRow,
} from './state.ts';

/**
 * HOT PATH of the search. Drops the state on which nothing can depend any more, for each request
 * that has changed.
 */
export function forget(law: Law, before: State, after: State): State {
  let next = after;
  for (let at = 0; at < after.requests.length; at++) {
    if (after.requests[at] === before.requests[at] && sameRows(before, after, at)) continue;
    if (requestAt(after, at).phase !== 'new') next = forgetRequest(law, next, at);
  }
  return next;
}

function sameRows(before: State, after: State, at: number): boolean {
  const same = before.store.rows[at] === after.store.rows[at];
  return same && before.surviving?.rows[at] === after.surviving?.rows[at];
}

function forgetRequest(law: Law, state: State, at: number): State {
  const before = requestAt(state, at);
  const loose = law === LAW ? looseStill(before, rowAt(state.store, at)) : before.loose;
  const request = loose === before.loose ? before : { ...before, loose };
  const store = forgetRow(state.store, request, at);
  const surviving = state.surviving && forgetRow(state.surviving, request, at);
  const after = forgetMemory(request, rowAt(store, at), surviving && rowAt(surviving, at));
  if (store === state.store && surviving === state.surviving && after === before) return state;
  const next = { ...state, store, surviving };
  return after === before ? next : withRequest(next, at, after);
}

/**
 * Under the full law some late messages do nothing and never will, because the store undoes nothing
 * except in a crash, and these messages do not survive a crash. A mutant may break exactly this, so
 * its messages stay.
 */
function looseStill({ loose, phase }: Request, { ending, under, hold }: Row): number {
  let left = loose;
  if (ending !== 'none') left &= ~(LOOSE.reserve | LOOSE.settle);
  if (ending === 'voided') left &= ~LOOSE.void;
  if (under === 'dead') left &= ~LOOSE.reserve;
  const cannotGrow = hold === 0 || hold === FIRST_HOLD + EXTENSION;
  if (cannotGrow && phase !== 'streaming') left &= ~LOOSE.extend;
  return left;
}

function forgetRow(view: View, request: Request, at: number): View {
  const row = rowAt(view, at);
  const { phase, loose } = request;
  const live = isLive(request);
  const taken = row.taken && live;
  const ending = isEnded(request) && loose === LOOSE.none ? 'none' : row.ending;
  const mayReserve = phase === 'reserving' || phase === 'guarded' || (loose & LOOSE.reserve) !== 0;
  let { under } = row;
  if (row.hold === 0 && !taken && !mayReserve) under = 'dead';
  // A sweeper may declare the incarnation dead at any time. The only effect then is that the hold
  // may be freed.
  if (under === 'earlier' && !live && !mayReserve) under = 'dead';
  if (taken === row.taken && ending === row.ending && under === row.under) return view;
  return withRow(view, at, { taken, ending, under });
}

function forgetMemory(request: Request, row: Row, surviving: Row | null): Request {
  const settles = isLive(request) || request.loose & LOOSE.settle;
  const known = settles ? request.known : 0;
  const asked = request.phase === 'streaming' ? request.asked : 'no';
  let { phase, router, left } = request;
  // A request that has ended owes nothing more: its charge was settled, or its answer was cut.
  if (isEnded(request) && !(phase === 'free' && left === 'paying')) left = 'no';
  if (isEnded(request) && request.loose === LOOSE.none) {
    const charged = row.charges > 0 || (surviving !== null && surviving.charges > 0);
    if (phase === 'crashed' && !charged) phase = 'free';
    if (row.under !== 'present' && surviving?.under !== 'present') router = null;
  }
  const same = known === request.known && asked === request.asked && phase === request.phase;
  return same && router === request.router && left === request.left
    ? request
    : { ...request, known, asked, left, phase, router };
}

const PHASES: Readonly<Record<Phase, number>> = {
  new: 0,
  reserving: 1,
  guarded: 2,
  streaming: 3,
  settling: 4,
  answered: 5,
  committed: 6,
  durable: 7,
  unknown: 8,
  voiding: 9,
  voided: 10,
  served: 11,
  free: 12,
  crashed: 13,
};
const UNDER = { present: 0, earlier: 1, dead: 2, removed: 3 } as const;
const ASKED = { no: 0, asking: 1, answered: 2, beyond: 3 } as const;
const LEFT = { no: 0, waived: 1, paying: 2, excused: 3 } as const;
const ENDING = { none: 0, settled: 1, voided: 2 } as const;
/** The values are chosen so that the sum over two deliveries shows how many are in each state. */
const DELIVERY = { due: 0, seen: 1, credited: 3, acknowledged: 9 } as const;

/**
 * HOT PATH of the search. Returns a state's key, which is the same for states that differ only in
 * names. Of the two ways to name the routers it takes the one with the smaller router code, or else
 * the one with the smaller key.
 */
export function keyOf(state: State): string {
  const [one, other] = [routerCode(state, 0), routerCode(state, 1)];
  if (one < other) return keyAs(state, 0, one * 16 + other);
  if (other < one) return keyAs(state, 1, other * 16 + one);
  const [first, second] = [keyAs(state, 0, one * 17), keyAs(state, 1, one * 17)];
  return first < second ? first : second;
}

const { fromCharCode } = String;
const REQUESTS_MAX = 3;
/**
 * The requests' codes while a key is built. Each packs three numbers of at most 19, 12 and 12 bits.
 */
const codes = new Float64Array(REQUESTS_MAX);

/** Returns the key with this router named as the first. */
function keyAs(state: State, named: RouterIndex, routers: number): string {
  const { store, surviving, requests, deliveries } = state;
  for (let at = 0; at < requests.length; at++) {
    const request = requestCode(requestAt(state, at), named);
    const row = rowCode(rowAt(store, at));
    const survives = surviving ? rowCode(rowAt(surviving, at)) : 0;
    insert(at, (request * 4096 + row) * 4096 + survives);
  }
  const views = surviving
    ? fromCharCode(viewCode(store), viewCode(surviving))
    : fromCharCode(viewCode(store));
  let key = fromCharCode(routers, deliveriesCode(deliveries)) + views;
  for (let at = 0; at < requests.length; at++) {
    const code = codes[at] as number;
    const request = Math.floor(code / 16_777_216);
    const row = Math.floor(code / 4096) & 4095;
    // The high bits of the request's code share a character with the row's code.
    const high = (request >> 16) * 4096 + row;
    key += surviving
      ? fromCharCode(request & 65_535, high, code & 4095)
      : fromCharCode(request & 65_535, high);
  }
  return key;
}

/** Inserts a code, so that the first `count` codes stay sorted. */
function insert(count: number, code: number): void {
  let at = count;
  for (; at > 0 && (codes[at - 1] as number) > code; at--) codes[at] = codes[at - 1] as number;
  codes[at] = code;
}

function routerCode({ routers, store, surviving }: State, at: RouterIndex): number {
  const { up, swept } = routers[at];
  const alive = (store.alive[at] ? 2 : 0) + (surviving?.alive[at] ? 1 : 0);
  return (up ? 8 : 0) + (swept ? 4 : 0) + alive;
}

function deliveriesCode(deliveries: readonly Delivery[]): number {
  let code = 0;
  for (const delivery of deliveries) code += DELIVERY[delivery];
  return code;
}

/** Even a mutant goes below zero by only a few steps. The code is never 0. */
function viewCode({ balance, held, credited }: View): number {
  return ((balance + 16) * 64 + held + 16) * 4 + credited;
}

function requestCode(request: Request, named: RouterIndex): number {
  const { router, phase, known, asked, left, renamed, loose, shown } = request;
  const whose = router === null ? 0 : router === named ? 1 : 2;
  const flags = (LEFT[left] * 4 + ASKED[asked]) * 2 + (renamed ? 1 : 0);
  return ((((whose * 16 + PHASES[phase]) * 4 + known) * 32 + flags) * 16 + loose) * 4 + shown;
}

function rowCode({ under, hold, ending, charges, charged, taken }: Row): number {
  const held = (UNDER[under] * 4 + hold) * 3 + ENDING[ending];
  return ((held * 4 + charges) * 8 + charged) * 2 + (taken ? 1 : 0);
}
