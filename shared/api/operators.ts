/** Operators of the platform in the management API: made, listed and ended by operators alone. */
import { z } from 'zod';
import { instant, Name } from './fields.ts';
import { page } from './pages.ts';
import { Email } from './people.ts';

export const NewOperator = z.strictObject({
  email: Email,
  name: Name.meta({ examples: ['Ada Lovelace'] }),
});

export const Operator = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Whether signing in takes a code. */
  second_factor: z.boolean(),
  created: instant,
  /** Of their token; null: they have none. */
  token_created: instant.nullable(),
});
export type Operator = z.infer<typeof Operator>;
export const OperatorPage = page(Operator);

/** In this answer alone: only digests are kept. */
export const CreatedOperator = Operator.extend({ password: z.string(), token: z.string() });
export const RotatedToken = z.object({ id: z.string(), token: z.string() });
export const OperatorRevoked = z.object({ id: z.string(), operator: z.literal(false) });
