/**
 * Caps of what the keys of a member spend together (decision 0036). The batches of the ledger read
 * them with the rows that they lock, so a change applies from the next operation, also to requests
 * that are running.
 */
import type { MemberId, OrganizationId } from '../../shared/ids.ts';
import { lockAccount } from '../ledger/locks.ts';
import { broughtTo, nothingSpent, spentInDay, SPENT_MAX } from '../ledger/rules/spent.ts';
import { monthOf, startOfMonth } from '../store/month.ts';
import type { Db } from '../store/procedure.ts';
import type { MemberCapRow, SpentColumns } from '../store/schema/ledger.ts';
import type { CapsChange } from './caps-change.ts';

type Whose = Readonly<{ organization: OrganizationId; member: MemberId }>;

/**
 * For procedures that have locked the organization and found the member: changes the caps. Without
 * any cap, nothing is counted for the member, and null is returned. `now`: ms since the epoch.
 */
export async function changeMemberCaps(
  db: Db,
  { organization, member }: Whose,
  { monthlyCap, dailyCap }: CapsChange,
  now: number,
): Promise<MemberCapRow | null> {
  // Batches of the ledger lock the account, so what is counted here cannot change meanwhile.
  await lockAccount(db, organization);
  const before = await db
    .selectFrom('member_caps')
    .select(['monthly_cap', 'daily_cap'])
    .where('member', '=', member)
    .executeTakeFirst();
  const caps = {
    monthly_cap: monthlyCap === undefined ? (before?.monthly_cap ?? null) : monthlyCap,
    daily_cap: dailyCap === undefined ? (before?.daily_cap ?? null) : dailyCap,
  };
  await db.deleteFrom('member_caps').where('member', '=', member).execute();
  const isCapped = caps.monthly_cap !== null || caps.daily_cap !== null;
  await markHolds(db, organization, member, isCapped);
  if (!isCapped) {
    await countCapped(db, organization);
    return null;
  }
  // Counted anew each time from the meters of the keys, which are always exact.
  const spent = await spentByKeysOf(db, organization, member, now);
  const row = { member, organization, ...caps, ...spent };
  await db.insertInto('member_caps').values(row).execute();
  await countCapped(db, organization);
  return row;
}

async function countCapped(db: Db, organization: OrganizationId): Promise<void> {
  await db
    .updateTable('accounts')
    .set((build) => ({
      capped_members: build
        .selectFrom('member_caps')
        .select(build.fn.countAll<bigint>().as('members'))
        .where('organization', '=', organization),
    }))
    .where('id', '=', organization)
    .execute();
}

/** The keys that a member created, in any state. */
function keysOf(db: Db, organization: OrganizationId, member: MemberId) {
  return db
    .selectFrom('keys')
    .select('id')
    .where('organization', '=', organization)
    .where('member', '=', member);
}

/** Open holds were made when the member had no cap, or by a router of an earlier version. */
async function markHolds(
  db: Db,
  organization: OrganizationId,
  member: MemberId,
  isCapped: boolean,
): Promise<void> {
  const marked = db.updateTable('holds').set({ member: isCapped ? member : null });
  await (isCapped
    ? marked
        .where('organization', '=', organization)
        .where('key', 'in', keysOf(db, organization, member))
        .where('member', 'is', null)
    : marked.where('member', '=', member)
  ).execute();
}

async function spentByKeysOf(
  db: Db,
  organization: OrganizationId,
  member: MemberId,
  now: number,
): Promise<SpentColumns> {
  const rows = await db
    .selectFrom('meters')
    .select(['month', 'spent', 'day_from', 'before_day'])
    .where('organization', '=', organization)
    .where('key', 'in', keysOf(db, organization, member))
    // What was spent in earlier months does not count.
    .where('month', '>=', monthOf(now))
    .execute();
  // A meter may have begun a later day, while this waited for the lock: all are counted as of then.
  const at = rows.reduce(
    (latest, { month, day_from }) => Math.max(latest, startOfMonth(month), Number(day_from)),
    now,
  );
  const meters = rows.map((row) => broughtTo(row, at));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n);
  const all = sum(meters.map(({ spent }) => spent));
  const spent = all < SPENT_MAX ? all : SPENT_MAX;
  const today = sum(meters.map(spentInDay));
  return { ...nothingSpent(at), spent, before_day: today < spent ? spent - today : 0n };
}
