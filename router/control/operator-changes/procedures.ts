/** Operators allow changes in a customer's organization, and end them. */
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { OperatorChangesRow } from '../../store/schema/people.ts';
import { type AuditEntry, record } from '../audit/record.ts';
import { isStillAdministrator } from '../people/procedures.ts';
import { allowedChanges, type ChangesOf } from './allowed.ts';
import { type Expiry, recordExpired } from './expire.ts';

/** In how many organizations an operator allows changes at once. */
const AT_ONCE_MAX = 20;

export const findAllowedChanges = readProcedure<ChangesOf, OperatorChangesRow | null>(
  'findAllowedChanges',
  allowedChanges,
);

/**
 * `expiry` identifies the entry of former changes whose time is over and that nobody has recorded
 * yet. `unknown`: there is no such organization. `allowed`: changes are allowed already. `many`:
 * they are allowed in too many organizations. `locked_out`: the person is no administrator any more.
 */
export const allowChanges = writeProcedure<
  Readonly<{ row: OperatorChangesRow; expiry: Expiry; entry: AuditEntry }>,
  'done' | 'unknown' | 'allowed' | 'many' | 'locked_out'
>('allowChanges', async (db, { row, expiry, entry }) => {
  const { organization, person } = row;
  // This locks the person, so that two requests of an operator do not both find that nothing is allowed.
  if (!(await isStillAdministrator(db, person))) return 'locked_out';
  const live = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organization)
    .where('deleted', 'is', null)
    .executeTakeFirst();
  if (!live) return 'unknown';
  const mine = await db
    .selectFrom('operator_changes')
    .selectAll()
    .where('person', '=', person)
    .limit(AT_ONCE_MAX + 1)
    .execute();
  const former = mine.find((one) => one.organization === organization);
  if (former && former.ends > row.begun) return 'allowed';
  if (!former && mine.length >= AT_ONCE_MAX) return 'many';
  if (former) await recordExpired(db, former, expiry);
  await db.insertInto('operator_changes').values(row).execute();
  await record(db, entry);
  return 'done';
});

/** The entry has the reason for which changes were allowed. `none`: they are not allowed. */
export const endChanges = writeProcedure<
  ChangesOf & Readonly<{ entry: AuditEntry }>,
  'done' | 'none'
>('endChanges', async (db, { organization, person, now, entry }) => {
  const ended = await db
    .deleteFrom('operator_changes')
    .where('person', '=', person)
    .where('organization', '=', organization)
    .where('ends', '>', milliseconds(now))
    .returning('reason')
    .executeTakeFirst();
  if (!ended) return 'none';
  await record(db, { ...entry, details: { reason: ended.reason } });
  return 'done';
});
