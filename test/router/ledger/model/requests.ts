/**
 * The steps of a request: those of its router, of the store, and of its client. The store's answer
 * and its receipt by the router are one step, wherever nothing noticeable could happen between
 * them. For a charge they are two steps.
 */
import type { Law } from './law.ts';
import {
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
 * `due`: the step will happen, unless something else does. `chance`: it may never happen. `loss`:
 * it may never happen, and its only effect is that a message is not received, a connection is lost,
 * or a router is wrongly declared dead.
 */
export type Likelihood = 'due' | 'chance' | 'loss';
/** `who`: the index of the request, router or delivery that the step belongs to. */
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
      return emit('loss', 'the barrier is awaited no longer', at, become(givenUp(request)));
    case 'durable': {
      const shown = request.left === 'no' ? request.known : 0;
      const served = become({ phase: 'served', shown });
      return emit('due', shown > 0 ? 'its final bytes go out' : 'it is paid for', at, served);
    }
    case 'unknown': {
      const again = become({ phase: 'settling', renamed: !rules.law.retryKeepsItsId });
      emit('due', 'its charge is asked for again', at, again);
      const cut = rules.law.givingUpVoids ? 'voiding' : 'free';
      const cutShort = become({ ...givenUp(request), phase: cut });
      return emit('loss', 'the router gives up and cuts it', at, cutShort);
    }
    case 'voiding': {
      const store = voidRequest(rules.law, state.store, at);
      const phase = rules.law.voidAwaitsBarrier ? 'voided' : 'free';
      const heard = withRequest({ ...state, store }, at, { phase });
      emit('due', 'its void commits', at, heard);
      if (!rules.law.faultedVoidsAreRepeated) {
        emit('loss', 'its void is a fault', at, become({ phase: 'free' }));
      }
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
  const isUnanswered = asked === 'asking' && (request.loose & LOOSE.extend) === 0;
  if (scope.extensions && (asked === 'no' || isUnanswered)) {
    const asking = withRequest(state, at, { asked: 'asking', loose: LOOSE.extend });
    emit('chance', isUnanswered ? 'more is asked for again' : 'more is asked for', at, asking);
  }
  if (scope.leaves) leaves(rules, state, at, request, emit);
  const loose = leaveLoose(rules, request, LOOSE.none);
  const shown = law.chargeComesFirst ? 0 : known;
  const finished = withRequest(state, at, { phase: 'settling', loose, shown });
  emit('due', 'is finished, its charge asked for', at, finished);
  emit('loss', 'is cut', at, withRequest(state, at, { phase: 'voiding', loose }));
}

/**
 * MONEY 15. Before the first byte the engine's work is waived. After it, what was delivered is paid
 * for.
 */
function leaves(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { law } = rules;
  const loose = leaveLoose(rules, request, LOOSE.none);
  const end = (pays: boolean) => (pays ? ('settling' as const) : ('voiding' as const));
  const waived = { left: 'waived', phase: end(!law.waivedIsFree), loose } as const;
  emit('chance', 'its client leaves before the first byte', at, withRequest(state, at, waived));
  const paying = { left: 'paying', phase: end(law.deliveredIsPaid), loose } as const;
  emit('chance', 'its client leaves after the first byte', at, withRequest(state, at, paying));
}

/** MONEY 14: the answer is cut, and any charge for it is reversed. */
function givenUp({ left }: Request): Partial<Request> {
  return { phase: 'voiding', left: left === 'paying' ? 'excused' : left };
}

function settling(rules: Rules, state: State, at: number, request: Request, emit: Emit): void {
  const { known: cost, renamed } = request;
  const { view, answer } = settle(rules.law, state.store, at, { cost, renamed });
  const after = { ...state, store: view };
  if (answer === 'settled') {
    emit('due', 'its charge commits', at, withRequest(after, at, { phase: 'answered' }));
  } else {
    emit('due', 'its charge is refused', at, withRequest(after, at, givenUp(request)));
    const unheard = withRequest(after, at, { phase: 'unknown' });
    emit('loss', 'its charge is refused, the answer is lost', at, unheard);
  }
  // A settlement that faults either did nothing or voided the request, so the request ends as if it
  // was cut.
  const faulted = rules.law.faultsAreNoAnswers ? givenUp(request) : { phase: 'committed' as const };
  emit('chance', 'its charge is a fault', at, withRequest(state, at, faulted));
  const loose = leaveLoose(rules, request, LOOSE.settle);
  const unanswered = withRequest(state, at, { phase: 'unknown', loose });
  emit('loss', 'its charge is not answered', at, unanswered);
}

/**
 * Messages that the store carries out late. Only the answer to an extension may still have a
 * listener.
 */
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
    const { view, answer } = extend(law, store, at, known);
    const isGone = answer === 'gone';
    const what = isGone ? 'gone' : answer > known ? 'granted' : 'denied';
    const isStreaming = request.phase === 'streaming';
    const ends = !law.outageIsNoExhaustion && isStreaming;
    const unheard = after(LOOSE.extend, view, ends ? { asked: 'answered' } : {});
    emit('loss', `its extension is ${what}, unheard`, at, unheard);
    if (!isStreaming) return;
    // The store may have lost an extension in a crash. Then more was granted than is held.
    const heard: Partial<Request> =
      isGone || answer < known
        ? { phase: 'voiding' }
        : { known: answer, asked: answer > known || law.grantsAreCovered ? 'answered' : 'beyond' };
    emit('chance', `its extension is ${what}`, at, after(LOOSE.extend, view, heard));
  }
}

/**
 * Returns the messages in flight for a request, after the router stops waiting for this one, too.
 */
export function leaveLoose({ scope }: Rules, request: Request, kind: number): number {
  return scope.looseMessages ? request.loose | kind : LOOSE.none;
}

/**
 * MONEY 23: a barrier is a synchronous commit of the router's own heartbeat row. It succeeds unless
 * a crash is coming (`surviving` is not null). It flushes only if it changes the row.
 */
function barrierSucceeds(law: Law, { store, surviving }: State, { router }: Request): boolean {
  if (router === null) return false;
  return store.alive[router] ? surviving === null : !law.barrierChangesItsRow;
}
