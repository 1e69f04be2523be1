/** Lists people for operators, with their organizations, filtered and sorted. */
import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { PeopleOrder, PeopleSort, PersonStatus } from '../../../shared/api/people.ts';
import type { Role } from '../../../shared/api/roles.ts';
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { containing } from '../../store/containing.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { Schema } from '../../store/schema.ts';
import { cutPage, type Page } from '../pages.ts';
import { LISTED, type ListedPerson, people } from './procedures.ts';

/** The most organizations of a person that the list names. */
export const ORGANIZATIONS_NAMED_MAX = 5;

export type PersonsOrganization = Readonly<{ id: OrganizationId; name: string; role: Role }>;

export type PersonEntry = Readonly<{
  person: ListedPerson;
  /** By name, at most `ORGANIZATIONS_NAMED_MAX`. */
  organizations: readonly PersonsOrganization[];
  /** How many there are. */
  organizationCount: number;
}>;

/** The place of the last row of a page. `lastSignIn` is null where the list is sorted by creation. */
export type PersonPlace = Readonly<{ lastSignIn: bigint | null; id: PersonId }>;

/** Null: no filter. */
export type PeopleFilter = Readonly<{
  /** An id, or a part of the name or the address, ignoring case. */
  search: string | null;
  status: PersonStatus | null;
  operator: boolean | null;
  secondFactor: boolean | null;
}>;

export type PeopleQuery = PeopleFilter &
  Readonly<{ sort: PeopleSort; order: PeopleOrder; after: PersonPlace | null; limit: number }>;

export const listPeople = readProcedure<PeopleQuery, Page<PersonEntry, PersonPlace>>(
  'listPeople',
  { heavy: true },
  async (db, { sort, order, after, limit, ...filter }) => {
    const isBySignIn = sort === 'last_sign_in';
    const compare = order === 'asc' ? '>' : '<';
    let query = people(db)
      .select(LISTED)
      .where((row) => row.and(conditionsOf(row, filter)));
    if (isBySignIn) query = query.orderBy('last_sign_in', order);
    if (after !== null) {
      query = isBySignIn
        ? query.where((row) =>
            row(
              row.refTuple('last_sign_in', 'id'),
              compare,
              row.tuple(after.lastSignIn ?? 0n, after.id),
            ),
          )
        : query.where('id', compare, after.id);
    }
    const found = await query
      .orderBy('id', order)
      .limit(limit + 1)
      .execute();
    const { rows, next } = cutPage(found, limit, ({ id, last_sign_in: at }) => ({
      lastSignIn: isBySignIn ? at : null,
      id,
    }));
    const memberships = await readMemberships(
      db,
      rows.map(({ id }) => id),
    );
    return {
      rows: rows.map((person) => {
        const { organizations = [], count = 0 } = memberships.get(person.id) ?? {};
        return { person, organizations, organizationCount: count };
      }),
      next,
    };
  },
);

/** The conditions are as the partial indexes have them, so that these are used. */
function conditionsOf(
  row: ExpressionBuilder<Schema, 'people'>,
  { search, status, operator, secondFactor }: PeopleFilter,
) {
  const conditions: Expression<SqlBool>[] = [];
  if (status === 'locked') conditions.push(row('locked_at', 'is not', null));
  else if (status !== null) {
    const confirmed = status === 'active' ? 'is not' : 'is';
    conditions.push(row('locked_at', 'is', null), row('email_confirmed', confirmed, null));
  }
  if (operator !== null) conditions.push(sql<SqlBool>`operator = ${sql.lit(operator ? 1 : 0)}`);
  if (secondFactor !== null) {
    conditions.push(row('totp_step', secondFactor ? 'is not' : 'is', null));
  }
  if (search !== null) {
    conditions.push(
      row.or([
        containing(row.ref('name'), search),
        containing(row.ref('email'), search),
        row('id', '=', search.toLowerCase() as PersonId),
      ]),
    );
  }
  return conditions;
}

type Memberships = { organizations: PersonsOrganization[]; count: number };

async function readMemberships(
  db: Db,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, Memberships>> {
  const of = new Map<PersonId, Memberships>();
  if (ids.length === 0) return of;
  type Row = PersonsOrganization & Readonly<{ person: PersonId; count: bigint }>;
  const { rows } = await sql<Row>`
    select person, id, name, role, count from (
      select m.person, o.id, o.name, m.role,
        count(*) over (partition by m.person) as count,
        row_number() over (partition by m.person order by o.name, o.id) as place
      from members m join organizations o on o.id = m.organization
      where m.person in (${sql.join(ids)}) and m.left_at is null and o.deleted is null
    ) named where place <= ${sql.lit(ORGANIZATIONS_NAMED_MAX)}
    order by person, place`.execute(db);
  for (const { person, count, ...organization } of rows) {
    const known = of.get(person);
    if (known) known.organizations.push(organization);
    else of.set(person, { organizations: [organization], count: Number(count) });
  }
  return of;
}
