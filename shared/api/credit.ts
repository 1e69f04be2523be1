/** Credit and transfers in the management API. */
import { z } from 'zod';
import { inPico, ZERO, parseUsd } from '../money.ts';
import { count, instant, Reason, usd } from './fields.ts';
import { page, pageQuery, SequenceCursor } from './pages.ts';
import { Recharge } from './payments.ts';

export const AdjustmentAmount = z
  .string()
  .refine(
    (text) => (parseUsd(text) ?? ZERO) !== ZERO,
    'Enter an amount other than 0, such as 5 or -2.5.',
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
export const TransferPage = page(Transfer);

export const TransferQuery = pageQuery(SequenceCursor).extend({
  cause: z
    .enum(['usage', 'other'])
    .optional()
    .describe(
      '`usage`: charges of requests and their reversals. `other`: payments, refunds, disputes, adjustments and the ' +
        'welcome credit. A page with a cause may have fewer transfers than `limit` although more follow.',
    ),
});

export const Adjusted = Credit.extend({ transfer: Transfer });
