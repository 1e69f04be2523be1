/** HOT PATH: admission and extension (MONEY 4 to 11). Invalid input throws before any change. */
import { picoUsd } from '../../../shared/money.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { HoldRow } from '../../store/schema/ledger.ts';
import { type OperationOf } from '../operations.ts';
import { type ExtendAnswer, LedgerFault, type ReserveAnswer } from '../terms.ts';
import { BALANCE_MAX } from '../transfers.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { findCap, memberMeterOf } from './caps.ts';
import { chargedUnder } from './claims.ts';
import { freeFor } from './guard.ts';
import { countAdmission, countedTokens, findLimit, meterOf, standingsOf } from './limits.ts';

export function reserve(
  work: UnitOfWork,
  { reservation, incarnation, now }: OperationOf<'reserve'>,
): ReserveAnswer | 'dead' {
  const { request, organization, key, epoch, amount, slice, price, claim } = reservation;
  const { member = null } = reservation;
  if (amount < 0n || slice < 0n || slice > BALANCE_MAX) {
    throw new LedgerFault(`${request}: cannot hold ${amount} and a slice of ${slice}`);
  }
  if (!work.price(price)) throw new LedgerFault(`${request}: there is no price ${price}`);
  if (work.hold(request)) return { held: standingsOf(work, reservation, now) };
  // A reservation that arrives after its own void (its first answer was lost) must not open a hold.
  if (work.ending(request)) throw new LedgerFault(`${request} has already ended`);
  const account = work.account(organization);
  if (!account) return 'stale';
  if (work.isSuspended(organization)) return 'suspended';
  if (account.auth_epoch !== epoch) return 'stale';
  if (!work.isAlive(incarnation)) return 'dead';
  const charged = chargedUnder(work, claim);
  if (charged) return charged;
  const limit = findLimit(work, reservation, now);
  if (limit !== null) return limit;
  const capped = findCap(work, reservation, now);
  if (capped !== null) return { capped };
  if (account.balance - account.held - account.reserve - amount < account.floor) {
    return 'insufficient';
  }
  work.setHold({
    request,
    organization,
    key,
    price,
    incarnation,
    amount,
    slice,
    tokens: countedTokens(reservation),
    created: milliseconds(now),
    member: memberMeterOf(work, member, now) ? member : null,
  });
  holdForMember(work, member, amount, now);
  work.setAccount({
    ...account,
    held: account.held + amount,
    reserve: account.reserve + slice,
    open: account.open + 1n,
  });
  const meter = meterOf(work, key, organization, now);
  work.setMeter({ ...meter, held: meter.held + amount, open: meter.open + 1n });
  countAdmission(work, reservation, now);
  return { held: standingsOf(work, reservation, now) };
}

/**
 * Raises a request's hold to an amount, or as far as the credit allows, and never lowers it. It may
 * use the credit that admission keeps free (MONEY 8).
 */
export function extend(work: UnitOfWork, { extension, now }: OperationOf<'extend'>): ExtendAnswer {
  const { request, organization, amount, unit } = extension;
  if (unit <= 0n || amount < 0n) {
    throw new LedgerFault(`${request}: cannot hold ${amount} in units of ${unit}`);
  }
  const hold = work.hold(request);
  if (!hold) return 'gone';
  const account = work.account(organization);
  if (!account || hold.organization !== organization) {
    throw new LedgerFault(`${request} is not held by ${organization}`);
  }
  const unchanged = { held: picoUsd(hold.amount) };
  // MONEY 11: a running request gets no further grant once its key is revoked or its organization
  // suspended.
  if (work.isSuspended(organization) || work.isRevoked(hold.key)) return unchanged;
  const { key, member } = hold;
  const free = freeFor(work, account, { key, member, caps: extension }, now);
  const beyond = amount - hold.amount - free;
  const less = beyond <= 0n ? 0n : ((beyond + unit - 1n) / unit) * unit;
  const more = amount - less - hold.amount;
  if (more <= 0n) return unchanged;
  work.setHold({ ...hold, amount: hold.amount + more });
  work.setAccount({ ...account, held: account.held + more });
  const meter = meterOf(work, key, organization, now);
  work.setMeter({ ...meter, held: meter.held + more });
  holdForMember(work, member, more, now);
  return { held: picoUsd(hold.amount + more) };
}

/**
 * Removes a hold, as part of an ending, or alone when its router is gone. Alone it leaves no
 * tombstone, so that a late settlement can still make its guarded charge (MONEY 13).
 */
export function closeHold(work: UnitOfWork, hold: HoldRow, now: number): void {
  const { request, organization, key, member, amount, slice } = hold;
  const account = work.account(organization);
  if (!account) throw new LedgerFault(`${request}: there is no account ${organization}`);
  work.closeHold(request);
  work.setAccount({
    ...account,
    held: account.held - amount,
    reserve: account.reserve - slice,
    open: account.open - 1n,
  });
  const meter = meterOf(work, key, organization, now);
  work.setMeter({ ...meter, held: meter.held - amount, open: meter.open - 1n });
  holdForMember(work, member, -amount, now);
}

/** Counts what the keys of a member hold more, if the member has a cap. */
function holdForMember(
  work: UnitOfWork,
  member: HoldRow['member'],
  more: bigint,
  now: number,
): void {
  const theirs = memberMeterOf(work, member, now);
  if (theirs) work.setMemberMeter({ ...theirs, held: theirs.held + more });
}
