/**
 * Letters: what is told to people by email. A letter is a job that names what it is about; its words, and the link
 * in it, are made when it is sent, so that no link ever stands in the store.
 */
import type {
  InvitationId,
  InvoiceId,
  OrganizationId,
  PaymentId,
  PersonId,
} from '../../../shared/ids.ts';
import { enqueue } from '../../ledger/jobs.ts';
import type { Db } from '../../store/procedure.ts';

/** To a person, to an invited address, or to all of an organization who may see to its billing. */
export type Letter =
  /** Null: nobody has the address that was given; the work of asking is the same. */
  | Readonly<{ kind: 'reset-password'; person: PersonId | null }>
  /** To the address that is to be confirmed, which need not be the person's yet. */
  | Readonly<{ kind: 'confirm-email'; person: PersonId; email: string }>
  /** To the address that was theirs until now. */
  | Readonly<{ kind: 'email-changed'; person: PersonId; email: string }>
  | Readonly<{ kind: 'password-changed'; person: PersonId }>
  | Readonly<{ kind: 'second-factor-changed'; person: PersonId; on: boolean }>
  | Readonly<{ kind: 'invitation'; invitation: InvitationId }>
  | OrganizationLetter;

/** To each member who may see to the organization's billing. Amounts are decimal USD. */
export type OrganizationLetter =
  | Readonly<{
      kind: 'low-balance';
      organization: OrganizationId;
      balance: string;
      threshold: string;
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
    }>;

export const LETTER = 'letter';

/** For procedures: posts a letter with what it tells of. The same `occasion` again posts nothing. */
export async function postLetter(
  db: Db,
  letter: Letter,
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

/** For procedures: those of a kind that still wait to be sent to somebody are not sent any more. */
export async function withdrawLetters(
  db: Db,
  kind: Letter['kind'],
  person: PersonId,
): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where('kind', '=', LETTER)
    .where('subject', '=', person)
    .where('state', '=', 'waiting')
    .where('idempotency_key', 'like', `${LETTER}/${kind}/%`)
    .execute();
}

function subjectOf(letter: Letter): string {
  if ('person' in letter) return letter.person ?? 'nobody';
  return 'invitation' in letter ? letter.invitation : letter.organization;
}
