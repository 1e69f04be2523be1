/**
 * Management tokens in the management API, with which scripts act for an organization. They do not
 * work on the data plane.
 */
import { z } from 'zod';
import { Name, instant } from './fields.ts';
import { Expiry } from './keys.ts';
import { page } from './pages.ts';
import { Role } from './roles.ts';

export const NewToken = z.strictObject({
  name: Name.meta({ examples: ['Terraform'] }),
  role: Role.describe('The token may do what a member with this role may do.'),
  expires: Expiry.optional(),
});

export const Token = z.object({
  id: z.string(),
  name: z.string(),
  role: Role,
  state: z.enum(['active', 'expired']),
  created_by: z
    .object({
      person: z.string(),
      name: z.string().nullable().describe('Null when the data of this person has been erased.'),
    })
    .nullable(),
  created: instant,
  expires: instant.nullable(),
  last_used: instant.nullable().describe('Accurate to a minute.'),
});
export type Token = z.infer<typeof Token>;
export const TokenPage = page(Token);

/** The response to the creation of a token, and the only one that contains the token itself. */
export const CreatedToken = Token.extend({
  token: z.string().describe('The token itself. No other response contains it.'),
});
