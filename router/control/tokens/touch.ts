/**
 * Records when each management token was last used, to within a minute, because a script may send
 * many requests a second.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../shared/clock.ts';
import type { ManagementTokenId } from '../../../shared/ids.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import type { Api } from '../api.ts';
import { touchToken } from './procedures.ts';

const EVERY_MS = 60_000;
const TOKENS_MAX = 10_000;

/**
 * Applies to all routes that are registered on `api` from now on. Call it after `openGate`, which
 * sets `caller`.
 */
export function touchTokens(
  api: Api,
  { store, clock }: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>,
): void {
  /** When each token was last recorded, by the monotonic clock. */
  const touched = new LRUCache<ManagementTokenId, number>({ max: TOKENS_MAX });
  api.addHook('onRequest', async ({ caller }) => {
    if (caller?.kind !== 'management-token') return;
    const { token } = caller;
    const passed = clock.monotonic();
    if (passed - (touched.get(token) ?? -Infinity) < EVERY_MS) return;
    touched.set(token, passed);
    const at = clock.now();
    try {
      await store.call(touchToken, { token, at, notSince: at - EVERY_MS });
    } catch (error) {
      // A store that accepts no writes may still serve reads.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  });
}
