/**
 * The steps of a request: its router's, the store's for it, and its client's. That the store answers and that the
 * router hears are one step where nothing could come between that either would notice; a charge's are apart.
 */
import type { Law } from './law.ts';
import {
  EXTENSION,
  FIRST_HOLD,
  LOOSE,
  type Request,
  ROUTERS,
  type Scope,
  type State,
  type View,
  withRequest,
} from './state.ts';
import { canBear, extend, reserve, settle, voidRequest } from './store.ts';

/**
 * Due: it will happen, unless something else does. Chance: it may never happen. Loss: likewise, and all that comes of
 * it is that somebody does not hear, hears no longer, or is misjudged.
 */
export type Likelihood = 'due' | 'chance' | 'loss';
/** `who`: the request, router or delivery that it happens to. */
export type Emit = (likelihood: Likelihood, step: string, who: number, next: State) => void;
export type Rules = Readonly<{ law: Law; scope: Scope }>;

export function requestSteps(rules: Rules, state: State, emit: Emit): void {
  for (const [at, request] of state.requests.entries()) {
    stepsOf(rules, state, at, request, emit);
    if (request.loose !== LOOSE.none) looseSteps(rules, state, at, request, emit);
  }
}

function stepsOf(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const become = (change: Partial<Request>) => withRequest(state, at, change);
  switch (request.phase) {
    case 'new':
      return arrive(state, at, emit);
    case 'reserving':
    case 'guarded':
      return reserving(rules, state, at, request, emit);
    case 'streaming':
      return streaming(rules, state, at, request, emit);
    case 'settling':
      return settling(rules, state, at, request, emit);
    case 'answered':
      emit('due', 'the router learns of its charge', at, become({ phase: 'committed' }));
      return emit('loss', 'the charge’s answer is lost', at, become({ phase: 'unknown' }));
    case 'committed':
      if (!rules.law.finalBytesAwaitBarrier || barrierSucceeds(rules.law, state, request)) {
        emit('due', 'the barrier answers for its charge', at, become({ phase: 'durable' }));
      }
      return emit('loss', 'the barrier is awaited no longer', at, become({ phase: 'voiding' }));
    case 'durable': {
      const served = become({ phase: 'served', shown: request.known });
      return emit('due', 'its final bytes go out', at, served);
    }
    case 'unknown': {
      const again = become({ phase: 'settling', renamed: !rules.law.retryKeepsItsId });
      emit('due', 'its charge is asked for again', at, again);
      return emit('loss', 'the router gives up and cuts it', at, become({ phase: 'voiding' }));
    }
    case 'voiding': {
      const store = voidRequest(rules.law, state.store, at);
      const phase = rules.law.voidAwaitsBarrier ? 'voided' : 'free';
      const heard = withRequest({ ...state, store }, at, { phase });
      emit('due', 'its void commits', at, heard);
      return emit('loss', 'its void commits, the answer is lost', at, { ...state, store });
    }
    case 'voided':
      if (barrierSucceeds(rules.law, state, request)) {
        emit('due', 'the barrier answers for its void', at, become({ phase: 'free' }));
      }
      return;
    case 'served':
    case 'free':
    case 'crashed':
      return;
  }
}

function arrive(state: State, at: number, emit: Emit): void {
  for (const router of ROUTERS) {
    if (!state.routers[router].up) continue;
    const arrived = withRequest(state, at, { router, phase: 'reserving' });
    emit('due', `arrives at router ${router}`, at, arrived);
  }
}

