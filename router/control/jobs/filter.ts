/** Which jobs an operator looks for. */
import { type Expression, sql, type SqlBool } from 'kysely';
import { containing } from '../../store/containing.ts';

const ID = /^[a-z]{3}_[0-9a-z]{26}$/;

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

/** An organization is found with its invitations and webhook endpoints, and a person with theirs. */
function subjects(id: string, search: string): Expression<string> {
  // No name or address looks like an id, for which indexes are enough.
  const searched = ID.test(id) ? [] : [search];
  const found = (...columns: readonly string[]) =>
    sql.join(
      [
        sql`id = ${id}`,
        ...searched.flatMap((text) => columns.map((column) => containing(sql.ref(column), text))),
      ],
      sql` or `,
    );
  const organizations = sql`select id from organizations where ${found('name')}`;
  const people = sql`from people where ${found('name', 'email')}`;
  return sql<string>`
    select id ${people}
    union all ${organizations}
    union all select id from invitations
      where ${found('email')} or organization in (${organizations})
        or email in (select email ${people})
    union all select id from webhook_endpoints
      where ${found()} or organization in (${organizations})`;
}
