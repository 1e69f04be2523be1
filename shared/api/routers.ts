/** Routers in the management API. */
import { z } from 'zod';
import { Region } from '../wire/messages.ts';
import { instant } from './fields.ts';

export const Router = z.object({
  id: z.string().describe('Of this life of it: after a restart it is another.'),
  url: z.string().nullable().describe('Where agents reach it; null while they should not.'),
  regions: z.array(Region),
  started: instant,
  beating: z.boolean().describe('False: a peer has declared it dead, and frees what it held.'),
});
export type Router = z.infer<typeof Router>;
export const Routers = z.object({ data: z.array(Router) });
