/**
 * Records when each token of a script was last used, to within a minute, because a script may send
 * many requests a second.
 */
import { SpacedCalls } from '../../../shared/bounds/spaced-calls.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Api } from '../api.ts';
import type { ControlParts } from '../parts.ts';
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
  const touches = new SpacedCalls(clock, { everyMs: EVERY_MS, keysMax: TOKENS_MAX });
  api.addHook('onRequest', async ({ caller }) => {
    if (caller === null || caller.kind === 'person') return;
    const { token } = caller;
    if (!touches.passes(token)) return;
    const at = clock.now();
    try {
      const of = caller.kind === 'management-token' ? 'management_tokens' : 'operator_tokens';
      await store.call(touchToken, { of, token, at, notSince: at - EVERY_MS });
    } catch (error) {
      // A store that accepts no writes may still serve reads.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  });
}
