/** The invariants of every state, and those of states in which nothing is left to do. */
import {
  countsAsAlive,
  EXTENSION,
  FIRST_HOLD,
  isEnded,
  isLive,
  type Request,
  type Row,
  rowAt,
  type State,
  TOP_UP,
  type View,
} from './state.ts';

export type Invariant =
  | 'what is held is covered by the balance'
  | 'what is held is the sum of the holds'
  | 'money is conserved'
  | 'no request is charged twice'
  | 'no final byte before its charge is durable'
  | 'a complete answer is charged what it shows'
  | 'an answer that was cut and voided is free'
  | 'what is waived is not charged'
  | 'what was delivered is paid for, unless the store refuses'
  | 'no more is held than was asked for'
  | 'no more is granted than is held'
  | 'no answer ends short of what is held for it'
  | 'a top-up is credited exactly once'
  | 'a sweep takes no hold from a router that counts as alive'
  | 'at rest every request has ended'
  | 'at rest no hold is left';

/** Returns the first invariant that a state violates, or null. */
export function findViolation(start: number, state: State): Invariant | null {
  const { store, surviving } = state;
  // The state that would survive a crash was the store's state once, so the money in it has been
  // checked already.
  return (
    violatedByView(start, store) ??
    violatedByRequests(state, store) ??
    (surviving && violatedByRequests(state, surviving)) ??
    violatedByGrant(state) ??
    violatedBySweep(state)
  );
}

/** The same, for a state in which nothing is left to do. */
export function findViolationAtRest({ store, requests, deliveries }: State): Invariant | null {
  if (!requests.every(isEnded)) return 'at rest every request has ended';
  if (store.held !== 0 || store.rows.some(({ hold }) => hold > 0)) return 'at rest no hold is left';
  if (deliveries.length > 0 && store.credited !== 1) return 'a top-up is credited exactly once';
  return null;
}

function violatedByView(start: number, { balance, held, credited, rows }: View): Invariant | null {
  // With nothing held, this checks the balance against its floor. The check after it keeps `held`
  // from being negative.
  if (balance - held < 0) return 'what is held is covered by the balance';
  let [holds, charged] = [0, 0];
  for (const row of rows) {
    holds += row.hold;
    charged += row.charged;
    if (row.charges > 1) return 'no request is charged twice';
    if (row.hold > FIRST_HOLD + EXTENSION) return 'no more is held than was asked for';
  }
  if (held !== holds) return 'what is held is the sum of the holds';
  if (credited > 1) return 'a top-up is credited exactly once';
  if (balance + charged - credited * TOP_UP !== start) return 'money is conserved';
  return null;
}

/**
 * Compares what clients and providers have received with what the store has, or will have after a
 * crash.
 */
function violatedByRequests({ requests, deliveries }: State, view: View): Invariant | null {
  for (const [at, request] of requests.entries()) {
    const violated = violatedByRequest(request, rowAt(view, at));
    if (violated) return violated;
  }
  const told = deliveries.includes('acknowledged');
  return told && view.credited !== 1 ? 'a top-up is credited exactly once' : null;
}

function violatedByRequest(request: Request, { charges, charged }: Row): Invariant | null {
  const { shown, phase, left, asked } = request;
  if (shown > 0) {
    if (charges === 0) return 'no final byte before its charge is durable';
    if (charged !== shown) return 'a complete answer is charged what it shows';
  }
  if (asked === 'beyond') return 'no more is granted than is held';
  if (left === 'waived' && charges > 0) return 'what is waived is not charged';
  if (phase !== 'free') return null;
  if (charges > 0) return 'an answer that was cut and voided is free';
  return left === 'paying' ? 'what was delivered is paid for, unless the store refuses' : null;
}

/**
 * MONEY 10: when a request for more tokens was answered, the grant covers everything that is held.
 */
function violatedByGrant({ store, requests }: State): Invariant | null {
  for (const [at, { phase, asked, known }] of requests.entries()) {
    if (phase !== 'streaming' || asked !== 'answered') continue;
    if (rowAt(store, at).hold > known) return 'no answer ends short of what is held for it';
  }
  return null;
}

/**
 * A router that loses holds to a sweep must be able to learn of it, because its incarnation has
 * ended. Otherwise it would count as alive and run its requests to their end, and the guard could
 * then refuse the charge for work it has given away.
 */
function violatedBySweep({ store, requests }: State): Invariant | null {
  for (const [at, request] of requests.entries()) {
    const row = rowAt(store, at);
    if (!row.taken || request.router === null || !isLive(request)) continue;
    if (countsAsAlive(store, row, request.router)) {
      return 'a sweep takes no hold from a router that counts as alive';
    }
  }
  return null;
}
