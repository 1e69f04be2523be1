/** HOT PATH: admission and extension (MONEY 4 to 11), each one operation within a batch's transaction. */
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { DEAD_BEAT, type OperationOf } from '../operations.ts';
import { type ExtendAnswer, LedgerFault, type ReserveAnswer } from '../terms.ts';
import type { HoldRow } from '../../store/schema.ts';
import { BALANCE_MAX } from '../transfers.ts';
import { findPrice, type Statements } from './statements.ts';

export function reserve(
  at: Statements,
  { reservation, incarnation, now }: OperationOf<'reserve'>,
): ReserveAnswer | 'dead' {
  const { request, organization, key, epoch, amount, slice, price } = reservation;
  if (amount < 0n || slice < 0n || slice > BALANCE_MAX) {
    throw new LedgerFault(`${request}: cannot hold ${amount} and a slice of ${slice}`);
  }
  if (!findPrice(at, price)) throw new LedgerFault(`${request}: there is no price ${price}`);
  if (at.hold.get(request)) return 'held';
  // A reservation that comes after its own void (its first answer was lost) must open nothing.
  if (at.ending.get(request)) throw new LedgerFault(`${request} has ended before`);
  const account = at.account.get(organization);
  if (!account) return 'stale';
  if (isSuspended(at, organization)) return 'suspended';
  if (account.auth_epoch !== epoch) return 'stale';
  if (account.balance - account.held - account.reserve - amount < account.floor) {
    return 'insufficient';
  }
  if ((at.incarnation.get(incarnation)?.beat ?? DEAD_BEAT) === DEAD_BEAT) return 'dead';
  at.openHold.run(
    request,
    organization,
    key,
    price,
    incarnation,
    amount,
    slice,
    BigInt(Math.round(now)),
  );
  at.changeHeld.run(amount, slice, organization);
  return 'held';
}

/** Extensions may use what admission keeps free (MONEY 8). */
export function extend(at: Statements, { extension }: OperationOf<'extend'>): ExtendAnswer {
  const { request, organization, want, unit } = extension;
  if (unit <= 0n || want < unit) {
    throw new LedgerFault(`${request}: cannot extend by ${want} in units of ${unit}`);
  }
  const hold = at.hold.get(request);
  if (!hold) return 'gone';
  const account = at.account.get(organization);
  if (!account || hold.organization !== organization) {
    throw new LedgerFault(`${request} is not held by ${organization}`);
  }
  // MONEY 11: what runs when its key is revoked, or its organization suspended, gets no further grant.
  if (isSuspended(at, organization)) return 'denied';
  if ((at.keyState.get(hold.key)?.state ?? 'active') !== 'active') return 'denied';
  const free = account.balance - account.held - account.floor;
  const most = free < want ? free : want;
  if (most < unit) return 'denied';
  const granted = most - (most % unit);
  at.growHold.run(granted, request);
  at.changeHeld.run(granted, 0n, organization);
  return { granted: picoUsd(granted) };
}

/** Gives a hold back and leaves no tombstone: a late settlement can still make its guarded charge (MONEY 13). */
export function freeHold(at: Statements, request: RequestId, hold: HoldRow): void {
  at.closeHold.run(request);
  at.changeHeld.run(-hold.amount, -hold.slice, hold.organization);
}

function isSuspended(at: Statements, organization: OrganizationId): boolean {
  return at.organization.get(organization)?.status === 'suspended';
}
