/** Routers in the management API. */
import { z } from 'zod';
import { Region } from '../region.ts';
import { count, instant } from './fields.ts';

export const Router = z.object({
  id: z.string().describe('The id of this run of the router. A restarted router has another id.'),
  url: z
    .string()
    .nullable()
    .describe('The URL at which agents reach the router. Null while they should not.'),
  regions: z.array(Region),
  started: instant,
  version: z
    .string()
    .nullish()
    .describe(
      'The version of Penstock that the router runs. Null for version 0.1.0; absent when a router of version 0.1.0 answers.',
    ),
  beating: z
    .boolean()
    .describe('False when a peer has declared the router dead, and frees the credit that it held.'),
  running: count
    .optional()
    .describe(
      'How many requests run on the router: those that hold credit. Absent when a router of an earlier version answers.',
    ),
  last_minute: z
    .object({
      requests: count.describe('How many requests ended.'),
      errors: count.describe('How many of them ended with a status of 5xx.'),
    })
    .nullish()
    .describe(
      'What the router served in the last minute, counted every ten seconds. Null when it has not reported that recently; absent when a router of an earlier version answers.',
    ),
});
export type Router = z.infer<typeof Router>;
export const Routers = z.object({ data: z.array(Router) });
