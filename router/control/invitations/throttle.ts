/** How often something may be done within a span of time, counted for all routers together. */
import type { Db } from '../../store/procedure.ts';

/**
 * For procedures: counts one more, or answers in how many ms there is room again. The span begins with the first that
 * is counted in it.
 */
export async function countWithin(
  db: Db,
  {
    subject,
    max,
    windowMs,
    now,
  }: Readonly<Record<'max' | 'windowMs' | 'now', number>> & Readonly<{ subject: string }>,
): Promise<number | null> {
  const at = BigInt(Math.round(now));
  const row = await db
    .selectFrom('throttles')
    .selectAll()
    .where('subject', '=', subject)
    .executeTakeFirst();
  const endsIn = row ? Number(row.since) + windowMs - now : 0;
  if (row && endsIn > 0 && endsIn <= windowMs) {
    if (row.count >= BigInt(max)) return endsIn;
    await db
      .updateTable('throttles')
      .set((own) => ({ count: own('count', '+', 1n) }))
      .where('subject', '=', subject)
      .execute();
    return null;
  }
  await db
    .insertInto('throttles')
    .values({ subject, count: 1n, since: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ count: 1n, since: at }))
    .execute();
  return null;
}
