/** What an id or a number of the service names. */
import { z } from 'zod';

export const LookupQuery = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{3,64}$/, 'Enter an ID such as key_… or pay_…, or a number such as INV-000042.')
    .describe(
      'The whole ID of a key, payment, invoice or job, or the number of a receipt or invoice.',
    )
    .meta({ examples: ['INV-000042'] }),
});

export const Lookup = z.object({
  found: z
    .object({
      kind: z.enum(['key', 'payment', 'invoice', 'job']),
      id: z.string(),
      name: z
        .string()
        .describe('The name of a key, the number of a receipt or invoice, or the kind of a job.'),
      organization_id: z.string().nullable().describe("The organization's id. Null for a job."),
      state: z.string().nullable().describe('The state of a job. Otherwise null.'),
    })
    .nullable()
    .describe('Null when nothing has this ID or number.'),
});
export type Found = NonNullable<z.infer<typeof Lookup>['found']>;