function reserving(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { router, phase } = request;
  const twoSteps = !rules.law.guardAndHoldAreOneStep;
  if (phase === 'reserving' && twoSteps && canBear(state.store, FIRST_HOLD)) {
    return emit('due', 'passes the guard', at, withRequest(state, at, { phase: 'guarded' }));
  }
  const { view, answer } = reserve(state.store, at, { router, guard: phase === 'reserving' });
  const after = { ...state, store: view };
  if (answer === 'held') {
    const admitted = withRequest(after, at, { phase: 'streaming', known: FIRST_HOLD });
    emit('due', 'its hold commits', at, admitted);
    const unheard = withRequest(after, at, { phase: 'free' });
    emit('loss', 'its hold commits, the answer is lost', at, unheard);
  } else {
    emit('due', 'its hold is refused', at, withRequest(after, at, { phase: 'free' }));
  }
  const loose = leaveLoose(rules, request, LOOSE.reserve);
  const refused = withRequest(state, at, { phase: 'free', loose });
  emit('loss', 'its reservation is given up', at, refused);
}

function streaming(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { law, scope } = rules;
  const { known, asked } = request;
  if (scope.extensions && !asked) {
    const asking = withRequest(state, at, { asked: true, loose: LOOSE.extend });
    emit('chance', 'more is asked for', at, asking);
  }
  const loose = leaveLoose(rules, request, LOOSE.none);
  const shown = law.chargeComesFirst ? 0 : known;
  const finished = withRequest(state, at, { phase: 'settling', loose, shown });
  emit('due', 'is finished, its charge asked for', at, finished);
  emit('loss', 'is cut', at, withRequest(state, at, { phase: 'voiding', loose }));
}

function settling(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { known: cost, renamed } = request;
  const { view, answer } = settle(rules.law, state.store, at, { cost, renamed });
  const after = { ...state, store: view };
  if (answer === 'settled') {
    emit('due', 'its charge commits', at, withRequest(after, at, { phase: 'answered' }));
  } else {
    emit('due', 'its charge is refused', at, withRequest(after, at, { phase: 'voiding' }));
    const unheard = withRequest(after, at, { phase: 'unknown' });
    emit('loss', 'its charge is refused, the answer is lost', at, unheard);
  }
  const loose = leaveLoose(rules, request, LOOSE.settle);
  const unanswered = withRequest(state, at, { phase: 'unknown', loose });
  emit('loss', 'its charge is not answered', at, unanswered);
}

/** What the store carries out late. Only to an extension somebody may still listen. */
function looseSteps(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { law } = rules;
  const { store } = state;
  const { router, loose, known, renamed } = request;
  const after = (kind: number, view: View, change: Partial<Request> = {}) =>
    withRequest({ ...state, store: view }, at, { ...change, loose: loose & ~kind });
  if (loose & LOOSE.reserve) {
    const { view } = reserve(store, at, { router, guard: true });
    emit('chance', 'its reservation is carried out late', at, after(LOOSE.reserve, view));
  }
  if (loose & LOOSE.settle) {
    const { view } = settle(law, store, at, { cost: known, renamed });
    emit('chance', 'its settlement is carried out late', at, after(LOOSE.settle, view));
  }
  if (loose & LOOSE.void) {
    const view = voidRequest(law, store, at);
    emit('chance', 'its void is carried out late', at, after(LOOSE.void, view));
  }
  if (loose & LOOSE.extend) {
    const { view, answer } = extend(law, store, at);
    emit('loss', `its extension is ${answer}, unheard`, at, after(LOOSE.extend, view));
    if (request.phase !== 'streaming') return;
    const heard = {
      granted: { known: known + EXTENSION },
      denied: {},
      gone: { phase: 'voiding' as const },
    }[answer];
    emit('chance', `its extension is ${answer}`, at, after(LOOSE.extend, view, heard));
  }
}

/** What is on its way for a request once this message, too, is awaited no longer. */
export function leaveLoose({ scope }: Rules, request: Request, kind: number): number {
  return scope.looseMessages ? request.loose | kind : LOOSE.none;
}

/**
 * MONEY 23: a barrier is a synchronous commit of the router's own beat row. It succeeds unless a crash is coming: that
 * is what `surviving` says. And it flushes only if it changes the row.
 */
function barrierSucceeds(law: Law, { store, surviving }: State, { router }: Request): boolean {
  if (router === null) return false;
  return store.alive[router] ? surviving === null : !law.barrierChangesItsRow;
}
