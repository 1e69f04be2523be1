/**
 * Where in an organization's usage a span of time lies. Rows are numbered as requests end, and no index has the
 * time they arrived at: so the place is found by halving, from when rows ended, with room on both sides.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Db } from '../store/procedure.ts';

/** For routers whose clocks differ, and rows that were written long after their request's end. */
const ROOM_MS = 60 * 60 * 1000;
/** Beyond any deadline of a request. */
const REQUEST_MS_MAX = 24 * 60 * 60 * 1000;

/** Rows below `first` arrived before `from`, rows beyond `last` at `until` or later. */
export type SeqSpan = Readonly<{ first: bigint; last: bigint }>;

export async function seqSpan(
  db: Db,
  organization: OrganizationId,
  { from, until }: Readonly<{ from: number | undefined; until: number | undefined }>,
): Promise<SeqSpan> {
  const row = await db
    .selectFrom('usage')
    .select('seq')
    .where('organization', '=', organization)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const newest = row?.seq ?? 0n;
  const endedAt = (instant: number) => firstEndedAt(db, organization, newest, instant);
  return {
    // What arrived at `from` ended no earlier.
    first: from === undefined ? 1n : await endedAt(from - ROOM_MS),
    last: until === undefined ? newest : await endedAt(until + REQUEST_MS_MAX + ROOM_MS),
  };
}

/** The first row, or about that, which ended at this instant or later; the newest, where none did. */
async function firstEndedAt(
  db: Db,
  organization: OrganizationId,
  newest: bigint,
  instant: number,
): Promise<bigint> {
  let [low, high] = [1n, newest];
  while (low < high) {
    const middle = (low + high) / 2n;
    // Old rows may have been deleted: the next one there is.
    const row = await db
      .selectFrom('usage')
      .select(['seq', 'created', 'duration_ms'])
      .where('organization', '=', organization)
      .where('seq', '>=', middle)
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    if (!row) high = middle;
    else if (Number(row.created + row.duration_ms) < instant) low = row.seq + 1n;
    else high = middle;
  }
  return low;
}
