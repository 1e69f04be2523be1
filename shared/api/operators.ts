/** Operators of the platform, in the management API. Only operators manage them. */
import { z } from 'zod';
import { OPERATOR_ROLES } from '../operator-roles.ts';
import { instant, Name } from './fields.ts';
import { page } from './pages.ts';
import { Email } from './people.ts';

export const OperatorRole = z
  .enum(OPERATOR_ROLES)
  .describe(
    '`administrator`: everything. `viewer`: reads all that operators may, changes nothing.',
  );

export const NewOperator = z.strictObject({
  email: Email,
  name: Name.meta({ examples: ['Ada Lovelace'] }),
  role: OperatorRole.default('administrator'),
});

/** Makes the person of an existing account an operator. */
export const PromotedOperator = z.strictObject({ email: Email, role: OperatorRole });
export const OperatorRoleChange = z.strictObject({ role: OperatorRole });

export const Operator = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: OperatorRole.optional().describe(
    'What the operator may do. Absent when a router of an earlier version answers.',
  ),
  /** Whether signing in requires a code. */
  second_factor: z.boolean(),
  locked: z
    .boolean()
    .optional()
    .describe(
      'Whether the account is locked, so that the operator can neither sign in nor use the token. Absent when a router of an earlier version answers.',
    ),
  created: instant.describe('Since when the person is an operator.'),
  created_by: z
    .object({
      by: z.enum(['operator', 'command']),
      person: z.string().nullable(),
      name: z.string().nullable(),
    })
    .nullable()
    .describe(
      'The operator who created this one, or the command `penstock operator`. Null for the operator of the first start.',
    ),
  last_seen: instant
    .nullable()
    .describe('When a session or the token of the operator was last used. Null if never.'),
  /** When the operator's token was created. Null when the operator has none. It does not expire. */
  token_created: instant.nullable(),
  token_last_used: instant.nullable().describe('To within a minute.'),
});
export type Operator = z.infer<typeof Operator>;
export const OperatorPage = page(Operator);

/** The only response that contains the password and the token, of which only digests are kept. */
export const CreatedOperator = Operator.extend({ password: z.string(), token: z.string() });
export const RotatedToken = z.object({ id: z.string(), token: z.string() });
export const OperatorTokenRevoked = z.object({ id: z.string(), token: z.null() });
export const OperatorRevoked = z.object({ id: z.string(), operator: z.literal(false) });
