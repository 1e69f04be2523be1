/**
 * Erases the remaining names and addresses of a deleted organization or person. Jobs do this in
 * small slices, because there may be many rows and other writes wait during each slice. The rows
 * themselves are kept, because other rows refer to them.
 */
import type { AuditId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import { type Db, type Procedure, writeProcedure } from '../../store/procedure.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import { eraseRefusals } from '../../usage/refusals/forget.ts';
import { deleteChatsIn } from '../chats/forget.ts';
import { deleteBillingDetails } from '../documents/parties.ts';
import { LETTERS } from '../mail/letter.ts';
import { dropPasskeys } from '../passkeys/stored.ts';
import type { ControlParts } from '../parts.ts';
import { forgetDeliveries } from '../webhooks/queue.ts';

const ROWS = 500;

type Slice = Readonly<{ of: OrganizationId | PersonId; after: AuditId | null }>;
/** `after`: the last audit entry that has been erased. */
type Progress = Readonly<{ more: boolean; after: AuditId | null }>;

/**
 * Erases the names of keys and tokens, invited addresses, emails, refusals, webhooks, chats, and the
 * audit log's client addresses and details.
 */
export const eraseOrganizationSlice = writeProcedure<Slice & { of: OrganizationId }, Progress>(
  'eraseOrganizationSlice',
  async (db, { of, after }) => {
    const keys = await emptyNames(db, 'keys', of);
    const tokens = await emptyNames(db, 'management_tokens', of);
    const invitations = await emptyEmails(db, of);
    const letters = await dropLetters(db, of);
    const refusals = await eraseRefusals(db, of, ROWS);
    await dropBillingDetails(db, of);
    // A router of an earlier version does not delete them with the organization.
    await db.deleteFrom('budgets').where('organization', '=', of).execute();
    await db.deleteFrom('webhook_endpoints').where('organization', '=', of).execute();
    await db.deleteFrom('exhausted_credit').where('organization', '=', of).execute();
    await db.deleteFrom('operator_changes').where('organization', '=', of).execute();
    const deliveries = await dropDeliveries(db, of);
    const chats = await deleteChatsIn(db, of);
    const audit = await eraseAudit(db, 'organization', { of, after });
    const most = Math.max(keys, tokens, invitations, letters, refusals, deliveries);
    const more = most >= ROWS || chats.more || audit.more;
    return { more, after: audit.after };
  },
);

/** Erases the client addresses in a person's audit entries, and the emails to the person. */
export const erasePersonSlice = writeProcedure<Slice & { of: PersonId }, Progress>(
  'erasePersonSlice',
  async (db, { of, after }) => {
    const letters = await dropLetters(db, of);
    // A router of an earlier version does not delete them with the person.
    await dropPasskeys(db, of);
    const audit = await eraseAudit(db, 'actor', { of, after });
    return { more: letters === ROWS || audit.more, after: audit.after };
  },
);

async function emptyNames(
  db: Db,
  table: 'keys' | 'management_tokens',
  organization: OrganizationId,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ name: '' })
    .where('id', 'in', (query) =>
      query
        .selectFrom(table)
        .select('id')
        .where('organization', '=', organization)
        .where('name', '!=', '')
        .limit(ROWS),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function emptyEmails(db: Db, organization: OrganizationId): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ email: '' })
    .where('id', 'in', (query) =>
      query
        .selectFrom('invitations')
        .select('id')
        .where('organization', '=', organization)
        .where('email', '!=', '')
        .limit(ROWS),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes emails that were sent, are queued, or are being sent: their payloads have addresses. */
async function dropLetters(db: Db, subject: OrganizationId | PersonId): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('id', 'in', (query) =>
      query
        .selectFrom('jobs')
        .select('id')
        .where('subject', '=', subject)
        .where('kind', 'in', LETTERS)
        .limit(ROWS),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes billing details that a router of an earlier version has not deleted with the organization.
 * Those of an organization whose last invoice is not issued yet are deleted with its issue.
 */
async function dropBillingDetails(db: Db, organization: OrganizationId): Promise<void> {
  const due = await db
    .selectFrom('invoicing')
    .select('organization')
    .where('organization', '=', organization)
    .where('billed_to', 'is not', null)
    .executeTakeFirst();
  if (!due) await deleteBillingDetails(db, organization);
}

async function dropDeliveries(db: Db, organization: OrganizationId): Promise<number> {
  const deliveries = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'attempts'])
    .where('organization', '=', organization)
    .limit(ROWS)
    .execute();
  await forgetDeliveries(db, deliveries);
  return deliveries.length;
}

/** Erases the client addresses of audit entries and, for an organization, their details too. */
async function eraseAudit(
  db: Db,
  whose: 'organization' | 'actor',
  { of, after }: Slice,
): Promise<Progress> {
  const lines = await db
    .selectFrom('audit')
    .select('id')
    .where(whose, '=', of)
    .where('id', '>', after ?? ('' as AuditId))
    .orderBy('id')
    .limit(ROWS)
    .execute();
  const last = lines.at(-1)?.id ?? after;
  if (lines.length > 0) {
    await db
      .updateTable('audit')
      .set({
        address: '',
        ...(whose === 'organization' ? { details: '{}', before: null, reason: null } : {}),
      })
      .where(
        'id',
        'in',
        lines.map(({ id }) => id),
      )
      .execute();
  }
  return { more: lines.length === ROWS, after: last };
}

/** Runs slices until nothing is left. A retry starts from the beginning, which is safe. */
export function erasureHandler<Of extends OrganizationId | PersonId>(
  { store }: Pick<ControlParts, 'store'>,
  slice: Procedure<Slice & { of: Of }, Progress>,
): JobHandler {
  return async (job) => {
    const of = job.subject as Of;
    let progress: Progress = { more: true, after: null };
    while (progress.more) {
      progress = await store.call(slice, { of, after: progress.after });
    }
  };
}
