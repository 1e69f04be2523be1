/** The refusal of a request that would exceed a cap of spend. */
import { formatUsd } from '../../shared/money.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Capped } from '../ledger/terms.ts';

const WINDOWS = { month: 'monthly', day: 'daily' } as const;
const WHOSE = { key: 'of this key', member: 'of the member who created this key' } as const;

/**
 * It says which cap it is, when it is reset, and whether the cap is reached or leaves too little for
 * the most that this request may cost.
 */
export class CapReached extends Refusal {
  constructor({ of, window, resets, unspent, left }: Capped) {
    const cap = `${WINDOWS[window]} cap ${WHOSE[of]}`;
    // A month and a day begin with a whole second.
    const at = `${new Date(resets).toISOString().slice(0, 19)}Z`;
    const message =
      unspent <= 0n
        ? `The ${cap} is reached. It is reset at ${at}.`
        : `This request may cost more than what is left of the ${cap}: ${remainder(unspent, left)}. Lower max_tokens or raise the cap, which is reset at ${at}.`;
    super('key_limit_reached', { message });
  }
}

function remainder(unspent: bigint, left: bigint): string {
  const free = left < 0n ? 0n : left;
  const held = unspent - left;
  const because = held > 0n ? `, because running requests hold USD ${formatUsd(held)}` : '';
  return `USD ${formatUsd(free)}${because}`;
}
