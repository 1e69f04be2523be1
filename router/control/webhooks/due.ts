/**
 * Which attempts are to be made now: one for each endpoint that has none under way. The endpoint that
 * has waited longest since its last attempt comes first, so that no endpoint is passed over, however
 * many events others get. It is read beside the writer, because many attempts may be due.
 */
import { sql } from 'kysely';
import { waitsIn } from '../../jobs/lanes.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';

type Asked = Readonly<{ now: number; limit: number }>;

/** Returns the ids of jobs, at most `limit`. */
export const findDueAttempts = readProcedure<Asked, readonly string[]>(
  'findDueAttempts',
  { heavy: true },
  async (db, asked) => {
    const ids: string[] = [];
    for (const endpoint of await endpointsInTurn(db, asked)) {
      const first = await db
        .selectFrom('jobs')
        .select('id')
        .where(waitsIn('webhooks'))
        .where('subject', '=', endpoint)
        .where('run_at', '<=', milliseconds(asked.now))
        .orderBy('run_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      if (first) ids.push(first.id);
    }
    return ids;
  },
);

async function endpointsInTurn(db: Db, { now, limit }: Asked): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select due.subject
    from (
      select subject from jobs
      where ${waitsIn('webhooks')} and run_at <= ${milliseconds(now)}
      group by subject
    ) as due
    left join webhook_endpoints as w on w.id = due.subject
    where due.subject not in (
      select subject from jobs where state = 'running' and kind = 'webhook'
    )
    order by coalesce(w.turn, 0), due.subject
    limit ${limit}`.execute(db);
  return rows.map(({ subject }) => subject);
}
