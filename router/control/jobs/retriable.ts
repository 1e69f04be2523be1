/**
 * Which jobs an operator may try again. A charge or a refund is never among them: the payment
 * provider forgets idempotency keys after a day or more, and could then move the money twice. The
 * scheduled tasks that reconcile payments and refunds ask the provider for their results instead.
 */
import { ERASE_ORGANIZATION } from '../erasure/organization.ts';
import { ERASE_PERSON } from '../erasure/person.ts';
import { INVOICE } from '../invoices/due.ts';
import { LETTER } from '../mail/letter.ts';

const RETRIABLE: readonly string[] = [ERASE_ORGANIZATION, ERASE_PERSON, INVOICE, LETTER];

export function isRetriable(kind: string): boolean {
  return RETRIABLE.includes(kind);
}
