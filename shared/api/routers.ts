/** Routers in the management API. */
import { z } from 'zod';
import { Region } from '../region.ts';
import { instant } from './fields.ts';

export const Router = z.object({
  id: z.string().describe('The id of this run of the router. A restarted router has another id.'),
  url: z
    .string()
    .nullable()
    .describe('The URL at which agents reach the router. Null while they should not.'),
  regions: z.array(Region),
  started: instant,
  beating: z
    .boolean()
    .describe('False when a peer has declared the router dead, and frees the credit that it held.'),
});
export type Router = z.infer<typeof Router>;
export const Routers = z.object({ data: z.array(Router) });
