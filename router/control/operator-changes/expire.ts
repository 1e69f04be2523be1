/**
 * Changes that an operator has allowed end by the clock. Soon after, the audit log says so, and the
 * row is deleted.
 */
import { type AuditId, mintId, type OrganizationId, type PersonId } from '../../../shared/ids.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { OperatorChangesRow } from '../../store/schema/people.ts';
import { record } from '../audit/record.ts';
import type { ControlParts } from '../parts.ts';

const EVERY_MS = 60 * 1000;
/** Rows that are read at once. Each is ended in a transaction of its own. */
const ROWS_MAX = 100;

/** The id of the audit entry of an end by the clock, and when it is written, in ms. */
export type Expiry = Readonly<{ id: AuditId; now: number }>;

type Key = Readonly<{ organization: OrganizationId; person: PersonId }>;

export const findExpiredChanges = readProcedure<Readonly<{ now: number }>, readonly Key[]>(
  'findExpiredChanges',
  async (db, { now }) =>
    db
      .selectFrom('operator_changes')
      .select(['organization', 'person'])
      .where('ends', '<=', milliseconds(now))
      .orderBy('ends')
      .limit(ROWS_MAX)
      .execute(),
);

/** Ends changes whose time is over, unless another router has done so. */
export const expireChanges = writeProcedure<Key & Readonly<{ expiry: Expiry }>, null>(
  'expireChanges',
  async (db, { organization, person, expiry }) => {
    const row = await db
      .selectFrom('operator_changes')
      .selectAll()
      .where('person', '=', person)
      .where('organization', '=', organization)
      .where('ends', '<=', milliseconds(expiry.now))
      .executeTakeFirst();
    if (row) await recordExpired(db, row, expiry);
    return null;
  },
);

/** For procedures: deletes the row, and records the end if the row was still there. */
export async function recordExpired(
  db: Db,
  { organization, person, reason, ends }: OperatorChangesRow,
  { id, now }: Expiry,
): Promise<void> {
  const deleted = await db
    .deleteFrom('operator_changes')
    .where('person', '=', person)
    .where('organization', '=', organization)
    .where('ends', '=', ends)
    .returning('person')
    .executeTakeFirst();
  if (!deleted) return;
  await record(db, {
    id,
    organization,
    actor: { kind: 'operator', id: person },
    action: 'operator.end-changes',
    target: organization,
    details: { reason, expired: true },
    address: '',
    request: '',
    created: now,
  });
}

export function operatorChangesTask({
  store,
  clock,
  random,
}: Pick<ControlParts, 'store' | 'clock' | 'random'>): ScheduledTask {
  return {
    name: 'expire changes of operators',
    everyMs: EVERY_MS,
    run: async () => {
      const now = clock.now();
      for (const key of await store.call(findExpiredChanges, { now })) {
        const expiry = { id: mintId('audit', clock, random), now };
        await store.call(expireChanges, { ...key, expiry });
      }
    },
  };
}
