/**
 * What is left of names and addresses of whoever was deleted, erased a little at a time by jobs: there may be much of
 * it, and writes of others wait meanwhile. The rows stay, for what refers to them.
 */
import type { AuditId, OrganizationId, PersonId } from '../../../shared/ids.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import type { JobHandler } from '../jobs/runner.ts';
import { LETTER } from '../mail/letter.ts';

const ROWS = 500;

type Slice = Readonly<{ of: OrganizationId | PersonId; after: AuditId | null }>;
/** `after`: how far the audit log is done. */
type Progress = Readonly<{ more: boolean; after: AuditId | null }>;

/** Names of keys and tokens, addresses that were invited, and what the audit log says beside who and when. */
export const eraseOrganizationSlice: Procedure<Slice & { of: OrganizationId }, Progress> = {
  name: 'eraseOrganizationSlice',
  access: 'write',
  async run(db, { of, after }) {
    const keys = await emptyNames(db, 'keys', of);
    const tokens = await emptyNames(db, 'management_tokens', of);
    const invitations = await emptyEmails(db, of);
    const letters = await dropLetters(db, of);
    const audit = await eraseAudit(db, 'organization', { of, after });
    const more = Math.max(keys, tokens, invitations, letters) === ROWS || audit.more;
    return { more, after: audit.after };
  },
};

/** From where somebody did what they did, and letters to them. */
export const erasePersonSlice: Procedure<Slice & { of: PersonId }, Progress> = {
  name: 'erasePersonSlice',
  access: 'write',
  async run(db, { of, after }) {
    const letters = await dropLetters(db, of);
    const audit = await eraseAudit(db, 'actor', { of, after });
    return { more: letters === ROWS || audit.more, after: audit.after };
  },
};

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

/** Those that were sent, or never will be: one that is being sent finds nobody any more, and goes next time. */
async function dropLetters(db: Db, subject: OrganizationId | PersonId): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where('id', 'in', (query) =>
      query
        .selectFrom('jobs')
        .select('id')
        .where('subject', '=', subject)
        .where('kind', '=', LETTER)
        .where('state', '!=', 'running')
        .limit(ROWS),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Of a person who is gone, from where they acted; of an organization that is gone, what was noted, too. */
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
      .set({ address: '', ...(whose === 'organization' ? { details: '{}' } : {}) })
      .where(
        'id',
        'in',
        lines.map(({ id }) => id),
      )
      .execute();
  }
  return { more: lines.length === ROWS, after: last };
}

/** Begun again after a failure, it goes through all of it once more, which changes nothing. */
export function erasureHandler<Of extends OrganizationId | PersonId>(
  { store }: Readonly<{ store: Pick<Store, 'call'> }>,
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
