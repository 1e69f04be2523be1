/** Credit and transfers in the management API. */
import { z } from 'zod';
import { ZERO, parseUsd } from '../money.ts';
import { PRINTED, PRINTED_FAULT, count, inPico, instant, usd } from './fields.ts';
import { page } from './pages.ts';
import { Recharge } from './payments.ts';

export const AdjustmentAmount = z
  .string()
  .refine(
    (text) => (parseUsd(text) ?? ZERO) !== ZERO,
    'is a decimal USD amount other than 0, with at most 12 decimals, such as 5 or -2.5',
  )
  .meta({
    pattern: String.raw`^-?(?!0+(?:\.0+)?$)[0-9]{1,7}(?:\.[0-9]{1,12})?$`,
    examples: ['25'],
  });

export const NewAdjustment = z.strictObject({
  /** Above zero: the organization gets it. Below: it loses it. */
  amount: AdjustmentAmount.transform(inPico),
  reason: z.string().trim().min(1).max(500).regex(PRINTED, PRINTED_FAULT),
});

/**
 * `balance` includes what is `held` by running requests, and may go down to `-credit_limit`; `available` is what
 * is left above that, and below zero after a dispute.
 */
export const Credit = z.object({ balance: usd, held: usd, credit_limit: usd, available: usd });
export type Credit = z.infer<typeof Credit>;

export const CreditState = Credit.extend({ recharge: Recharge });

export const Transfer = z.object({
  id: z.string(),
  /** Numbers an organization's transfers from 1, without gaps. */
  seq: count,
  kind: z.string(),
  /** What the organization gained, or lost when it is below zero. */
  amount: usd,
  /** What it answers to: a request, say. */
  reference: z.string(),
  reason: z.string().nullable(),
  created: instant,
});
export type Transfer = z.infer<typeof Transfer>;
export const TransferPage = page(Transfer);

export const Adjusted = Credit.extend({ transfer: Transfer });
