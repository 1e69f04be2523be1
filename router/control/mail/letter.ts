/**
 * Emails to people. An email is queued as a job that has the kind of the email and the ids that it
 * is about. The text and the link are made when the email is sent, so that the store never contains
 * a link.
 */
import type {
  IncidentId,
  InvitationId,
  InvoiceId,
  OrganizationId,
  PaymentId,
  PersonId,
  WebhookId,
} from '../../../shared/ids.ts';
import { dropLinks } from './links.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Db } from '../../store/procedure.ts';

/**
 * An email to a person, to an invited address, to all members of an organization who manage its
 * billing, or to everybody who has chosen emails about incidents.
 */
export type Letter =
  /**
   * `person` is null when nobody has the given address. The email is queued anyway, so that the
   * request does the same work and does not reveal whether the address has an account.
   */
  | Readonly<{
      kind: 'reset-password';
      person: PersonId | null;
      /** Set if the first proof of the address has cleared the password, and nobody requested it. */
      after?: 'first-proof';
    }>
  /** Sent to the address to be confirmed, which need not be the person's yet. */
  | Readonly<{ kind: 'confirm-email'; person: PersonId; email: string }>
  /** Sent to the person's former address. */
  | Readonly<{ kind: 'email-changed'; person: PersonId; email: string }>
  /** `passkeys`: how many sign in as before. Absent when an earlier version has queued it. */
  | Readonly<{ kind: 'password-changed'; person: PersonId; passkeys?: number }>
  | Readonly<{ kind: 'passkeys-changed'; person: PersonId; added: boolean }>
  | Readonly<{ kind: 'second-factor-changed'; person: PersonId; on: boolean }>
  | Readonly<{ kind: 'invitation'; invitation: InvitationId }>
  | OrganizationLetter
  | IncidentLetter;

/** Sent to each person who has chosen emails about incidents, once for each update. */
export type IncidentLetter = Readonly<{
  kind: 'incident';
  incident: IncidentId;
  /** The number of the update, from 1. */
  update: number;
}>;

/** Queues the emails of the next people, those after `after`. The first batch has neither field. */
export type IncidentBatch = IncidentLetter &
  Readonly<{ batch?: number; after?: PersonId | undefined }>;

/** Sent to each member who may manage the organization's billing. Amounts are decimal USD. */
export type OrganizationLetter =
  | Readonly<{
      kind: 'low-balance';
      organization: OrganizationId;
      balance: string;
      threshold: string;
    }>
  | Readonly<{
      kind: 'exhausted';
      organization: OrganizationId;
      balance: string;
      /** Reserved for running requests. */
      held: string;
      /** How far below zero the balance may go. Absent if it may not. */
      creditLimit?: string;
      /** When a request was refused, as ISO 8601. */
      at: string;
    }>
  | Readonly<{
      kind: 'budget';
      organization: OrganizationId;
      percent: number;
      spent: string;
      budget: string;
      /** As YYYY-MM. */
      month: string;
    }>
  | Readonly<{
      kind: 'receipt' | 'recharge-failed' | 'recharge-paused';
      organization: OrganizationId;
      payment: PaymentId;
      amount?: string;
    }>
  | Readonly<{
      kind: 'invoice';
      organization: OrganizationId;
      invoice: InvoiceId;
      amount?: string;
      /** The number of an invoice whose email an operator sends once more. */
      again?: string;
    }>
  /** `host`: of the endpoint's URL. */
  | Readonly<{
      kind: 'webhook-disabled';
      organization: OrganizationId;
      webhook: WebhookId;
      host: string;
    }>;

export const LETTER = 'letter';
/**
 * The jobs of emails about incidents have a kind of their own: a router of the version before these
 * emails would take a `letter` of one for an email to nobody, and end it.
 */
export const INCIDENT_LETTER = 'incident-letter';
/** The kinds of the jobs that send emails. */
export const LETTERS = [LETTER, INCIDENT_LETTER] as const;

/** `postIncidentLetter` queues the emails about incidents. */
type PostedLetter = Exclude<Letter, IncidentLetter>;

/**
 * For procedures: queues an email in the transaction that it reports on. Queues nothing when an
 * email of this kind was already queued for the same `occasion`.
 */
export async function postLetter(
  db: Db,
  letter: PostedLetter,
  { occasion, created }: Readonly<{ occasion: string; created: number }>,
): Promise<void> {
  await enqueue(db, {
    kind: LETTER,
    subject: subjectOf(letter),
    idempotencyKey: `${LETTER}/${letter.kind}/${occasion}`,
    payload: letter,
    created,
  });
}

/** The kinds of emails whose links open an account. */
const INTO_ACCOUNTS = ['confirm-email', 'reset-password'] as const satisfies Letter['kind'][];

/**
 * For procedures: ends all links into an account that were not used, and the emails with such links
 * that wait, were given up, or are being sent, so that no later attempt brings a new one.
 */
export async function endLinksInto(db: Db, person: PersonId): Promise<void> {
  await dropLinks(db, person);
  for (const kind of INTO_ACCOUNTS) {
    await db
      .deleteFrom('jobs')
      .where('kind', '=', LETTER)
      .where('subject', '=', person)
      .where('state', 'in', ['waiting', 'running', 'failed'])
      .where('idempotency_key', 'like', `${LETTER}/${kind}/%`)
      .execute();
  }
}

function subjectOf(letter: PostedLetter): string {
  if ('person' in letter) return letter.person ?? 'nobody';
  if ('invitation' in letter) return letter.invitation;
  return letter.organization;
}
