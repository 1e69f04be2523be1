/** Credit and transfers in the management API. */
import { DAY_MS } from '../durations.ts';
import { z } from 'zod';
import { inPico, ZERO, parseUsd } from '../money.ts';
import { count, instant, Reason, usd } from './fields.ts';
import { oneOrMore, page, pageQuery, SequenceCursor } from './pages.ts';
import { Recharge } from './payments.ts';

/** A day in UTC. It is parsed to the number of days since 1970. */
const Day = z.iso
  .date('Enter a day such as 2026-11-24.')
  .transform((text) => Date.parse(text) / DAY_MS);

export const AdjustmentAmount = z
  .string()
  .refine(
    (text) => (parseUsd(text) ?? ZERO) !== ZERO,
    'Enter a number other than 0, such as 5 or -2.5.',
  )
  .meta({
    pattern: String.raw`^-?(?!0+(?:\.0+)?$)[0-9]{1,7}(?:\.[0-9]{1,12})?$`,
    examples: ['25'],
  });

export const NewAdjustment = z.strictObject({
  /** A positive amount is credited to the organization, and a negative amount is debited. */
  amount: AdjustmentAmount.transform(inPico),
  reason: Reason,
});

/**
 * `balance` includes what running requests have `held`, and may go down to `-credit_limit`.
 * `available` is `balance - held + credit_limit`. It can be negative after a dispute.
 */
export const Credit = z.object({ balance: usd, held: usd, credit_limit: usd, available: usd });
export type Credit = z.infer<typeof Credit>;

export const CreditState = Credit.extend({ recharge: Recharge });

export const CreditForecast = z.object({
  days: count
    .nullable()
    .describe(
      'For how many whole days the available credit lasts. Null when nothing was spent lately, or nothing is available.',
    )
    .meta({ examples: [12] }),
  rate_days: count
    .nullable()
    .describe('Of how many complete days (UTC) the rate is. Null: of today so far.')
    .meta({ examples: [7] }),
});
export type CreditForecast = z.infer<typeof CreditForecast>;

export const Transfer = z.object({
  id: z.string(),
  /** Numbers an organization's transfers from 1, without gaps. */
  seq: count,
  kind: z.string(),
  /** The amount that the organization gained, or lost if it is negative. */
  amount: usd,
  /** The cause of the transfer, such as a request. */
  reference: z.string(),
  reason: z.string().nullable(),
  created: instant,
});
export type Transfer = z.infer<typeof Transfer>;

const TransferActor = z.object({
  kind: z.enum([
    'person',
    'management-token',
    'auto-recharge',
    'key',
    'operator',
    'provider',
    'system',
  ]),
  id: z
    .string()
    .nullable()
    .describe(
      'The id of the person, of the operator or of the API key. Only operators see operators.',
    ),
  name: z
    .string()
    .nullable()
    .describe('The current name of it. Null when it has none, or when it is no longer known.'),
});
export type TransferActor = z.infer<typeof TransferActor>;

const TransferDocument = z.object({
  kind: z.enum(['payment', 'invoice']),
  id: z.string(),
  number: z
    .string()
    .nullable()
    .describe('The number of the receipt or of the invoice.')
    .meta({ examples: ['REC-000001'] }),
});
export type TransferDocument = z.infer<typeof TransferDocument>;

/** A transfer in a list. */
export const TransferEntry = Transfer.extend({
  actor: TransferActor.nullable().describe('Who caused the transfer. Null when it is not known.'),
  document: TransferDocument.nullable().describe(
    'The payment or the invoice that the transfer belongs to, if there is one.',
  ),
  balance_after: usd
    .nullable()
    .describe(
      'The balance after the transfer, exactly. Null on a day with so many charges that they cannot be added up ' +
        'in time; `day_closing` is then the nearest balance.',
    ),
  day_closing: usd
    .nullable()
    .describe(
      'The balance after the last transfer of the same day (UTC), as the ledger by day has it. Null for a moment ' +
        'after very many charges.',
    ),
});
export type TransferEntry = z.infer<typeof TransferEntry>;
export const TransferPage = page(TransferEntry);

export const TRANSFER_KINDS = [
  'welcome',
  'payment',
  'usage',
  'reversal',
  'adjustment',
  'refund',
  'refund_reversal',
  'dispute',
  'dispute_reversal',
] as const;

export const TransferQuery = pageQuery(SequenceCursor).extend({
  kind: oneOrMore(z.enum(TRANSFER_KINDS)).describe('Only transfers of these kinds.'),
  cause: z
    .enum(['usage', 'other'])
    .optional()
    .describe(
      '`usage`: charges of requests and their reversals. `other`: payments, refunds, disputes, adjustments and the ' +
        'welcome credit. A page of `usage` may have fewer transfers than `limit` although more follow.',
    ),
  day: Day.optional().describe('Only the transfers of this day in UTC, such as `2026-11-24`.'),
  format: z.enum(['json', 'csv']).default('json'),
});

const LEDGER_DAYS_MAX = 366;

/** `start` and `end` are days; `end` is exclusive. */
export const LedgerQuery = z.strictObject({
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(LEDGER_DAYS_MAX))
    .default(31)
    .meta({ type: 'integer', minimum: 1, maximum: LEDGER_DAYS_MAX }),
  after: Day.optional().describe('The `next` of the previous page.'),
  start: Day.optional().describe('The first day.'),
  end: Day.optional().describe('The day after the last one.'),
  format: z.enum(['json', 'csv']).default('json'),
});

/** Amounts are what the balance gained, or lost if they are negative. */
export const LedgerDay = z.object({
  day: z.iso.date().describe('The day in UTC on which the transfers were made.'),
  opening: usd.describe('The balance before the first of these transfers.'),
  payments: usd.describe('Payments, of top-ups and of invoices.'),
  credits: usd.describe('The welcome credit, and adjustments by an operator.'),
  refunds: usd.describe('Refunds and disputes, less those that were reversed.'),
  usage: usd.describe('The charges of requests, less those that were reversed.'),
  closing: usd.describe('The balance after the last of these transfers: the sum of the above.'),
  transfers: count.describe('How many transfers there are.'),
  charges: count.describe('How many of them are charges of requests, or reversals of charges.'),
});
export type LedgerDay = z.infer<typeof LedgerDay>;
export const LedgerPage = page(LedgerDay);

export const Adjusted = Credit.extend({ transfer: Transfer });
