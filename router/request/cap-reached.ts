/** The refusal of a request that would exceed a cap of spend. */
import { Refusal } from '../../shared/refusals.ts';
import type { Capped } from '../ledger/terms.ts';

const WINDOWS = { month: 'monthly', day: 'daily' } as const;
const WHOSE = { key: 'of this key', member: 'of the member who created this key' } as const;

/** It says which cap is reached, and when the cap is reset. */
export class CapReached extends Refusal {
  constructor({ of, window, resets }: Capped) {
    // A month and a day begin with a whole second.
    const at = `${new Date(resets).toISOString().slice(0, 19)}Z`;
    const message = `The ${WINDOWS[window]} cap ${WHOSE[of]} is reached. It is reset at ${at}.`;
    super('key_limit_reached', { message });
  }
}
