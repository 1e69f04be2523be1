/** Prices agreed with one organization, in the management API. */
import { z } from 'zod';
import { inPico, PICO_PER_USD } from '../money.ts';
import { decimalUsd, instant, usd } from './fields.ts';
import { page } from './pages.ts';

/** A price in USD per token, written as in the catalog. */
export const RatePrice = decimalUsd(
  PICO_PER_USD,
  'Enter a price from $0 to $1 per token, with at most 12 decimals.',
  String.raw`^0{0,6}(?:0(?:\.[0-9]{1,12})?|1(?:\.0{1,12})?)$`,
);

/** The price that was agreed with an organization for a model. It replaces the catalog's price. */
export const NewRate = z
  .strictObject({
    prompt: RatePrice.transform(inPico),
    completion: RatePrice.transform(inPico),
    input_cache_read: RatePrice.transform(inPico),
  })
  .refine(({ prompt, input_cache_read }) => input_cache_read <= prompt, {
    path: ['input_cache_read'],
    error: 'Enter a price that is not above the price of input.',
  });

export const Rate = z.object({
  model: z.string(),
  prompt: usd,
  completion: usd,
  input_cache_read: usd,
  /** When the price came into force. */
  created: instant,
});
export type Rate = z.infer<typeof Rate>;
export const RatePage = page(Rate);

/** The agreed price was removed, so the catalog's price applies again. */
export const RateRemoved = z.object({ model: z.string(), deleted: z.literal(true) });
