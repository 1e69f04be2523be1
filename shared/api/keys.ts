/** API keys in the management API. */
import { z } from 'zod';
import { Limits, LimitsChange, Name, UsdAmount, inPico, instant, usd } from './fields.ts';
import { page } from './pages.ts';

const monthlyCap = UsdAmount.transform(inPico).nullable();

/** What is given changes. */
export const KeyChange = z.strictObject({
  limits: LimitsChange.optional(),
  monthly_cap: monthlyCap.optional(),
});
export type KeyChange = z.output<typeof KeyChange>;

export const NewKey = KeyChange.extend({ name: Name });

export const Key = z.object({
  id: z.string(),
  name: z.string(),
  /** Enough of the key to tell it from others, too little to use it. */
  label: z.string(),
  state: z.enum(['active', 'revoked']),
  /** The key's own, within its organization's. */
  limits: Limits,
  /** What it may spend in a calendar month (UTC); null: as much as its organization has. */
  monthly_cap: usd.nullable(),
  created: instant,
  expires: instant.nullable(),
  last_used: instant.nullable(),
});
export type Key = z.infer<typeof Key>;
export const KeyPage = page(Key);

/** The answer to a key's creation, and the only one that has the key itself. */
export const CreatedKey = Key.extend({ key: z.string() });

export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) });
