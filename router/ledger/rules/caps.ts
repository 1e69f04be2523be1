/**
 * The caps of spend beside the organization's credit: those of the key, which come with the looked-up
 * key, and those of the member who created it, which are read with what their keys have spent. What
 * is spent and what is held count together.
 */
import type { KeyId, MemberId, OrganizationId } from '../../../shared/ids.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import type { SpentColumns } from '../../store/schema/ledger.ts';
import type { Capped, KeyCaps, Reservation } from '../terms.ts';
import type { MemberMeter, UnitOfWork } from '../unit-of-work.ts';
import { meterOf } from './limits.ts';
import { broughtTo, spentInDay, startOfNextDay } from './spent.ts';

type Subject = Readonly<{
  organization: OrganizationId;
  key: KeyId;
  member: MemberId | null;
  caps: KeyCaps;
}>;

/** A cap, and what may still be held or charged under it (`left`). */
type Room = Omit<Capped, 'resets'>;

/**
 * Returns the cap that a new hold would exceed; or null. Of several, one that is reached: a smaller
 * hold would exceed it, too. Of several of these, one that is reset last. If none is reached, the one
 * of which the least is left: a hold that it covers exceeds no other.
 */
export function findCap(work: UnitOfWork, wanted: Reservation, now: number): Capped | null {
  const { organization, key, member = null, limits, amount } = wanted;
  const exceeded = roomsOf(work, { organization, key, member, caps: limits }, now).filter(
    ({ left }) => left < amount,
  );
  const reached = exceeded.filter(({ unspent }) => unspent <= 0n);
  const found =
    reached.find(({ window }) => window === 'month') ?? reached[0] ?? withLeastLeft(exceeded);
  if (!found) return null;
  const resets = found.window === 'month' ? startOfMonth(monthOf(now) + 1n) : startOfNextDay(now);
  return { ...found, resets };
}

/** Returns how much more may be held or charged under all caps; null if there is none. */
export function leftUnderCaps(work: UnitOfWork, subject: Subject, now: number): bigint | null {
  return withLeastLeft(roomsOf(work, subject, now))?.left ?? null;
}

/** The first of several; undefined if there is none. */
function withLeastLeft(rooms: readonly Room[]): Room | undefined {
  return rooms.toSorted((a, b) => Number(a.left - b.left))[0];
}

/** What the keys of a member hold and have spent, if the member has a cap. */
export function memberMeterOf(
  work: UnitOfWork,
  member: MemberId | null,
  now: number,
): MemberMeter | undefined {
  const meter = member === null ? undefined : work.memberMeter(member);
  return meter && broughtTo(meter, now);
}

function roomsOf(
  work: UnitOfWork,
  { organization, key, member, caps: { monthlyCap = null, dailyCap = null } }: Subject,
  now: number,
): Room[] {
  const theirs = memberMeterOf(work, member, now);
  const rooms: Room[] = [];
  if (monthlyCap !== null || dailyCap !== null) {
    rooms.push(...roomsIn('key', meterOf(work, key, organization, now), { monthlyCap, dailyCap }));
  }
  if (theirs) {
    const { monthly_cap, daily_cap } = theirs;
    rooms.push(...roomsIn('member', theirs, { monthlyCap: monthly_cap, dailyCap: daily_cap }));
  }
  return rooms;
}

function roomsIn(
  of: Capped['of'],
  meter: SpentColumns & Readonly<{ held: bigint }>,
  { monthlyCap, dailyCap }: Readonly<{ monthlyCap: bigint | null; dailyCap: bigint | null }>,
): Room[] {
  const rooms: Room[] = [];
  const add = (window: Room['window'], unspent: bigint) =>
    rooms.push({ of, window, unspent, left: unspent - meter.held });
  if (monthlyCap !== null) add('month', monthlyCap - meter.spent);
  if (dailyCap !== null) add('day', dailyCap - spentInDay(meter));
  return rooms;
}
