/**
 * The guard for extensions, and for charges without a hold (MONEY 4): the account's floor, and the
 * caps of the key and of its member. `reserve` in admission.ts tests new holds. The credit that
 * admission keeps free for running holds (MONEY 8) is available here: only new requests must not
 * use it.
 */
import type { KeyId, MemberId } from '../../../shared/ids.ts';
import type { AccountRow } from '../../store/schema/ledger.ts';
import type { KeyCaps } from '../terms.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { leftUnderCaps } from './caps.ts';

/** Returns how much more may be held or charged for a key; negative if it is beyond its bounds. */
export function freeFor(
  work: UnitOfWork,
  account: AccountRow,
  of: Readonly<{ key: KeyId; member: MemberId | null; caps: KeyCaps }>,
  now: number,
): bigint {
  const aboveFloor = account.balance - account.held - account.floor;
  const underCaps = leftUnderCaps(work, { organization: account.id, ...of }, now);
  return underCaps !== null && underCaps < aboveFloor ? underCaps : aboveFloor;
}
