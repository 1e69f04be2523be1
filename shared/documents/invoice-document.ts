/** An invoice as it is printed. */
import type { InvoiceDetail, InvoiceLine } from '../api/invoices.ts';
import { capitalized } from '../capitalized.ts';
import { carriedForward } from '../invoice-amounts.ts';
import { paymentOf } from '../invoice-payment.ts';
import { decimalsOf, formatUsd, inPico } from '../money.ts';
import {
  type PrintedDocument,
  type PrintedLine,
  taxFacts,
  withoutEmptyColumns,
} from './document.ts';
import {
  amountOf,
  countOf,
  CURRENCY_FACT,
  dateOf,
  dollarsOf,
  lastDayOf,
  priceOf,
} from './words.ts';

function statusOf({ status, overdue }: InvoiceDetail): PrintedDocument['status'] {
  if (status === 'paid') return { name: 'Paid', tone: 'good' };
  if (status === 'void') return { name: 'Void: not to be paid', tone: 'neutral' };
  return overdue ? { name: 'Open, overdue', tone: 'bad' } : { name: 'Open', tone: 'neutral' };
}

const PAYMENTS = { due: 'Due', paid: 'Paid', voided: 'Voided' } as const;

function paymentFact(invoice: InvoiceDetail): PrintedDocument['facts'][number] {
  const payment = paymentOf(invoice);
  if (payment.state === 'none') return ['Due', 'Nothing to pay'];
  return [PAYMENTS[payment.state], dateOf(payment.at)];
}

/** Null if nothing is to be paid, and nothing was. */
function headlineOf(invoice: InvoiceDetail): string | null {
  const payment = paymentOf(invoice);
  const amount = dollarsOf(invoice.amount_due);
  if (payment.state === 'due') return `Amount due: ${amount} by ${dateOf(payment.at)}`;
  return payment.state === 'paid' ? `Paid: ${amount} on ${dateOf(payment.at)}` : null;
}

/** `contact`: see `PrintedDocument`. */
export function invoiceDocument(invoice: InvoiceDetail, contact: string | null): PrintedDocument {
  const { number, organization, period, status, reference } = invoice;
  const headline = headlineOf(invoice);
  return {
    title: 'Invoice',
    number,
    status: statusOf(invoice),
    isTest: false,
    seller: invoice.seller,
    buyer: invoice.buyer,
    contact,
    ...(headline !== null && { headline }),
    facts: [
      ['Period (UTC)', `${dateOf(period.start)} to ${lastDayOf(period.end)}`],
      ['Issued', dateOf(invoice.created)],
      paymentFact(invoice),
      ...(reference === null
        ? []
        : [[status === 'void' ? 'Reason' : 'Payment', reference] as const]),
      ...taxFacts(invoice.seller),
      CURRENCY_FACT,
      ['Organization ID', organization],
    ],
    ...invoiceLines(invoice, { isPaid: paymentOf(invoice).state === 'paid' }),
    payment: invoice.payment_instructions?.split('\n') ?? [],
  };
}

export type Charged = Pick<InvoiceDetail, 'lines' | 'total' | 'brought_forward' | 'amount_due'>;

/** The lines of an invoice and what they add up to, also before it is issued. */
export function invoiceLines(
  invoice: Charged,
  { isPaid = false } = {},
): Pick<PrintedDocument, 'columns' | 'lines' | 'totals'> {
  const decimals = decimalsOf(invoice.lines.map(({ amount }) => amount));
  return withoutEmptyColumns({
    columns: [
      'Description',
      'Requests',
      'Prompt tokens',
      'Cached tokens',
      'Completion tokens',
      'Amount (USD)',
    ],
    lines: invoice.lines.map((line) => lineOf(line, decimals)),
    totals: totalsOf(invoice, isPaid),
  });
}

/** The last one is the sum of those above it. Each has cents, and every digit where there are more. */
function totalsOf({ total, brought_forward: brought, amount_due: due }: Charged, isPaid: boolean) {
  const before = inPico(brought);
  const after = carriedForward({
    total: inPico(total),
    broughtForward: before,
    amountDue: inPico(due),
  });
  const above = [
    ['Total', total],
    [before < 0n ? 'Debt brought forward' : 'Credit brought forward', formatUsd(0n - before)],
    ...(after === 0n ? [] : [[nameOfCarried(after), formatUsd(after)] as const]),
  ] as const;
  return [
    ...above.map(([name, amount]) => [name, dollarsOf(amount)] as const),
    [isPaid ? 'Amount paid' : 'Amount due', dollarsOf(due)] as const,
  ];
}

function nameOfCarried(after: bigint): string {
  return after > 0n ? 'Credit carried forward' : 'Less than a cent, carried forward';
}

function lineOf(line: InvoiceLine, decimals: number): PrintedLine {
  const isUsage = line.kind === 'usage';
  const tokens = [line.prompt_tokens, line.cached_tokens, line.completion_tokens];
  return {
    description: descriptionOf(line),
    cells: [
      ...[line.count, ...tokens].map((count) => (isUsage ? countOf(count) : '')),
      amountOf(line.amount, decimals),
    ],
  };
}

function descriptionOf(line: InvoiceLine): string[] {
  const { kind, model, count, unit_prices: prices, reason, created } = line;
  if (kind === 'adjustment') {
    if (typeof created === 'string') {
      return [reason ? `Adjustment: ${reason}` : 'Adjustment', dateOf(created)];
    }
    // Undefined: a router of an earlier version has added all of them up.
    if (created === null) return [`${countOf(count)} more adjustment${count === 1 ? '' : 's'}`];
  }
  const name = model ?? nameOf(kind);
  if (prices === null) return [name];
  const { prompt, cached, completion } = prices;
  return [
    name,
    `Per million tokens: ${priceOf(prompt)} prompt, ${priceOf(cached)} cached, ${priceOf(completion)} completion`,
  ];
}

/** `"refund_reversal"` → `"Refund reversal"`. */
function nameOf(kind: string): string {
  return capitalized(kind.replaceAll('_', ' '));
}
