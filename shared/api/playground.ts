/** The playground's session in the management API: a key for the browser on the data plane. */
import { z } from 'zod';
import { count, instant } from './fields.ts';

export const PlaygroundSession = z.object({
  id: z.string().describe("The key's id, as it stands in usage."),
  key: z.string().describe('An API key for `base_url`. It is shown this once.'),
  expires: instant,
  base_url: z
    .string()
    .nullable()
    .describe("Where the organization's region is served; null: this router does not know.")
    .meta({ examples: ['https://api.example.com/v1'] }),
});

export const PlaygroundEnded = z.object({
  ended: count.describe('How many keys are refused from now on.'),
});
