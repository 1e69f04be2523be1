/** Formats invoices for the API, and as CSV for spreadsheets. */
import type { Invoice, InvoiceDetail, InvoiceLine } from '../../../shared/api/invoices.ts';
import { csvRecord } from '../../../shared/csv.ts';
import { carriedForward } from '../../../shared/invoice-amounts.ts';
import { formatUsd } from '../../../shared/money.ts';
import { startOfMonth } from '../../store/month.ts';
import type { InvoiceRow } from '../../store/schema/invoices.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import { type ConfiguredSeller, partiesOf } from '../documents/parties.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';
import type { Adjustment } from './adjustments.ts';
import type { Billed, PricedLine } from './procedures.ts';

export function shownInvoice(row: InvoiceRow, now: number): Invoice {
  const { id, organization, billed_to, month, status, reference, ended } = row;
  return {
    id,
    number: documentNumber(INVOICES, row.number),
    organization,
    billed_to,
    ...partiesOf(row, billed_to),
    period: { start: isoInstant(startOfMonth(month)), end: isoInstant(endOf(row)) },
    first_transfer: Number(row.from_seq),
    last_transfer: Number(row.to_seq),
    total: formatUsd(row.total),
    brought_forward: formatUsd(row.brought_forward),
    carried_forward: formatUsd(
      carriedForward({
        total: row.total,
        broughtForward: row.brought_forward,
        amountDue: row.amount_due,
      }),
    ),
    amount_due: formatUsd(row.amount_due),
    terms_days: Number(row.terms_days),
    due: isoInstant(row.due),
    status,
    overdue: status === 'open' && now > Number(row.due),
    reference,
    created: isoInstant(row.created),
    ended: instantOrNull(ended),
  };
}

/** Only the last invoice of an organization that prepays again is issued before its month is over. */
function endOf({ month, created }: InvoiceRow): number {
  return Math.min(startOfMonth(month + 1n), Number(created));
}

export function shownDetail(
  { invoice, lines, adjustments = [] }: Billed,
  now: number,
  seller: ConfiguredSeller | null,
): InvoiceDetail {
  const shown = shownInvoice(invoice, now);
  return {
    ...shown,
    lines: shownLines(lines, adjustments),
    payment_instructions: instructionsFor(shown, seller),
  };
}

/**
 * As they are configured now, so that a new bank account is on invoices that were issued before. An
 * invoice of another seller is not paid to this one.
 */
function instructionsFor(
  { status, seller: issuer }: Pick<Invoice, 'status' | 'seller'>,
  seller: ConfiguredSeller | null,
): string | null {
  const isOfAnother = issuer !== null && issuer.name !== seller?.name;
  if (status !== 'open' || seller === null || isOfAnother) return null;
  return seller.payment_instructions || null;
}

export function shownLines(
  lines: readonly PricedLine[],
  adjustments: readonly Adjustment[],
): InvoiceLine[] {
  return lines.flatMap((line) =>
    line.kind === 'adjustment' ? adjustmentLines(line, adjustments) : [shownLine(line)],
  );
}

/** A line for each adjustment, and one for those beyond the ones that are shown. */
function adjustmentLines(
  line: PricedLine,
  adjustments: readonly Adjustment[],
): readonly InvoiceLine[] {
  const shown = adjustments.map(({ amount, reason, created }) => ({
    ...shownLine({ ...line, count: 1n, amount }),
    reason,
    created: isoInstant(created),
  }));
  const left = line.count - BigInt(adjustments.length);
  if (left === 0n) return shown;
  const amount = adjustments.reduce((rest, one) => rest - one.amount, line.amount);
  return [...shown, shownLine({ ...line, count: left, amount })];
}

function shownLine(line: PricedLine): InvoiceLine {
  const { prompt_price: prompt, cached_price: cached, completion_price: completion } = line;
  const isPriced = prompt !== null && cached !== null && completion !== null;
  return {
    kind: line.kind,
    model: line.model,
    count: Number(line.count),
    prompt_tokens: Number(line.prompt_tokens),
    cached_tokens: Number(line.cached_tokens),
    completion_tokens: Number(line.completion_tokens),
    unit_prices: isPriced
      ? {
          prompt: formatUsd(prompt),
          cached: formatUsd(cached),
          completion: formatUsd(completion),
        }
      : null,
    amount: formatUsd(line.amount),
    reason: null,
    created: null,
  };
}

const COLUMNS = [
  'invoice',
  'period_start',
  'period_end',
  'kind',
  'model',
  'count',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'prompt_price',
  'cached_price',
  'completion_price',
  'amount',
  'reason',
  'created',
];

/** One record per invoice line. The amounts add up to the invoice's total. */
export function invoiceCsv({ number, period, lines }: InvoiceDetail): string {
  const records = lines.map((line) =>
    csvRecord([
      number,
      period.start,
      period.end,
      line.kind,
      line.model ?? '',
      String(line.count),
      String(line.prompt_tokens),
      String(line.cached_tokens),
      String(line.completion_tokens),
      line.unit_prices?.prompt ?? '',
      line.unit_prices?.cached ?? '',
      line.unit_prices?.completion ?? '',
      line.amount,
      line.reason ?? '',
      line.created ?? '',
    ]),
  );
  return [csvRecord(COLUMNS), ...records].join('');
}
