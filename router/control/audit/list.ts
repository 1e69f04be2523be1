/** Lists the audit log, newest first, with the actors' current names. */
import type { AuditId, ManagementTokenId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { idsFrom } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';

export type ListedEntry = AuditRow & Readonly<{ name: string | null; email: string | null }>;

export type AuditFilter = ListQuery<AuditId> &
  Readonly<{
    /** Null lists the entries of all organizations and of the platform. */
    organization: OrganizationId | null;
    actor: string | null;
    /** An action such as `key.create`, or a prefix such as `key` for all actions on keys. */
    action: string | null;
    /** ms since the epoch; `until` is exclusive. */
    from: number | null;
    until: number | null;
  }>;

export const listAudit = readProcedure<AuditFilter, Page<ListedEntry, AuditId>>(
  'listAudit',
  async (db, { organization, actor, action, from, until, ...asked }) => {
    let query = db.selectFrom('audit').selectAll();
    if (organization !== null) query = query.where('organization', '=', organization);
    if (actor !== null) query = query.where('actor', '=', actor);
    if (action !== null) {
      query = action.includes('.')
        ? query.where('action', '=', action)
        : query.where('action', 'like', `${action}.%`);
    }
    // Ids begin with their timestamp and are indexed.
    if (from !== null) query = query.where('id', '>=', idsFrom('audit', from) as AuditId);
    if (until !== null) query = query.where('id', '<', idsFrom('audit', until) as AuditId);
    const { rows, next } = await readPage(query, 'id', asked);
    return { rows: await named(db, rows), next };
  },
);

async function named(db: Db, rows: readonly AuditRow[]): Promise<ListedEntry[]> {
  const people = await peopleOf(db, actorsOf(rows, /^per_/) as PersonId[]);
  const tokens = await tokensOf(db, actorsOf(rows, /^mtk_/) as ManagementTokenId[]);
  return rows.map((row) => {
    const { name = null, email = null } = people.get(row.actor ?? '') ?? {};
    return { ...row, name: name ?? tokens.get(row.actor ?? '') ?? null, email };
  });
}

function actorsOf(rows: readonly AuditRow[], kind: RegExp): string[] {
  return [...new Set(rows.map(({ actor }) => actor ?? '').filter((id) => kind.test(id)))];
}

async function peopleOf(db: Db, ids: readonly PersonId[]) {
  if (ids.length === 0) return new Map<string, { name: string; email: string }>();
  const rows = await db
    .selectFrom('people')
    .select(['id', 'name', 'email'])
    .where('id', 'in', ids)
    .where('erased', 'is', null)
    .execute();
  return new Map(rows.map(({ id, name, email }) => [id as string, { name, email }]));
}

async function tokensOf(db: Db, ids: readonly ManagementTokenId[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('management_tokens')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id as string, name]));
}
