/** The transfers that an organization can list: newest first, by sequence number. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { OrganizationId, TransferId } from '../../shared/ids.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type PicoUsd, picoUsd } from '../../shared/money.ts';
import { type Kind, KINDS, USAGE_KINDS } from '../ledger/transfers.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, readProcedure } from '../store/procedure.ts';
import type { Schema } from '../store/schema.ts';
import type { TransferRow } from '../store/schema/ledger.ts';
import { seqsOfDay } from './ledger-days/days.ts';
import { checked, type Page, page, type PageQuery } from './pages.ts';

export type Transfer = Readonly<{
  id: TransferId;
  seq: bigint;
  /** What the customer gained, or lost when it is below zero. */
  change: PicoUsd;
  kind: string;
  reference: string;
  reason: string | null;
  created: number;
}>;

/**
 * `cause`: the charges of requests and their reversals, or all other transfers. `kinds`: those of
 * these kinds. `day`: those of one day (UTC), in days since 1970.
 */
export type TransferFilter = PageQuery &
  Readonly<{
    cause?: 'usage' | 'other' | undefined;
    kinds?: readonly Kind[] | undefined;
    day?: number | undefined;
  }>;

const OTHER_KINDS = (Object.keys(KINDS) as Kind[]).filter((kind) => !USAGE_KINDS.includes(kind));

/** Transfers that one page of a filtered list scans: an organization may have millions of charges. */
const TRANSFERS_LOOKED_AT_MAX = 50_000n;

/**
 * A page of kinds without `usage` is always full if more follow, because these transfers have an
 * index. Any other filtered page may have fewer rows.
 */
export const listTransfers = readProcedure<TransferFilter, Page<Transfer>>(
  'listTransfers',
  async (db, filter) => {
    const { organization, before, limit, cause, kinds, day } = filter;
    checked(limit);
    const isFiltered = cause !== undefined || kinds !== undefined || day !== undefined;
    if (!isFiltered) {
      const found = await newestOf(db, organization, limit, { before }).execute();
      return page(found, limit, transferOf);
    }
    const range =
      day === undefined
        ? { first: 1n, last: await newestTransfer(db, organization) }
        : await seqsOfDay(db, organization, day, (kind) => isWanted(kind, filter));
    if (range === null) return { rows: [], next: null };
    const { first, last } = range;
    const top = before !== null && before <= last ? before - 1n : last;
    const few = kinds ?? (cause === 'other' ? OTHER_KINDS : undefined);
    if (few !== undefined && !few.includes('usage')) {
      const found = await rowsOfKinds(db, filter, few, { first, top });
      return page(found, limit, transferOf);
    }
    const low = top - TRANSFERS_LOOKED_AT_MAX + 1n;
    const bottom = low > first ? low : first;
    const found = await narrowed(newestOf(db, organization, limit, { bottom, top }), filter)
      .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds ?? []))
      .execute();
    const { rows, next } = page(found, limit, transferOf);
    return { rows, next: next ?? (bottom > first ? bottom : null) };
  },
);

type TransferSelect = SelectQueryBuilder<Schema, 'transfers', TransferRow>;

type Bounds = Readonly<{ before?: bigint | null; bottom?: bigint; top?: bigint }>;

/** The newest rows within these numbers, one more than the limit. */
function newestOf(
  db: Db,
  organization: OrganizationId,
  limit: number,
  { before = null, bottom, top }: Bounds,
): TransferSelect {
  let query = db
    .selectFrom('transfers')
    .selectAll()
    .where('organization', '=', organization)
    .orderBy('seq', 'desc')
    .limit(limit + 1);
  if (before !== null) query = query.where('seq', '<', before);
  if (top !== undefined) query = query.where('seq', '<=', top);
  if (bottom !== undefined) query = query.where('seq', '>=', bottom);
  return query;
}

function narrowed(query: TransferSelect, { cause, day }: TransferFilter): TransferSelect {
  let narrow = query;
  if (cause !== undefined) {
    narrow = narrow.where('kind', cause === 'usage' ? 'in' : 'not in', USAGE_KINDS);
  }
  if (day !== undefined) {
    narrow = narrow
      .where('created', '>=', milliseconds(day * DAY_MS))
      .where('created', '<', milliseconds((day + 1) * DAY_MS));
  }
  return narrow;
}

/** The newest rows of each kind, so that an index finds them among millions of charges. */
async function rowsOfKinds(
  db: Db,
  filter: TransferFilter,
  kinds: readonly Kind[],
  { first, top }: Readonly<{ first: bigint; top: bigint }>,
): Promise<readonly TransferRow[]> {
  const found: TransferRow[] = [];
  for (const kind of kinds) {
    const query = newestOf(db, filter.organization, filter.limit, { bottom: first, top })
      .where('kind', '=', kind)
      // The condition of the index, with the same literal.
      .where(sql<boolean>`kind <> 'usage'`);
    found.push(...(await narrowed(query, filter).execute()));
  }
  return found.toSorted((a, b) => Number(b.seq - a.seq)).slice(0, filter.limit + 1);
}

function isWanted(kind: string, { cause, kinds }: TransferFilter): boolean {
  if (kinds !== undefined && !(kinds as readonly string[]).includes(kind)) return false;
  return cause === undefined || USAGE_KINDS.includes(kind) === (cause === 'usage');
}

async function newestTransfer(db: Db, organization: OrganizationId): Promise<bigint> {
  const newest = await db
    .selectFrom('transfers')
    .select('seq')
    .where('organization', '=', organization)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.seq ?? 0n;
}

function transferOf(row: TransferRow): Transfer {
  const { id, seq, kind, reference, reason } = row;
  const gained = row.credit.startsWith('customer:');
  const change = picoUsd(gained ? row.amount : -row.amount);
  return { id, seq, change, kind, reference, reason, created: Number(row.created) };
}
