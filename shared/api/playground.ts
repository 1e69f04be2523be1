/** The playground's session in the management API: a key for the browser on the data plane. */
import { z } from 'zod';
import { count, instant } from './fields.ts';

export const PlaygroundSession = z.object({
  id: z.string().describe("The key's id, under which usage is listed."),
  key: z.string().describe('An API key for `base_url`. No other response contains it.'),
  expires: instant,
  base_url: z
    .string()
    .nullable()
    .describe("The base URL of the organization's region. Null when this router does not know it.")
    .meta({ examples: ['https://api.example.com/v1'] }),
});

export const PlaygroundEnded = z.object({
  ended: count.describe('The number of keys that were ended and are refused from now on.'),
});
