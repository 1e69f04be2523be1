/**
 * The one guard of what is held or charged beyond a hold (MONEY 4): the account's floor, and the key's cap. What
 * admission keeps free for holds that run is not taken off: that is for the rules of admission.
 */
import type { KeyId } from '../../../shared/ids.ts';
import type { AccountRow } from '../../store/schema/ledger.ts';
import type { Page } from '../page.ts';
import { meterOf } from './limits.ts';

/** How much more may be held or charged for a key; below zero where it is beyond its bounds already. */
export function freeFor(
  page: Page,
  account: AccountRow,
  of: Readonly<{ key: KeyId; monthlyCap: bigint | null }>,
  now: number,
): bigint {
  const aboveFloor = account.balance - account.held - account.floor;
  if (of.monthlyCap === null) return aboveFloor;
  const { spent, held } = meterOf(page, of.key, account.id, now);
  const underCap = of.monthlyCap - spent - held;
  return underCap < aboveFloor ? underCap : aboveFloor;
}
