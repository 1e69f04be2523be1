/**
 * Deletes an organization. At once, its keys and tokens stop working, its members and invitations
 * end, and its name is erased. A background job then erases the names and addresses in the rows
 * that are kept. The ledger, with any remaining balance, is kept forever.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { endInvoicing, keepNameForLastInvoice } from '../../identity/invoicing.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { enqueue } from '../../jobs/queue.ts';
import { bumpEpoch } from '../../ledger/epoch.ts';
import { lockAccount } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';
import { audited } from '../audit/record.ts';
import { deleteBillingDetails } from '../documents/parties.ts';
import { endInvitations } from '../invitations/end.ts';
import { endPayments } from './end-payments.ts';
import { findOwing, type Owing } from './owing.ts';

export const ERASE_ORGANIZATION = 'erase-organization';

type Deletion = Readonly<{
  organization: OrganizationId;
  /** ms since the epoch. */
  now: number;
}>;

/**
 * `owing`: the organization owes something, and nothing was changed. `unknown`: there is no such
 * organization, or it is already deleted.
 */
export type EndAnswer = 'done' | 'unknown' | Readonly<{ owing: Owing }>;

/**
 * For procedures that invalidate the organization. Running requests end as those of a suspended
 * organization do, and their cost is paid from credit. Spend from the time when the organization
 * was invoiced goes on a last invoice.
 */
export async function endOrganization(db: Db, { organization, now }: Deletion): Promise<EndAnswer> {
  const at = milliseconds(now);
  const owner = await lockLiveOrganization(db, organization);
  if (!owner) return 'unknown';
  const account = await lockAccount(db, organization);
  if (!account) throw new Error(`there is no account ${organization}`);
  const owing = await findOwing(db, account);
  if (owing !== null) return { owing };
  await endInvoicing(db, { organization: owner, account });
  await db.updateTable('accounts').set({ floor: 0n }).where('id', '=', organization).execute();
  await bumpEpoch(db, organization);
  await db
    .updateTable('organizations')
    .set({
      name: '',
      status: 'suspended',
      billing: 'prepaid',
      credit_limit: 0n,
      deleted: at,
      low_balance_threshold: null,
    })
    .where('id', '=', organization)
    .execute();
  await db
    .updateTable('keys')
    .set({ state: 'deleted' })
    .where('organization', '=', organization)
    .where('state', '!=', 'deleted')
    .execute();
  await db
    .updateTable('management_tokens')
    .set({ revoked: at })
    .where('organization', '=', organization)
    .where('revoked', 'is', null)
    .execute();
  await endPayments(db, organization);
  // Receipts and invoices keep the details that they were issued with. A last invoice that is due
  // needs them first; `issueInvoice` then deletes them.
  const isBilledLater = await keepNameForLastInvoice(db, owner);
  if (!isBilledLater) await deleteBillingDetails(db, organization);
  // Nothing is sent any more. The job deletes what was sent.
  await db.deleteFrom('webhook_endpoints').where('organization', '=', organization).execute();
  await db.deleteFrom('budgets').where('organization', '=', organization).execute();
  await endPeople(db, organization, at);
  await enqueue(db, {
    kind: ERASE_ORGANIZATION,
    subject: organization,
    idempotencyKey: `${ERASE_ORGANIZATION}/${organization}`,
    payload: { organization },
    created: now,
  });
  return 'done';
}

async function endPeople(db: Db, organization: OrganizationId, at: bigint): Promise<void> {
  await db
    .updateTable('members')
    .set({ left_at: at })
    .where('organization', '=', organization)
    .where('left_at', 'is', null)
    .execute();
  await endInvitations(db, organization);
}

/** `differs`: the name that was typed is not the organization's name. */
export const deleteOrganization = writeProcedure<
  Deletion & Readonly<{ name: string }>,
  EndAnswer | 'differs'
>(
  'deleteOrganization',
  { invalidates: ({ organization }) => organization },
  async (db, { name, ...deletion }) => {
    const owner = await lockLiveOrganization(db, deletion.organization);
    if (!owner) return 'unknown';
    if (owner.name !== name) return 'differs';
    return await endOrganization(db, deletion);
  },
);

/** Every other answer says why the organization was not deleted, also the one that is an object. */
export const deleteOrganizationAudited = audited(deleteOrganization, (answer) => answer === 'done');
