/**
 * Records when each token of a script was last used, to within a minute, because a script may send
 * many requests a second.
 */
import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Api } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { touchOperatorToken } from '../operators/procedures.ts';
import { touchToken } from './procedures.ts';

const EVERY_MS = 60_000;
const TOKENS_MAX = 10_000;

/**
 * Applies to all routes that are registered on `api` from now on. Call it after `openGate`, which
 * sets `caller`.
 */
export function touchTokens(
  api: Api,
  { store, clock }: Pick<ControlParts, 'store' | 'clock'>,
): void {
  /** When each token was last recorded, by the monotonic clock. */
  const touched = new LRUCache<string, number>({ max: TOKENS_MAX });
  api.addHook('onRequest', async ({ caller }) => {
    if (caller === null || caller.kind === 'person') return;
    const { token } = caller;
    const passed = clock.monotonic();
    if (passed - (touched.get(token) ?? -Infinity) < EVERY_MS) return;
    touched.set(token, passed);
    const at = clock.now();
    try {
      const used = { at, notSince: at - EVERY_MS };
      if (caller.kind === 'management-token') {
        await store.call(touchToken, { token: caller.token, ...used });
      } else await store.call(touchOperatorToken, { token, ...used });
    } catch (error) {
      // A store that accepts no writes may still serve reads.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  });
}
