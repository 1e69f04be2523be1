/**
 * The statement of a month in the management API: what each model has cost, and how the balance
 * changed.
 */
import { z } from 'zod';
import { count, instant, usd } from './fields.ts';

/** A calendar month in UTC, such as `2026-11`. */
export const Month = z
  .string()
  .regex(/^2\d{3}-(?:0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11.');

export const StatementQuery = z.strictObject({
  format: z
    .enum(['json', 'csv', 'html', 'pdf'])
    .default('json')
    .describe('`html` is a page to print.'),
});

const sums = {
  requests: count.describe('Requests that arrived in the month, including those that failed.'),
  prompt_tokens: count,
  cached_tokens: count.describe('The part of the prompt tokens that came from a cache.'),
  completion_tokens: count,
  reasoning_tokens: count.describe('The part of the completion tokens that is reasoning.'),
};

export const StatementLine = z.object({
  model: z.string().nullable().describe('Null for all models that are not listed separately.'),
  ...sums,
  cost: usd.describe('What these requests cost, without charges that were given back.'),
});
export type StatementLine = z.infer<typeof StatementLine>;

export const Statement = z.object({
  month: Month.describe('The calendar month, in UTC.'),
  start: instant,
  end: instant.describe('The first instant of the following month.'),
  is_over: z.boolean().describe('False while the month still goes on.'),
  ...sums,
  opening: usd.describe('The balance at the start of the month.'),
  payments: usd.describe('Payments in the month, of top-ups and of invoices.'),
  credits: usd.describe('The welcome credit, and adjustments by an operator.'),
  refunds: usd.describe(
    'Refunds and disputes, less those that were reversed: negative if they lower the balance.',
  ),
  total: usd.describe(
    'The charges of the ledger in this month, less the charges that were given back in it.',
  ),
  other_months: usd.describe(
    'The difference between `total` and the cost of the lines: charges in this month of requests ' +
      'that arrived in another one, less charges in other months of requests that arrived in ' +
      'this one. Charges that were given back in a later month than that of their request count, too.',
  ),
  closing: usd.describe(
    'The balance at the end of the month, or now: `opening` plus `payments`, `credits` and ' +
      '`refunds`, less `total`.',
  ),
  models: z.array(StatementLine).describe('Highest cost first.'),
});
export type Statement = z.infer<typeof Statement>;
