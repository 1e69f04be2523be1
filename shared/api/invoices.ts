/** Invoices in the management API. */
import { z } from 'zod';
import { Party, Seller } from './billing-details.ts';
import { PRINTED, PRINTED_FAULT, count, instant, Search, usd } from './fields.ts';
import {
  FOREIGN_CURSOR,
  page,
  pageQuery,
  refuseOtherSort,
  SequenceCursor,
  sortedCursor,
} from './pages.ts';

const STATUSES = ['open', 'paid', 'void'] as const;

export const Invoice = z.object({
  id: z.string(),
  number: z
    .string()
    .describe('The invoice number. The numbers of an installation have no gaps.')
    .meta({ examples: ['INV-000001'] }),
  organization: z.string(),
  billed_to: z.string().describe("The organization's name when the invoice was issued."),
  seller: Seller.nullable().describe('The seller when the invoice was issued, if it is known.'),
  buyer: Party.describe('The buyer when the invoice was issued.'),
  period: z
    .object({ start: instant, end: instant })
    .describe(
      'A calendar month in UTC. `end` is the first instant after it. When an organization prepays again, its last ' +
        'invoice is issued at once, and its period ends then.',
    ),
  first_transfer: count.describe('The number of the first transfer that the invoice covers.'),
  last_transfer: count.describe(
    'The number of the last transfer that the invoice covers. A transfer is on one invoice only.',
  ),
  total: usd.describe('The sum of the lines, exact to the pico-USD.'),
  brought_forward: usd.describe(
    'The credit left from before, which is subtracted from the total. A negative amount is a debt from before.',
  ),
  carried_forward: usd
    .optional()
    .describe(
      'What is left for the next invoice: credit or, if it is negative, a debt of less than a cent. `total` minus ' +
        '`brought_forward` plus `carried_forward` is `amount_due`. Absent when a router of an earlier version answers.',
    ),
  amount_due: usd.describe(
    'The amount to pay, in whole cents. Invoices that were issued by an earlier version may have more decimals.',
  ),
  terms_days: count,
  due: instant,
  status: z.enum(STATUSES),
  overdue: z.boolean().describe('Whether the invoice is open after its due date.'),
  reference: z
    .string()
    .nullable()
    .describe(
      'The reference of the payment, or the reason why the invoice is void, as the operator entered it.',
    ),
  created: instant,
  ended: instant
    .nullable()
    .describe(
      'When the invoice was paid or voided. If it was paid on an earlier day than it was marked as paid, the start of ' +
        'that day (UTC), or the time of issue if it was issued on that day.',
    ),
});
export type Invoice = z.infer<typeof Invoice>;
export const InvoicePage = page(Invoice);

const tokens = z.int();

