/** A receipt of a payment, as the API shows it and as it is printed. */
import type { Receipt } from '../../../shared/api/payments.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import { isoInstant } from '../api.ts';
import type { PrintedDocument } from '../documents/document.ts';
import { partiesOf } from '../documents/parties.ts';
import { receiptNumberOf } from './terms.ts';

const PURPOSE = {
  'top-up': 'Prepaid credit, top-up',
  recharge: 'Prepaid credit, automatic top-up',
  setup: 'Prepaid credit',
} as const;

/** Returns null for a payment that was not paid. `name` is the current name of its organization. */
export function receiptOf(payment: PaymentRow, name: string): Receipt | null {
  const { id, organization, paid, refunded, ended } = payment;
  const number = receiptNumberOf(payment);
  if (number === null || paid === null || ended === null) return null;
  const { seller, buyer } = partiesOf(payment, name);
  return {
    number,
    payment: id,
    organization: { id: organization, name },
    seller,
    buyer,
    paid: isoInstant(ended),
    description: PURPOSE[payment.purpose],
    currency: 'USD',
    amount: formatUsd(paid),
    refunded: formatUsd(refunded),
    provider: payment.provider,
    reference: payment.reference,
  };
}

export function receiptDocument(receipt: Receipt): PrintedDocument {
  const { number, organization, amount, refunded, payment, reference } = receipt;
  return {
    title: 'Receipt',
    number,
    isTest: receipt.provider === 'sandbox',
    seller: receipt.seller,
    buyer: receipt.buyer,
    organization: organization.id,
    facts: [
      ['Issued and paid', `${receipt.paid.slice(0, 10)} (UTC)`],
      ['Payment', reference === null ? payment : `${payment}, ${receipt.provider}: ${reference}`],
    ],
    columns: ['Description', 'USD'],
    lines: [{ description: [receipt.description], cells: [amount] }],
    totals: [
      ['Total paid', `USD ${amount}`],
      ...(refunded === '0' ? [] : [['Refunded since', `USD ${refunded}`] as const]),
    ],
  };
}
