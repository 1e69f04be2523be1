/** Deletion of organizations and erasure of people in the management API. */
import { z } from 'zod';

export const OrganizationDeletion = z.strictObject({
  name: z.string().max(200).describe("The organization's name, to confirm the deletion."),
});

export const PersonErasure = z.strictObject({ password: z.string().max(128) });

export const Erased = z.object({ id: z.string(), erased: z.literal(true) });
