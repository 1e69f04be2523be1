/** Invoices in the management API. */
import { z } from 'zod';
import { PRINTED, PRINTED_FAULT, count, instant, usd } from './fields.ts';
import { page, pageQuery, SequenceCursor } from './pages.ts';

const STATUSES = ['open', 'paid', 'void'] as const;

export const Invoice = z.object({
  id: z.string(),
  number: z
    .string()
    .describe('Without gaps over the whole installation.')
    .meta({ examples: ['INV-000001'] }),
  organization: z.string(),
  billed_to: z.string().describe("The organization's name when the invoice was issued."),
  period: z
    .object({ start: instant, end: instant })
    .describe(
      'A calendar month in UTC; `end` is the first instant after it. The last invoice of an organization that ' +
        'prepays again is made at once, and has what was spent in its month until then.',
    ),
  first_transfer: count.describe('It is made of the transfers from this number on'),
  last_transfer: count.describe('to this one, so that each stands on exactly one invoice.'),
  total: usd.describe('The sum of its lines, to the last pico-USD.'),
  brought_forward: usd.describe(
    'Credit that was left from before, which is taken off; below zero: what was owed from before.',
  ),
  amount_due: usd.describe('What is to be paid.'),
  terms_days: count,
  due: instant,
  status: z.enum(STATUSES),
  overdue: z.boolean().describe('Whether it is open after it was due.'),
  reference: z
    .string()
    .nullable()
    .describe('What its payment is known by, or why it is void; the operator says so.'),
  created: instant,
  ended: instant.nullable().describe('When it was paid or void.'),
});
export type Invoice = z.infer<typeof Invoice>;
export const InvoicePage = page(Invoice);

const tokens = z.int();

export const InvoiceLine = z.object({
  kind: z
    .string()
    .describe('`usage`, or the kind of transfers that it sums up.')
    .meta({ examples: ['usage', 'adjustment'] }),
  model: z.string().nullable(),
  count: z
    .int()
    .describe('Requests, or transfers; those whose charge was given back are taken off.'),
  prompt_tokens: tokens,
  cached_tokens: tokens.describe('The part of the prompt tokens that came from a cache.'),
  completion_tokens: tokens,
  unit_prices: z
    .object({ prompt: usd, cached: usd, completion: usd })
    .nullable()
    .describe('Per token; cached ones cost `cached` in place of `prompt`.'),
  amount: usd.describe('Below zero: what is credited.'),
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

export const InvoiceDetail = Invoice.extend({ lines: z.array(InvoiceLine) });
export type InvoiceDetail = z.infer<typeof InvoiceDetail>;

export const InvoiceQuery = pageQuery(SequenceCursor).extend({
  status: z.enum(STATUSES).optional(),
});

export const InvoiceFormat = z.strictObject({
  format: z
    .enum(['json', 'csv', 'html'])
    .optional()
    .describe('In place of the header `Accept`: `html` is a page to print.'),
});

const words = z.string().trim().min(1).max(200).regex(PRINTED, PRINTED_FAULT);

export const InvoicePaid = z.strictObject({
  reference: words
    .describe('What the payment is known by.')
    .meta({ examples: ['bank transfer of 2 December'] }),
});
export const InvoiceVoid = z.strictObject({ reason: words });
