/** The steps of the router processes, the sweeper, the store's crash, and the top-up's webhook. */
import { type Emit, leaveLoose, type Rules } from './requests.ts';
import {
  type Delivery,
  isEnded,
  isLive,
  LOOSE,
  type Phase,
  type Request,
  requestAt,
  type Router,
  type RouterIndex,
  ROUTERS,
  type Row,
  type State,
  type Under,
  type View,
  withPair,
  withRow,
} from './state.ts';
import { credit, freeHold } from './store.ts';

export function processSteps(rules: Rules, state: State, emit: Emit): void {
  for (const router of ROUTERS) routerSteps(rules, state, router, emit);
  for (const [at, row] of state.store.rows.entries()) sweepSteps(rules, state, at, row, emit);
  if (rules.scope.storeCrashes) storeSteps(rules, state, emit);
  if (!state.routers.some(({ up }) => up)) return;
  for (const at of state.deliveries.keys()) deliverySteps(rules, state, at, emit);
}

function routerSteps(rules: Rules, state: State, router: RouterIndex, emit: Emit): void {
  const { routers, store, surviving } = state;
  const peer = routers[otherThan(router)];
  if (routers[router].up) {
    emit('chance', 'router crashes', router, crash(rules, state, router));
    if (store.alive[router] && peer.up) {
      emit('loss', 'router is declared dead, and is not', router, declareDead(state, router));
    }
  }
  if (surviving !== null && !rules.scope.fullSuffix) return;
  if (!routers[router].up) {
    emit(peer.up ? 'chance' : 'due', 'router starts', router, begin(rules, state, router));
  } else if (!store.alive[router]) {
    emit('due', 'router learns that it was declared dead', router, begin(rules, state, router));
  }
}

/** MONEY 19: starts a new incarnation. A mutant that reuses ids revives the old one. */
function begin({ law }: Rules, state: State, router: RouterIndex): State {
  const { routers, store, surviving } = state;
  if (!law.incarnationIsNew) {
    const again = { ...routers[router], up: true };
    return {
      ...state,
      routers: withPair(routers, router, again),
      store: { ...store, alive: withPair(store.alive, router, true) },
    };
  }
  return {
    ...state,
    routers: withPair(routers, router, { up: true, swept: false }),
    store: enlist(state, store, router, true),
    // The state that would survive a crash no longer has the old incarnation, and does not have the
    // new one yet.
    surviving: surviving && enlist(state, surviving, router, false),
  };
}

function enlist({ requests }: State, view: View, router: RouterIndex, isEntered: boolean): View {
  const under: Under = view.alive[router] ? 'earlier' : 'dead';
  const rows = view.rows.map((row, at) =>
    requests[at]?.router === router && row.under === 'present' ? { ...row, under } : row,
  );
  return { ...view, rows, alive: withPair(view.alive, router, isEntered) };
}

/** The router crashes: it loses its memory, but the messages that it has sent may still arrive. */
function crash(rules: Rules, state: State, router: RouterIndex): State {
  const { swept } = state.routers[router];
  const requests = state.requests.map((request): Request => {
    if (request.router !== router || isEnded(request)) return request;
    const kind = ON_ITS_WAY[request.phase] ?? LOOSE.none;
    return { ...request, phase: 'crashed', loose: leaveLoose(rules, request, kind) };
  });
  return { ...state, requests, routers: withPair(state.routers, router, { up: false, swept }) };
}

const ON_ITS_WAY: Readonly<Partial<Record<Phase, number>>> = {
  reserving: LOOSE.reserve,
  guarded: LOOSE.reserve,
  settling: LOOSE.settle,
  voiding: LOOSE.void,
};

/**
 * MONEY 19: a dead incarnation can neither send a heartbeat nor hold, however long the freeing of
 * its holds takes.
 */
function declareDead(state: State, router: RouterIndex): State {
  const { store, routers } = state;
  const { up } = routers[router];
  return {
    ...state,
    store: { ...store, alive: withPair(store.alive, router, false) },
    routers: withPair(routers, router, { up, swept: true }),
  };
}

