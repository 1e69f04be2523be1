/**
 * An operator's session begins read-only in an organization that the operator is no member of, until
 * the operator allows changes there for a while.
 */
import { z } from 'zod';
import { instant, Reason } from './fields.ts';

export const NewAllowedChanges = z.strictObject({
  reason: Reason.describe('Why. The customer reads it in the audit log.').meta({
    examples: ['The customer asked for a new key by phone.'],
  }),
});

export const AllowedChanges = z.object({
  organization: z.string(),
  /** Null: changes are not allowed. */
  allowed: z.object({ reason: z.string(), begun: instant, until: instant }).nullable(),
});
export type AllowedChanges = z.infer<typeof AllowedChanges>;
