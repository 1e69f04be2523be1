/** A receipt of a payment, as the API shows it and as it is printed. */
import type { Receipt } from '../../../shared/api/payments.ts';
import { formatUsd, inPico } from '../../../shared/money.ts';
import { providerName } from '../../../shared/payment-providers.ts';
import { isoInstant } from '../api.ts';
import { type PrintedDocument, taxFact } from '../../../shared/documents/document.ts';
import { partiesOf } from '../documents/parties.ts';
import {
  amountOf,
  CURRENCY_FACT,
  dateOf,
  dollarsOf,
  usdOf,
} from '../../../shared/documents/words.ts';
import type { ListedPayment } from './pending-refunds.ts';
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
  payment: ListedPayment,
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
  const { number, organization, amount, refunded, payment, provider, reference } = receipt;
  const back = inPico(refunded);
  const left = inPico(amount) - back;
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
      taxFact(receipt.seller),
      CURRENCY_FACT,
      ['Payment ID', payment],
      ...(reference === null || provider === 'sandbox'
        ? []
        : [[`Reference of ${providerName(provider)}`, reference] as const]),
      ['Organization ID', organization.id],
    ],
    columns: ['Description', 'Amount (USD)'],
    lines: [{ description: [receipt.description], cells: [amountOf(amount)] }],
    totals: [
      ['Total paid', dollarsOf(amount)],
      ...(back === 0n
        ? []
        : ([
            [nameOfRefund(receipt), usdOf(0n - back)],
            ['Paid after refunds', usdOf(left)],
          ] as const)),
    ],
  };
}

function statusOf({ amount, refunded, refund_pending: pending }: Receipt) {
  const back = inPico(refunded);
  if (back === 0n) return { name: 'Paid', tone: 'good' } as const;
  if (inPico(pending) > 0n) return { name: 'Refund pending', tone: 'neutral' } as const;
  const isPart = inPico(amount) > back;
  return { name: isPart ? 'Partially refunded' : 'Refunded', tone: 'neutral' } as const;
}

/** The payer may not have what is still on its way. */
function nameOfRefund({ refunded, refund_pending: pending }: Receipt): string {
  if (inPico(pending) === 0n) return 'Refunded';
  return pending === refunded
    ? 'Refund pending'
    : `Refunded, of which ${dollarsOf(pending)} pending`;
}
