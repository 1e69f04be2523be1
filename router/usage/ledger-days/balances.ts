/**
 * The balance after single transfers. Only the sums of days are stored, so the balance after a
 * transfer is that of its account, less what all later transfers changed: the sums of those days and
 * kinds that come after it as a whole, and the transfers themselves of the others.
 */
import { DAY_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import { changeOf, UNFOLDED_MAX } from './days.ts';
import { type DaySum, readFolded, sumTransfers } from './sums.ts';

/**
 * How many transfers may be added up for one page. Twenty payments on days with 8,000 charges each
 * need about as many.
 */
const ADDED_UP_MAX = 50_000n;

/** In pico-USD. Null: too many transfers would have to be added up. */
export type Balances = Readonly<{
  /** The balance after the transfer. */
  after: bigint | null;
  /** The balance after the last transfer of its day (UTC). */
  closing: bigint | null;
}>;

type Listed = Readonly<{ seq: bigint; change: bigint; created: number }>;

/** For procedures: the balances of transfers that are listed newest first, in the same order. */
export async function readBalances(
  db: Db,
  organization: OrganizationId,
  transfers: readonly Listed[],
): Promise<readonly Balances[]> {
  const oldest = transfers.at(-1);
  if (oldest === undefined) return [];
  const account = await db
    .selectFrom('accounts')
    .select(['balance', 'transfer_seq'])
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  const firstDay = Math.floor(Math.min(...transfers.map(({ created }) => created)) / DAY_MS);
  const folded = await readFolded(db, organization);
  if (account.transfer_seq - folded > UNFOLDED_MAX) {
    return transfers.map(() => ({ after: null, closing: null }));
  }
  const stored = await db
    .selectFrom('ledger_days')
    .selectAll()
    .where('organization', '=', organization)
    .where((row) => row.or([row('last_seq', '>', oldest.seq), row('day', '>', BigInt(firstDay))]))
    .execute();
  const upTo = account.transfer_seq;
  const tail = await sumTransfers(db, organization, { after: folded, upTo });
  const sums = [...stored, ...tail];
  const plans = planned(transfers, sums, account.balance);
  const added = await addUp(db, organization, plans);
  return balancesOf(transfers, plans, added).map((after, index) => ({
    after,
    closing: closingOf(transfers[index] as Listed, sums, account.balance),
  }));
}

/**
 * How to find the balance after one transfer: `known`, plus or minus what the transfers with numbers
 * above `low`, up to `high`, have changed. `ofPrevious`: the known balance is that after the previous
 * transfer of the list. `keys`: only transfers of these days and kinds count; null: all do.
 */
type Plan = Readonly<{
  known: bigint | 'ofPrevious';
  low: bigint;
  high: bigint;
  sign: 1n | -1n;
  keys: ReadonlySet<string> | null;
}>;

function planned(
  transfers: readonly Listed[],
  sums: readonly DaySum[],
  balance: bigint,
): readonly (Plan | null)[] {
  let budget = ADDED_UP_MAX;
  let previous: bigint | null = null;
  return transfers.map(({ seq }) => {
    const fromPrevious: Plan | null =
      previous === null
        ? null
        : { known: 'ofPrevious', low: seq, high: previous - 1n, sign: -1n, keys: null };
    const plan =
      fromPrevious !== null && costOf(fromPrevious) === 0n
        ? fromPrevious
        : cheapest(fromPrevious, ...fromSums(seq, sums, balance));
    const isAffordable = costOf(plan) <= budget;
    if (isAffordable) budget -= costOf(plan);
    previous = isAffordable ? seq : null;
    return isAffordable ? plan : null;
  });
}

function costOf({ low, high }: Plan): bigint {
  return high - low;
}

function cheapest(...[other, ...plans]: [Plan | null, Plan, Plan]): Plan {
  const all = other === null ? plans : [other, ...plans];
  return all.reduce((best, plan) => (costOf(plan) < costOf(best) ? plan : best));
}

/** The two ways from stored sums: from the end, and from the beginning, of what the transfer is in. */
function fromSums(seq: bigint, sums: readonly DaySum[], balance: bigint): [Plan, Plan] {
  const later = sums.filter(({ first_seq }) => first_seq > seq);
  const around = sums.filter(({ first_seq, last_seq }) => first_seq <= seq && last_seq > seq);
  const keys = new Set(around.map(({ day, kind }) => keyOf(day, kind)));
  const end = balance - changeOf(later);
  const high = around.reduce((last, { last_seq }) => (last_seq > last ? last_seq : last), seq);
  const low = around.reduce(
    (first, { first_seq }) => (first_seq <= first ? first_seq - 1n : first),
    seq,
  );
  return [
    { known: end, low: seq, high, sign: -1n, keys },
    { known: end - changeOf(around), low, high: seq, sign: 1n, keys },
  ];
}

function keyOf(day: bigint, kind: string): string {
  return `${day} ${kind}`;
}

/** What the transfers of each plan have changed, by its place in the list. */
async function addUp(
  db: Db,
  organization: OrganizationId,
  plans: readonly (Plan | null)[],
): Promise<ReadonlyMap<number, bigint>> {
  const changes = new Map<number, bigint>();
  for (const [nth, plan] of plans.entries()) {
    if (plan === null || costOf(plan) === 0n) continue;
    const { low: after, high: upTo, keys } = plan;
    // One query for all of them would be planned without their sizes.
    const sums = await sumTransfers(db, organization, { after, upTo });
    const counted = sums.filter(({ day, kind }) => keys === null || keys.has(keyOf(day, kind)));
    changes.set(nth, changeOf(counted));
  }
  return changes;
}

function balancesOf(
  transfers: readonly Listed[],
  plans: readonly (Plan | null)[],
  added: ReadonlyMap<number, bigint>,
): readonly (bigint | null)[] {
  const balances: (bigint | null)[] = [];
  for (const [nth, plan] of plans.entries()) {
    if (plan === null) {
      balances.push(null);
      continue;
    }
    const { known, sign } = plan;
    const start = known === 'ofPrevious' ? beforeThe(nth - 1) : known;
    balances.push(start + sign * (added.get(nth) ?? 0n));
  }
  return balances;

  /** The balance before a transfer of which the balance after it is known. */
  function beforeThe(nth: number): bigint {
    const [after, transfer] = [balances[nth] ?? null, transfers[nth]];
    if (after === null || !transfer) throw new Error('the balance after a transfer is not known');
    return after - transfer.change;
  }
}

function closingOf({ created }: Listed, sums: readonly DaySum[], balance: bigint): bigint {
  const day = BigInt(Math.floor(created / DAY_MS));
  return balance - changeOf(sums.filter((sum) => sum.day > day));
}
