/** Lists people for operators, with their organizations and when they were last here. */
import { sql } from 'kysely';
import type { Role } from '../../../shared/api/roles.ts';
import type { OrganizationId, PersonId } from '../../../shared/ids.ts';
import { containing } from '../../store/containing.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { LISTED, type ListedPerson, people } from './procedures.ts';

/** The most organizations of a person that the list names. */
export const ORGANIZATIONS_NAMED_MAX = 5;
/** How many of a person's newest entries in the audit log are searched for a sign-in. */
const ENTRIES_MAX = 200;
/** The entries of the audit log that begin a session. */
const SIGN_INS = ['session.begin', 'person.sign-up'] as const;

export type PersonsOrganization = Readonly<{ id: OrganizationId; name: string; role: Role }>;

export type PersonEntry = Readonly<{
  person: ListedPerson;
  /** By name, at most `ORGANIZATIONS_NAMED_MAX`. */
  organizations: readonly PersonsOrganization[];
  /** How many there are. */
  organizationCount: number;
  /** In ms since the epoch; null: it is not known. */
  lastSignIn: number | null;
}>;

/** Lists people with this id, or whose name or address contains `search`, ignoring case. */
export const listPeople = readProcedure<
  ListQuery<PersonId> & Readonly<{ search: string }>,
  Page<PersonEntry, PersonId>
>('listPeople', { heavy: true }, async (db, { search, ...asked }) => {
  let query = people(db).select(LISTED);
  if (search !== '') {
    query = query.where((row) =>
      row.or([
        containing(row.ref('name'), search),
        containing(row.ref('email'), search),
        row('id', '=', search.toLowerCase() as PersonId),
      ]),
    );
  }
  const { rows, next } = await readPage(query, 'id', asked);
  const ids = rows.map(({ id }) => id);
  const memberships = await readMemberships(db, ids);
  const signIns = await readSignIns(db, ids);
  return {
    rows: rows.map((person) => {
      const { organizations = [], count = 0 } = memberships.get(person.id) ?? {};
      const lastSignIn = signIns.get(person.id) ?? null;
      return { person, organizations, organizationCount: count, lastSignIn };
    }),
    next,
  };
});

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

/**
 * For procedures: when each of these people last signed in, from the audit log, and from sessions
 * for those who have done much since.
 */
export async function readSignIns(
  db: Db,
  ids: readonly PersonId[],
): Promise<ReadonlyMap<PersonId, number>> {
  if (ids.length === 0) return new Map();
  const actions = sql.join(SIGN_INS.map((action) => sql.lit(action)));
  type Row = Readonly<{ id: PersonId; entered: bigint | null; begun: bigint | null }>;
  const { rows } = await sql<Row>`
    select p.id,
      (select max(recent.created) from (
        select a.created, a.action from audit a where a.actor = p.id
        order by a.id desc limit ${sql.lit(ENTRIES_MAX)}
      ) recent where recent.action in (${actions})) as entered,
      (select max(s.created) from sessions s where s.person = p.id) as begun
    from people p where p.id in (${sql.join(ids)})`.execute(db);
  const latest = rows.flatMap(({ id, entered, begun }): [PersonId, number][] => {
    const at = Math.max(Number(entered ?? 0), Number(begun ?? 0));
    return at === 0 ? [] : [[id, at]];
  });
  return new Map(latest);
}
