/**
 * Who made changes that no member made. The store keeps only members: the audit log, in which each
 * change has its entry, also has management tokens and operators.
 */
import { sql } from 'kysely';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import { idsFrom, type OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import { namesOf } from './names.ts';

/** Changes are made with their audit entry: it is looked for among those of that time. */
export const AUDITED_MS_MAX = 60_000;

/** `name`: of a management token. Customers do not see which operator acted. */
export type OtherActor =
  | Readonly<{ kind: 'management-token'; id: string; name: string | null }>
  | Readonly<{ kind: 'operator'; id: null; name: null }>;

/** `at`: when it was made, in ms since the epoch. */
export type MadeChange = Readonly<{ action: AuditAction; target: string; at: number }>;

/** For procedures: the actor of each change, by the change. It reads all changes at once. */
export async function readOtherActors(
  db: Db,
  organization: OrganizationId,
  changes: readonly MadeChange[],
): Promise<ReadonlyMap<MadeChange, OtherActor>> {
  if (changes.length === 0) return new Map();
  const asked = changes.map(
    ({ action, target, at }) =>
      sql`(${action}, ${target}, ${idsFrom('audit', at)}, ${idsFrom('audit', at + AUDITED_MS_MAX)})`,
  );
  // `cross join`: SQLite would otherwise look at all of them for each entry of the organization.
  const { rows } = await sql<Pick<AuditRow, 'action' | 'target' | 'actor_kind' | 'actor'>>`
    with made (action, target, since, until) as (values ${sql.join(asked)})
    select audit.action, audit.target, audit.actor_kind, audit.actor
    from made cross join audit where audit.organization = ${organization}
      and audit.id >= made.since and audit.id < made.until
      and audit.action = made.action and audit.target = made.target
    order by audit.id desc`.execute(db);
  const names = await namesOf(
    db,
    rows.flatMap(({ actor_kind: kind, actor }) => (kind === 'management-token' && actor) || []),
  );
  // The first entry, which comes last, is the one of the change.
  const entries = new Map(rows.map((row) => [`${row.action} ${row.target}`, row]));
  return new Map(
    changes.flatMap((change) => {
      const entry = entries.get(`${change.action} ${change.target}`);
      const actor = entry && otherActor(entry, names);
      return actor ? [[change, actor] as const] : [];
    }),
  );
}

function otherActor(
  { actor_kind: kind, actor: id }: Pick<AuditRow, 'actor_kind' | 'actor'>,
  names: Awaited<ReturnType<typeof namesOf>>,
): OtherActor | null {
  if (kind === 'operator') return { kind, id: null, name: null };
  if (kind !== 'management-token' || id === null) return null;
  return { kind, id, name: names.get(id)?.name ?? null };
}
