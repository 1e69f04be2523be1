/** Whether an organization is short of credit. */
import type { z } from 'zod';
import type { CreditState } from '../../../shared/api/credit.ts';
import type { Recharge } from '../../../shared/api/payments.ts';
import { picoOf } from '../format/usd.ts';

export type Balance = 'fine' | 'low' | 'empty';

/** An organization without a threshold is low on credit when less than this is available. */
const LOW_USD = '1';

type CreditShown = Pick<z.infer<typeof CreditState>, 'balance' | 'available'> &
  Readonly<{ recharge: Pick<Recharge, 'state'> }>;

/**
 * `empty`: no credit is available, so requests are refused. `low`: the balance is below `threshold`
 * or, without a threshold, little credit is available, and auto-recharge is not about to add any.
 * `threshold` is null for invoiced organizations, too, whose balance may be negative.
 */
export function balanceOf(credit: CreditShown, threshold: string | null): Balance {
  if (picoOf(credit.available) <= 0n) return 'empty';
  if (['ready', 'paying'].includes(credit.recharge.state)) return 'fine';
  if (threshold !== null) {
    return picoOf(credit.balance) < picoOf(threshold) ? 'low' : 'fine';
  }
  return picoOf(credit.available) < picoOf(LOW_USD) ? 'low' : 'fine';
}
