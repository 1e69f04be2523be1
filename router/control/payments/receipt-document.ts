/** A receipt of a payment, as the API shows it and as it is printed. */
import type { Receipt } from '../../../shared/api/payments.ts';
import { formatUsd, inPico } from '../../../shared/money.ts';
import { refundsOf, refundStatus } from '../../../shared/payment-refunds.ts';
import { providerName } from '../../../shared/payment-providers.ts';
import { isoInstant } from '../api.ts';
import { type PrintedDocument, taxFacts } from '../../../shared/documents/document.ts';
import { partiesOf } from '../documents/parties.ts';
import {
  amountOf,
  CURRENCY_FACT,
  dateOf,
  dollarsOf,
  usdOf,
} from '../../../shared/documents/words.ts';
import type { PaymentWithRefunds } from './refund-amounts.ts';
import { receiptNumberOf } from './terms.ts';

const PURPOSE = {
  'top-up': 'Prepaid credit, top-up',
  recharge: 'Prepaid credit, auto-recharge',
  setup: 'Prepaid credit',
} as const;

/**
 * Returns null for a payment that was not paid. `name` is the current name of its organization, and
 * `method` is what paid it, if that is known.
 */
export function receiptOf(
  payment: PaymentWithRefunds,
  { name, method }: Readonly<{ name: string; method: string | null }>,
): Receipt | null {
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
    refund_pending: formatUsd(payment.refundPending),
    provider: payment.provider,
    method,
    reference: payment.reference,
  };
}

/** `contact`: see `PrintedDocument`. */
export function receiptDocument(receipt: Receipt, contact: string | null): PrintedDocument {
  const { number, organization, amount, payment, provider, reference } = receipt;
  const paidBy = receipt.method ?? providerName(provider);
  return {
    title: 'Receipt',
    number,
    status: statusOf(receipt),
    isTest: provider === 'sandbox',
    seller: receipt.seller,
    buyer: receipt.buyer,
    contact,
    headline: `${dollarsOf(amount)} paid on ${dateOf(receipt.paid)}`,
    facts: [
      ['Issued and paid', `${dateOf(receipt.paid)} (UTC)`],
      ['Payment method', paidBy],
      ...taxFacts(receipt.seller),
      CURRENCY_FACT,
      ['Payment ID', payment],
      ...(reference === null || provider === 'sandbox'
        ? []
        : [[`Reference of ${providerName(provider)}`, reference] as const]),
      ['Organization ID', organization.id],
    ],
    columns: ['Description', 'Amount (USD)'],
    lines: [{ description: [receipt.description], cells: [amountOf(amount)] }],
    totals: [['Total paid', dollarsOf(amount)], ...refundTotals(receipt)],
  };
}

function statusOf(receipt: Receipt): PrintedDocument['status'] {
  const name = refundStatus({ ...receipt, paid: receipt.amount });
  return { name, tone: name === 'Paid' ? 'good' : 'neutral' };
}

/** The payer may not have what is pending. */
function refundTotals(receipt: Receipt): PrintedDocument['totals'] {
  const refunds = refundsOf(receipt);
  if (refunds.length === 0) return [];
  const isPending = refunds.some(({ name }) => name === 'Refund pending');
  const left = usdOf(inPico(receipt.amount) - inPico(receipt.refunded));
  return [
    ...refunds.map(({ name, amount }) => [name, usdOf(0n - inPico(amount))] as const),
    [`Paid after refunds${isPending ? ', including pending ones' : ''}`, left],
  ];
}
