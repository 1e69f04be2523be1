/**
 * The guard for extensions, and for charges without a hold (MONEY 4): the account's floor, and the
 * key's cap. `reserve` in admission.ts tests new holds. The credit that admission keeps free for running holds (MONEY 8) is available here:
 * only new requests must not use it.
 */
import type { KeyId } from '../../../shared/ids.ts';
import type { AccountRow } from '../../store/schema/ledger.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { meterOf } from './limits.ts';

/** Returns how much more may be held or charged for a key; negative if it is beyond its bounds. */
export function freeFor(
  work: UnitOfWork,
  account: AccountRow,
  of: Readonly<{ key: KeyId; monthlyCap: bigint | null }>,
  now: number,
): bigint {
  const aboveFloor = account.balance - account.held - account.floor;
  if (of.monthlyCap === null) return aboveFloor;
  const { spent, held } = meterOf(work, of.key, account.id, now);
  const underCap = of.monthlyCap - spent - held;
  return underCap < aboveFloor ? underCap : aboveFloor;
}