/**
 * MONEY 19, 20: frees a hold that its request did not end. A sweeper that has declared an
 * incarnation dead frees one hold after the other without checking again, because the decision is
 * final.
 */
function sweepSteps({ law }: Rules, state: State, at: number, row: Row, emit: Emit): void {
  const { routers, store } = state;
  const request = requestAt(state, at);
  const { router } = request;
  const free = (step: string) =>
    emit('due', step, at, { ...state, store: freeHold(store, at, isLive(request)) });
  if (row.under !== 'present' || router === null) {
    if (!routers.some(({ up }) => up)) return;
    if (row.under === 'earlier') {
      const declared = { ...state, store: withRow(store, at, { under: 'dead' }) };
      emit('due', 'its earlier incarnation is declared dead', at, declared);
    } else if (row.hold > 0 && row.under === 'dead') {
      free('a sweep frees its hold');
      if (!law.incarnationOutlivesHolds) {
        const removed = { ...state, store: withRow(store, at, { under: 'removed' }) };
        emit('chance', 'its incarnation is removed with its hold', at, removed);
      }
    }
    return;
  }
  const { up, swept } = routers[router];
  const peer = routers[otherThan(router)];
  if (peer.up && !up && store.alive[router]) {
    emit('due', 'its crashed router is declared dead', at, declareDead(state, router));
  }
  if (row.hold === 0) return;
  if (peer.up && swept) free('a sweep frees its hold');
  if (up && store.alive[router] && !isLive(request) && law.orphansAreFreed) {
    free('its own router frees its hold');
  }
}

/** MONEY 23: a crash loses the commits that were not flushed, and every connection. */
function storeSteps(rules: Rules, state: State, emit: Emit): void {
  const { store, surviving, routers } = state;
  if (surviving === null) {
    const coming = { ...state, surviving: store };
    return emit('chance', 'the last flush before a crash is over', -1, coming);
  }
  const restored = (at: RouterIndex): Router => ({ ...routers[at], swept: !surviving.alive[at] });
  emit('due', 'the store crashes', -1, {
    store: surviving,
    surviving: null,
    routers: [restored(0), restored(1)],
    requests: state.requests.map((request) => disconnect(rules, request)),
    deliveries: state.deliveries.map((was) => (was === 'acknowledged' ? was : 'due')),
  });
}

function disconnect({ law }: Rules, request: Request): Request {
  const { phase } = request;
  const trusts = !law.barrierSharesConnection && (phase === 'committed' || phase === 'voided');
  return { ...request, loose: LOOSE.none, phase: trusts ? phase : (UNANSWERED[phase] ?? phase) };
}

/** The phase that a request enters when the store's answer is lost, or cannot be relied on. */
const UNANSWERED: Readonly<Partial<Record<Phase, Phase>>> = {
  reserving: 'free',
  guarded: 'free',
  settling: 'unknown',
  answered: 'unknown',
  committed: 'unknown',
  voided: 'voiding',
};

/**
 * MONEY 26. The provider delivers until it is acknowledged. With two deliveries, it delivers once
 * more than needed.
 */
function deliverySteps({ law }: Rules, state: State, at: number, emit: Emit): void {
  const { store, surviving, deliveries } = state;
  const become = (now: Delivery, view = store): State => ({
    ...state,
    store: view,
    deliveries: deliveries.with(at, now),
  });
  switch (deliveries[at]) {
    case 'due': {
      const isNew = store.credited === 0;
      if (isNew && !law.creditIsOneStep) {
        return emit('due', 'webhook is seen to be new', at, become('seen'));
      }
      const credited = become('credited', isNew ? credit(store) : store);
      return emit('due', 'webhook commits', at, credited);
    }
    case 'seen':
      return emit('due', 'webhook is credited', at, become('credited', credit(store)));
    case 'credited':
      emit('loss', 'webhook’s answer is lost', at, become('due'));
      if (surviving === null || !law.webhookAwaitsBarrier) {
        emit('due', 'webhook is acknowledged', at, become('acknowledged'));
      }
      return;
    case 'acknowledged':
    case undefined:
      return;
  }
}

function otherThan(router: RouterIndex): RouterIndex {
  return router === 0 ? 1 : 0;
}
