/** Lists the audit log, newest first, with the current names of what it refers to. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { type AuditId, idsFrom, type OrganizationId, type PersonId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { AuditRow } from '../../store/schema/people.ts';
import type { Schema } from '../../store/schema.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { aboutAnywhere, aboutOnPlatform } from './about.ts';
import { type Name, namesOf } from './names.ts';

/** `who`: the actor's name. Null: unknown, or erased. */
export type ListedEntry = AuditRow &
  Readonly<{
    who: Name | null;
    targetName: string | null;
    targetExists: boolean;
    organizationName: string | null;
  }>;

export type AuditFilter = ListQuery<AuditId> &
  Readonly<{
    /** Null lists the entries of all organizations and of the platform. */
    organizations: readonly OrganizationId[] | null;
    /** Only entries about the account of this person, which belong to no organization. */
    account: PersonId | null;
    /** Only entries about the object with this id. */
    target: string | null;
    /** Ids. Null: entries of all actors. */
    actors: readonly string[] | null;
    /** False: `actors` find no entries of operators, because customers do not see which one acted. */
    showsOperators: boolean;
    /** Actions such as `key.create`, and prefixes such as `key` for all actions on keys. */
    actions: readonly string[] | null;
    /** Actions and prefixes whose entries are left out. */
    except: readonly string[] | null;
    /** ms since the epoch; `until` is exclusive. */
    from: number | null;
    until: number | null;
  }>;

export const listAudit = readProcedure<AuditFilter, Page<ListedEntry, AuditId>>(
  'listAudit',
  async (
    db,
    {
      organizations,
      account,
      target,
      actors,
      showsOperators,
      actions,
      except,
      from,
      until,
      ...asked
    },
  ) => {
    let query = db.selectFrom('audit').selectAll();
    if (organizations !== null) query = query.where('organization', 'in', organizations);
    if (account !== null) query = query.where(aboutOnPlatform(account));
    if (target !== null) {
      query =
        organizations === null
          ? query.where(await aboutAnywhere(db, target))
          : query.where('target', '=', target);
    }
    if (actors !== null) query = query.where('actor', 'in', actors);
    if (actors !== null && !showsOperators) query = query.where('actor_kind', '!=', 'operator');
    if (actions !== null) query = query.where(isOneOf(actions));
    if (except !== null) query = query.where((audit) => audit.not(isOneOf(except)));
    // Ids begin with their timestamp and are indexed.
    if (from !== null) query = query.where('id', '>=', idsFrom('audit', from) as AuditId);
    if (until !== null) query = query.where('id', '<', idsFrom('audit', until) as AuditId);
    const { rows, next } = await readPage(query, 'id', asked);
    const names = await namesOf(
      db,
      rows.flatMap((row) => [row.actor ?? '', row.target ?? '', row.organization ?? '']),
    );
    const nameOf = (id: string | null) => names.get(id ?? '')?.name ?? null;
    return {
      rows: rows.map((row) => ({
        ...row,
        who: names.get(row.actor ?? '') ?? null,
        targetName: nameOf(row.target),
        targetExists: names.get(row.target ?? '')?.gone === false,
        organizationName: nameOf(row.organization),
      })),
      next,
    };
  },
);

/** Whether an entry has one of these actions, of which a prefix stands for all that begin with it. */
function isOneOf(actions: readonly string[]): Expression<SqlBool> {
  const audit = expressionBuilder<Schema, 'audit'>();
  return audit.or(
    actions.map((action) =>
      action.includes('.') ? audit('action', '=', action) : audit('action', 'like', `${action}.%`),
    ),
  );
}
