/** A round that deletes expired playground keys, in slices too small to delay requests. */
import type { Clock } from '../../../shared/clock.ts';
import type { Store } from '../../store/store.ts';
import type { Round } from '../../jobs/rounds.ts';
import { deleteExpiredKeys } from './procedures.ts';

const EVERY_MS = 5 * 60_000;
const KEYS_AT_ONCE = 200;
/** Slices per round. The rest waits for the next round. */
const SLICES_MAX = 50;

export function playgroundRound({
  store,
  clock,
}: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>): Round {
  return {
    name: 'playground keys',
    everyMs: EVERY_MS,
    async run() {
      const slice = { before: clock.now(), limit: KEYS_AT_ONCE };
      for (let slices = 0; slices < SLICES_MAX; slices++) {
        if ((await store.call(deleteExpiredKeys, slice)) < KEYS_AT_ONCE) return;
      }
    },
  };
}
