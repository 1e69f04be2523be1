/**
 * The errors that operations can return: the closed table of refusals, limited to the management
 * API.
 */
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import type { DescribedRoute } from './described-route.ts';

const READS = new Set(['GET', 'HEAD']);

/** Errors that only the data plane returns. */
const DATA_PLANE: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'context_length_exceeded',
  'missing_api_key',
  'invalid_api_key',
  'wrong_region',
  'insufficient_credit',
  'key_limit_reached',
  'engine_failed',
  'worker_lost',
  'no_worker',
  'workers_died',
  'overloaded',
  'shutting_down',
  'first_byte_timeout',
  'idle_timeout',
  'deadline_exceeded',
]);

/** The management API's error codes by HTTP status. */
export const CODES: ReadonlyMap<number, readonly RefusalCode[]> = Map.groupBy(
  (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !DATA_PLANE.has(code)),
  (code) => REFUSALS[code].status,
);

/**
 * Returns the error statuses of a route. A public read never returns 401 or 403, and no read
 * returns 402, 409, 429 or 502. A read without a path parameter never returns 404.
 */
export function errorsOf({ method, path, access }: DescribedRoute): number[] {
  const isPublicRead = READS.has(method) && access === 'public';
  const never = new Set<number>();
  if (isPublicRead) for (const status of [401, 403]) never.add(status);
  if (READS.has(method)) for (const status of [402, 409, 429, 502]) never.add(status);
  if (READS.has(method) && !path.includes('{')) never.add(404);
  return [...CODES.keys()].filter((status) => !never.has(status)).toSorted((a, b) => a - b);
}
