/**
 * Finds where a span of time lies in an organization's usage. Rows are numbered in the order in
 * which requests ended, and no index covers their arrival time. So the span is found by binary
 * search on the end time, with a margin on both sides.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Db } from '../store/procedure.ts';

/** A margin for routers whose clocks differ, and for rows written long after the request ended. */
const ROOM_MS = 60 * 60 * 1000;
/** Longer than any deadline of a request. */
const REQUEST_MS_MAX = 24 * 60 * 60 * 1000;

/** Rows below `first` arrived before `from`; rows above `last` arrived at `until` or later. */
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
    // A request that arrived at `from` ended no earlier.
    first: from === undefined ? 1n : await endedAt(from - ROOM_MS),
    last: until === undefined ? newest : await endedAt(until + REQUEST_MS_MAX + ROOM_MS),
  };
}

/** Returns approximately the first row that ended at `instant` or later; the newest if none did. */
async function firstEndedAt(
  db: Db,
  organization: OrganizationId,
  newest: bigint,
  instant: number,
): Promise<bigint> {
  let [low, high] = [1n, newest];
  while (low < high) {
    const middle = (low + high) / 2n;
    // Old rows may have been deleted: take the next row that exists.
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
