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

/** With an organization its invitations and webhook endpoints are found, and with a person theirs. */
function subjects(id: string, search: string): Expression<string> {
  const has = (column: string) => containing(sql.ref(column), search);
  const organizations = sql`select id from organizations where id = ${id} or ${has('name')}`;
  const people = sql`from people where id = ${id} or ${has('name')} or ${has('email')}`;
  return sql<string>`
    select id ${people}
    union all ${organizations}
    union all select id from invitations
      where id = ${id} or ${has('email')} or organization in (${organizations})
        or email in (select email ${people})
    union all select id from webhook_endpoints
      where id = ${id} or organization in (${organizations})`;
}
