/** HOT PATH: admission and extension (MONEY 4 to 11). Invalid input throws before any change. */
import { picoUsd } from '../../../shared/money.ts';
import type { HoldRow } from '../../store/schema/ledger.ts';
import { milliseconds, type OperationOf } from '../operations.ts';
import type { Page } from '../page.ts';
import { type ExtendAnswer, LedgerFault, type ReserveAnswer } from '../terms.ts';
import { BALANCE_MAX } from '../transfers.ts';
import { countAdmission, countedTokens, findLimit, meterOf, standingsOf } from './limits.ts';
import { freeFor } from './guard.ts';

export function reserve(
  page: Page,
  { reservation, incarnation, now }: OperationOf<'reserve'>,
): ReserveAnswer | 'dead' {
  const { request, organization, key, epoch, amount, slice, price } = reservation;
  if (amount < 0n || slice < 0n || slice > BALANCE_MAX) {
    throw new LedgerFault(`${request}: cannot hold ${amount} and a slice of ${slice}`);
  }
  if (!page.price(price)) throw new LedgerFault(`${request}: there is no price ${price}`);
  if (page.hold(request)) return { held: standingsOf(page, reservation, now) };
  // A reservation that arrives after its own void (its first answer was lost) must not open a hold.
  if (page.ending(request)) throw new LedgerFault(`${request} has ended before`);
  const account = page.account(organization);
  if (!account) return 'stale';
  if (page.isSuspended(organization)) return 'suspended';
  if (account.auth_epoch !== epoch) return 'stale';
  if (!page.isAlive(incarnation)) return 'dead';
  const limit = findLimit(page, reservation, now);
  if (limit !== null) return limit;
  if (account.balance - account.held - account.reserve - amount < account.floor) {
    return 'insufficient';
  }
  page.setHold({
    request,
    organization,
    key,
    price,
    incarnation,
    amount,
    slice,
    tokens: countedTokens(reservation),
    created: milliseconds(now),
  });
  page.setAccount({
    ...account,
    held: account.held + amount,
    reserve: account.reserve + slice,
    open: account.open + 1n,
  });
  const meter = meterOf(page, key, organization, now);
  page.setMeter({ ...meter, held: meter.held + amount, open: meter.open + 1n });
  countAdmission(page, reservation, now);
  return { held: standingsOf(page, reservation, now) };
}

/**
 * Raises a request's hold to an amount, or as far as the credit allows, and never lowers it. It may
 * use the credit that admission keeps free (MONEY 8).
 */
export function extend(page: Page, { extension, now }: OperationOf<'extend'>): ExtendAnswer {
  const { request, organization, amount, unit, monthlyCap = null } = extension;
  if (unit <= 0n || amount < 0n) {
    throw new LedgerFault(`${request}: cannot be held at ${amount} in units of ${unit}`);
  }
  const hold = page.hold(request);
  if (!hold) return 'gone';
  const account = page.account(organization);
  if (!account || hold.organization !== organization) {
    throw new LedgerFault(`${request} is not held by ${organization}`);
  }
  const unchanged = { held: picoUsd(hold.amount) };
  // MONEY 11: a running request gets no further grant once its key is revoked or its organization
  // suspended.
  if (page.isSuspended(organization) || page.isRevoked(hold.key)) return unchanged;
  const { key } = hold;
  const beyond = amount - hold.amount - freeFor(page, account, { key, monthlyCap }, now);
  const less = beyond <= 0n ? 0n : ((beyond + unit - 1n) / unit) * unit;
  const more = amount - less - hold.amount;
  if (more <= 0n) return unchanged;
  page.setHold({ ...hold, amount: hold.amount + more });
  page.setAccount({ ...account, held: account.held + more });
  const meter = meterOf(page, key, organization, now);
  page.setMeter({ ...meter, held: meter.held + more });
  return { held: picoUsd(hold.amount + more) };
}

/**
 * Removes a hold, as part of an ending, or alone when its router is gone. Alone it leaves no
 * tombstone, so that a late settlement can still make its guarded charge (MONEY 13).
 */
export function closeHold(page: Page, hold: HoldRow, now: number): void {
  const { request, organization, key, amount, slice } = hold;
  const account = page.account(organization);
  if (!account) throw new LedgerFault(`${request}: there is no account ${organization}`);
  page.closeHold(request);
  page.setAccount({
    ...account,
    held: account.held - amount,
    reserve: account.reserve - slice,
    open: account.open - 1n,
  });
  const meter = meterOf(page, key, organization, now);
  page.setMeter({ ...meter, held: meter.held - amount, open: meter.open - 1n });
}
