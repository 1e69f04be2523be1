/**
 * Which jobs an operator may try again. A charge or a refund is never among them: the payment
 * provider forgets idempotency keys after a day or more, and could then move the money twice. The
 * scheduled tasks that reconcile payments and refunds ask the provider for their results instead. An
 * email with a link to an account is not, either: the person who asked for it may have lost the
 * account meanwhile, and asks again if they still want it.
 */
import { ERASE_ORGANIZATION } from '../erasure/organization.ts';
import { ERASE_PERSON } from '../erasure/person.ts';
import { INVOICE } from '../invoices/due.ts';
import { WEBHOOK } from '../../jobs/lanes.ts';
import { LETTER, LETTERS } from '../mail/letter.ts';
import { CHARGE } from '../recharge/procedures.ts';
import { REFUND } from '../payments/take-refund.ts';

const RETRIABLE: readonly string[] = [
  ERASE_ORGANIZATION,
  ERASE_PERSON,
  INVOICE,
  ...LETTERS,
  WEBHOOK,
];
const LINKS_TO_ACCOUNTS: readonly string[] = ['confirm-email', 'reset-password'];

type JobKind = Readonly<{
  kind: string;
  /** Of a letter: which one. */
  email: string | null;
}>;

/** Returns why a job cannot be tried again, as a sentence for operators, or null if it can. */
export function whyNotRetriable({ kind, email }: JobKind): string | null {
  if (kind === CHARGE || kind === REFUND) {
    return (
      `A job of the kind ${kind} cannot be tried again. The payment provider may have forgotten its ` +
      'idempotency key, and could move the money twice.'
    );
  }
  if (kind === LETTER && email !== null && LINKS_TO_ACCOUNTS.includes(email)) {
    return 'An email with a link to an account is not sent again: the person can ask for another.';
  }
  if (RETRIABLE.includes(kind)) return null;
  return `This version cannot try jobs of the kind ${kind} again.`;
}
