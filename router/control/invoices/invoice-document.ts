/** An invoice as it is printed. */
import type { InvoiceDetail, InvoiceLine } from '../../../shared/api/invoices.ts';
import type { PrintedDocument, PrintedLine } from '../documents/document.ts';

const STATUS = { open: 'Open', paid: 'Paid', void: 'Void: not to be paid' } as const;

export function invoiceDocument(invoice: InvoiceDetail): PrintedDocument {
  const { number, organization, period, status, overdue, lines, reference } = invoice;
  return {
    title: 'Invoice',
    number,
    isTest: false,
    seller: invoice.seller,
    buyer: invoice.buyer,
    organization,
    facts: [
      ['Period (UTC)', `${day(period.start)} to ${lastDay(period.end)}`],
      ['Issued', day(invoice.created)],
      ['Due', `${day(invoice.due)}, ${invoice.terms_days} days after it was issued`],
      ['Status', `${STATUS[status]}${overdue ? ', overdue' : ''}`],
      ...(reference === null
        ? []
        : [[status === 'void' ? 'Reason' : 'Payment', reference] as const]),
    ],
    columns: ['Description', 'Requests', 'Input', 'of it cached', 'Output', 'USD'],
    lines: lines.map(lineOf),
    totals: [
      ['Total', invoice.total],
      ['Credit brought forward', invoice.brought_forward],
      ['Amount due', `USD ${invoice.amount_due}`],
    ],
  };
}

function lineOf(line: InvoiceLine): PrintedLine {
  const { kind, model, unit_prices: prices } = line;
  const price =
    prices &&
    `USD a token: ${prices.prompt} input, ${prices.cached} cached, ${prices.completion} output`;
  const isUsage = kind === 'usage';
  const tokens = [line.prompt_tokens, line.cached_tokens, line.completion_tokens];
  return {
    description: [model ?? kind.replaceAll('_', ' '), ...(price === null ? [] : [price])],
    cells: [
      String(line.count),
      ...tokens.map((count) => (isUsage ? String(count) : '')),
      line.amount,
    ],
  };
}

function day(instant: string): string {
  return instant.slice(0, 10);
}

/** Returns the last day of a period. `end` is the first instant after it. */
function lastDay(end: string): string {
  return new Date(Date.parse(end) - 1).toISOString().slice(0, 10);
}
