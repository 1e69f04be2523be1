/** The liveness of holds (MONEY 19, 20), and the data plane's look-up of a key. */
import { type BeatAnswer, DEAD_BEAT, type KeyRecord, type OperationOf } from '../operations.ts';
import { freeHold } from './holds.ts';
import type { Statements } from './statements.ts';

/** As many holds as one batch frees, so that a large sweep does not keep admissions waiting. */
const SWEEP_HOLDS_MAX = 500n;
const NO_LIMIT = -1n;

export function enlist(at: Statements, ask: OperationOf<'enlist'>): null {
  at.enlist.run(ask.incarnation, ask.url, ask.regions, BigInt(Math.round(ask.now)));
  return null;
}

export function beat(at: Statements, { incarnation }: OperationOf<'beat'>): BeatAnswer {
  const alive = at.beat.run(incarnation).changes > 0;
  return {
    alive,
    peers: at.peers.all(incarnation),
    holds: alive ? at.holdsOf.all(incarnation, NO_LIMIT) : [],
  };
}

export function free(at: Statements, { incarnation, requests }: OperationOf<'free'>): number {
  let freed = 0;
  for (const request of requests) {
    const hold = at.hold.get(request);
    if (hold?.incarnation !== incarnation) continue;
    freeHold(at, request, hold);
    freed++;
  }
  return freed;
}

export function sweep(at: Statements, ask: OperationOf<'sweep'>): 'more' | 'done' | 'alive' {
  const { incarnation } = ask;
  const known = at.incarnation.get(incarnation);
  if (!known) return 'done';
  if (known.beat !== DEAD_BEAT) {
    if (ask.beat !== 'any' && known.beat !== ask.beat) return 'alive';
    // From here on it can neither beat nor hold, however long its holds take to be freed.
    at.setBeat.run(DEAD_BEAT, incarnation);
  }
  const requests = at.holdsOf.all(incarnation, SWEEP_HOLDS_MAX);
  free(at, { kind: 'free', incarnation, requests });
  if (requests.length === Number(SWEEP_HOLDS_MAX)) return 'more';
  at.remove.run(incarnation);
  return 'done';
}

export function findKey(at: Statements, { digest }: OperationOf<'findKey'>): KeyRecord | null {
  const row = at.key.get(digest);
  if (!row) return null;
  return {
    key: row.id,
    organization: row.organization,
    region: row.region,
    state: row.state,
    active: row.state === 'active',
    suspended: row.status === 'suspended',
    epoch: row.auth_epoch,
    member: row.member,
    source: row.source,
    expires: row.expires === null ? null : Number(row.expires),
  };
}
