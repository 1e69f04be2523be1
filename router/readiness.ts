/** Why a router is not ready: the reasons that `/readyz` gives to load balancers and operators. */
import type { Clock } from '../shared/clock.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { OpenLedger } from './ledger/ledger.ts';
import type { StoreClock } from './store/clock.ts';

/** A new router is not ready until it has a ready worker, or until this much time has passed. */
export const FIRST_WORKER_MS_MAX = 10_000;

export type ReadinessParts = Readonly<{
  ledger: Pick<OpenLedger, 'isHealthy'>;
  clock: Pick<Clock, 'monotonic'> & Pick<StoreClock, 'fault'>;
  fleet: Pick<Fleet, 'countByPhase'>;
  /** Aborts when the router is told to stop. */
  stopSignal: AbortSignal;
}>;

/** Returns a function that says why the router, which starts now, is not ready. Null: it is. */
export function watchReadiness(parts: ReadinessParts): () => string | null {
  const { ledger, clock, fleet, stopSignal } = parts;
  const started = clock.monotonic();
  let hasBegun = false;
  return () => {
    if (stopSignal.aborted) return 'the router is stopping';
    if (clock.fault !== null) return clock.fault;
    if (!ledger.isHealthy()) return 'the store does not answer';
    // A rolling deploy stops the next router when this one is ready, so agents must be connected by
    // then.
    hasBegun ||=
      fleet.countByPhase().ready > 0 || clock.monotonic() - started > FIRST_WORKER_MS_MAX;
    return hasBegun ? null : 'the router waits for its first worker';
  };
}
