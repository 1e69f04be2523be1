/** Which jobs an operator looks for. */
import { type Expression, sql, type SqlBool } from 'kysely';
import { containing } from '../../store/containing.ts';

/** Null: no filter. */
export type JobsFilter = Readonly<{
  kind: string | null;
  /** An id, or a part of the name or the address of whom the job is for, ignoring case. */
  search: string | null;
}>;

/** A condition on rows of `jobs`. */
export function matches({ kind, search }: JobsFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [sql<SqlBool>`1 = 1`];
  if (kind !== null) conditions.push(sql<SqlBool>`jobs.kind = ${kind}`);
  if (search !== null) {
    const id = search.toLowerCase();
    conditions.push(sql<SqlBool>`(jobs.id = ${id} or jobs.subject in (${subjects(id, search)}))`);
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

/** The invitations and webhook endpoints of an organization are found by what finds it, too. */
function subjects(id: string, search: string): Expression<string> {
  const has = (column: string) => containing(sql.ref(column), search);
  const organizations = sql`select id from organizations where id = ${id} or ${has('name')}`;
  return sql<string>`
    select id from people where id = ${id} or ${has('name')} or ${has('email')}
    union all ${organizations}
    union all select id from invitations
      where id = ${id} or ${has('email')} or organization in (${organizations})
    union all select id from webhook_endpoints
      where id = ${id} or organization in (${organizations})`;
}
