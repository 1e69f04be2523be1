/** The emails that jobs send, in words. */
import type { Job } from '../../../../../shared/api/jobs.ts';
import type { UnsentReason } from '../../../../../shared/jobs.ts';

const MEMBERS = 'the members who may manage the billing';

/** What each email is for, by its kind. */
const NOTES: Readonly<Record<string, string>> = {
  'reset-password': 'Sends a person a link to set a new password.',
  'confirm-email': 'Sends a link that confirms an email address to this address.',
  'email-changed': "Tells a person at the former address that the account's address was changed.",
  'password-changed': 'Tells a person that the password of the account was changed.',
  'passkeys-changed': 'Tells a person that a passkey was added or removed.',
  'second-factor-changed': 'Tells a person that the second factor was switched on or off.',
  invitation: 'Sends an invitation to an organization to the invited address.',
  'low-balance': `Tells ${MEMBERS} that the balance is low.`,
  exhausted: `Tells ${MEMBERS} that requests are refused because the credit does not cover them.`,
  budget: `Tells ${MEMBERS} which share of the budget is spent.`,
  receipt: `Tells ${MEMBERS} that a payment was received.`,
  'recharge-failed': `Tells ${MEMBERS} that auto-recharge failed.`,
  'recharge-paused': `Tells ${MEMBERS} that auto-recharge is paused.`,
  invoice: `Sends an invoice to ${MEMBERS}.`,
  'webhook-disabled': `Tells ${MEMBERS} that a webhook endpoint was disabled.`,
};

type Email = Pick<Job, 'email' | 'subject'>;

/** Whether the job only queues a job for each person that the email is sent to. */
function isToSeveral({ subject }: Pick<Job, 'subject'>): boolean {
  return subject?.startsWith('org_') === true || subject?.startsWith('icd_') === true;
}

/** What the job does, and what its failure means. */
export function emailNote(job: Email): string {
  return withRecipients(
    (job.email === null ? undefined : NOTES[job.email]) ?? 'Sends an email.',
    job,
  );
}

/** The same for an email about an incident. */
export function incidentEmailNote(job: Pick<Job, 'subject'>): string {
  const what = 'Sends an update of an incident to the people who have chosen these emails.';
  return withRecipients(what, job);
}

function withRecipients(what: string, job: Pick<Job, 'subject'>): string {
  const how = isToSeveral(job)
    ? 'The email to each of them is a job of its own.'
    : 'If it fails, the email does not arrive.';
  return `${what} ${how}`;
}

const UNSENT: Readonly<Record<UnsentReason, string>> = {
  invitation_accepted: 'the invitation was already accepted',
  invitation_revoked: 'the invitation was revoked',
  invitation_expired: 'the invitation has expired',
  organization_deleted: 'the organization was deleted',
  no_account: 'no account has this address',
  account_deleted: 'the account was deleted',
  account_locked: 'the account is locked',
  address_settled: 'the address is confirmed already, or was replaced',
  not_in_charge: 'the recipient no longer manages the billing',
  switched_off: 'the recipient does not want these emails',
  nobody_in_charge: 'no member may manage the billing',
  no_subscribers: 'nobody subscribes to incidents',
  no_more_subscribers: 'nobody else subscribes to incidents',
  superseded: 'the incident has a newer update, or was deleted',
  postponed: 'other emails wait, and a later job continues',
  withdrawn: 'the email was withdrawn',
};

/** A reason that is newer than this dashboard is left out. */
function unsentWords(reason: UnsentReason): string {
  return Object.hasOwn(UNSENT, reason) ? `Not sent: ${UNSENT[reason]}` : 'Not sent';
}

/** "Sent to 2 people". Null if it is not known, or if the job sends no email. */
export function sentWords(job: Pick<Job, 'recipients' | 'unsent' | 'subject'>): string | null {
  const { recipients = null, unsent = null } = job;
  if (recipients === null) return null;
  if (recipients === 0) return unsent === null ? 'Sent to nobody' : unsentWords(unsent);
  const people = recipients === 1 ? '1 person' : `${recipients} people`;
  // Their own jobs say whether they were sent.
  return isToSeveral(job) ? `Queued for ${people}` : `Sent to ${people}`;
}