export const InvoiceLine = z.object({
  kind: z
    .string()
    .describe(
      '`usage`, or the kind of the transfers that the line sums up. Each of the first adjustments has its own line.',
    )
    .meta({ examples: ['usage', 'adjustment'] }),
  model: z.string().nullable(),
  count: z
    .int()
    .describe('The number of requests or transfers, minus those whose charge was given back.'),
  prompt_tokens: tokens,
  cached_tokens: tokens.describe('The part of the prompt tokens that came from a cache.'),
  completion_tokens: tokens,
  unit_prices: z
    .object({ prompt: usd, cached: usd, completion: usd })
    .nullable()
    .describe('The prices per token. Cached prompt tokens cost `cached` instead of `prompt`.'),
  amount: usd.describe('The amount of the line. A negative amount is credited.'),
  reason: z
    .string()
    .nullable()
    .optional()
    .describe(
      'The reason of a single adjustment. Null for other lines, and for the last line of an invoice with more ' +
        'adjustments than it lists, which adds up the others. Absent when a router of an earlier version answers.',
    ),
  created: instant.nullable().optional().describe('When a single adjustment was made.'),
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

export const InvoiceDetail = Invoice.extend({
  lines: z.array(InvoiceLine),
  payment_instructions: z
    .string()
    .nullable()
    .optional()
    .describe(
      'How to pay the invoice, as the seller has configured it. Null if it is not open, if ' +
        'another seller issued it, or if nothing is configured; absent when a router of an earlier version answers.',
    ),
});
export type InvoiceDetail = z.infer<typeof InvoiceDetail>;

export const NextInvoice = z.object({
  organization: z.string(),
  period: z
    .object({ start: instant, end: instant })
    .describe(
      'The calendar month in UTC. `end` is now, or the end of the month if it is over and its invoice is not issued yet.',
    ),
  lines: z
    .array(InvoiceLine)
    .nullable()
    .describe(
      'The lines so far. Null if the invoice has more than 100000 transfers; `total`, `brought_forward` and ' +
        '`carried_forward` are then null, too.',
    ),
  total: usd.nullable().describe('The sum of the lines so far.'),
  brought_forward: usd.nullable().describe('As on an invoice.'),
  carried_forward: usd.nullable().describe('As on an invoice.'),
  amount_due: usd.describe(
    'What the invoice would ask for if the month ended now. An invoice without lines is not issued, and what it ' +
      'brings forward is on a later one.',
  ),
});
export type NextInvoice = z.infer<typeof NextInvoice>;

export const InvoiceQuery = pageQuery(SequenceCursor).extend({
  status: z.enum(STATUSES).optional(),
});

export const INVOICE_SORTS = ['number', 'amount_due', 'due'] as const;
export type InvoiceSort = (typeof INVOICE_SORTS)[number];

/**
 * What the list is sorted by and the number, of the last invoice of a page. The value is any number
 * that a column of 64 bits can hold.
 */
const InvoicePlace = z
  .string()
  .regex(/^-?\d{1,19}_\d{1,18}$/, FOREIGN_CURSOR)
  .transform((text) => {
    const [value = '', number = ''] = text.split('_');
    return { value: BigInt(value), number: BigInt(number) };
  })
  .refine(({ value }) => BigInt.asIntN(64, value) === value, FOREIGN_CURSOR);

/** The months from 1970 to 9999. */
const Month = z
  .string()
  .regex(/^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11.');

export const WholeInvoiceQuery = pageQuery(sortedCursor(InvoicePlace))
  .extend({
    search: Search.min(1)
      .optional()
      .describe(
        "An invoice number, such as `INV-000012` or `12`, the organization's id, or a part of its name, ignoring case.",
      ),
    status: z
      .enum([...STATUSES, 'overdue'])
      .optional()
      .describe('`overdue`: those of the open invoices that are past their due date.'),
    month: Month.optional().describe(
      'Only the invoices for this calendar month (UTC), such as `2026-11`.',
    ),
    sort: z
      .enum(INVOICE_SORTS)
      .default('number')
      .describe('`due`: the due date. A cursor belongs to one sort and order.'),
    order: z
      .enum(['desc', 'asc'])
      .default('desc')
      .describe('`desc`: the newest or the highest first.'),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .superRefine(refuseOtherSort);
export type WholeInvoiceQuery = z.output<typeof WholeInvoiceQuery>;

const Sum = z.object({ count, amount_due: usd });

export const InvoiceTotals = z.object({
  open: Sum.describe('All open invoices, with those that are overdue.'),
  overdue: Sum.describe('The open invoices that are past their due date.'),
  paid_this_month: Sum.describe(
    'The invoices that were paid in this calendar month (UTC). Those that credit covered are left out.',
  ),
});
export type InvoiceTotals = z.infer<typeof InvoiceTotals>;

export const InvoiceFormat = z.strictObject({
  format: z
    .enum(['json', 'csv', 'html', 'pdf'])
    .optional()
    .describe('Replaces the header `Accept`. `html` is a page to print.'),
});

const words = (missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(200, 'Enter at most 200 characters.')
    .regex(PRINTED, PRINTED_FAULT);

export const InvoicePaid = z.strictObject({
  reference: words('Enter a reference.')
    .describe('The reference of the payment.')
    .meta({ examples: ['bank transfer 4711'] }),
  paid_on: z.iso
    .date('Enter a day such as 2026-12-02.')
    .optional()
    .describe(
      'The day in UTC on which it was paid: today, if it is not given. Not in the future, and not before the day ' +
        'on which the invoice was issued.',
    ),
});
export const InvoiceSent = z.object({
  id: z.string(),
  number: z.string().meta({ examples: ['INV-000001'] }),
  recipients: z
    .array(z.string())
    .describe('The addresses of the members who manage billing, to whom the email goes.')
    .meta({ examples: [['ada@example.com']] }),
});
export type InvoiceSent = z.infer<typeof InvoiceSent>;

export const InvoiceVoid = z.strictObject({ reason: words('Enter a reason.') });
