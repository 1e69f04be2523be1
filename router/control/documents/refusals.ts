/** With which errors operations answer: the closed table of refusals, as far as this API has part in it. */
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import type { DescribedRoute } from './operation.ts';

const READS = new Set(['GET', 'HEAD']);

/** Refusals of the data plane alone. */
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

/** The codes of this API by their status. */
export const CODES: ReadonlyMap<number, readonly RefusalCode[]> = Map.groupBy(
  (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => !DATA_PLANE.has(code)),
  (code) => REFUSALS[code].status,
);

/** With which errors a route answers: a public read knows nobody, and no read is in conflict with anything. */
export function errorsOf({ method, path, access }: DescribedRoute): number[] {
  const isPublicRead = READS.has(method) && access === 'public';
  const never = new Set<number>();
  if (isPublicRead) for (const status of [401, 403]) never.add(status);
  if (READS.has(method)) for (const status of [402, 409, 429, 502]) never.add(status);
  if (READS.has(method) && !path.includes('{')) never.add(404);
  return [...CODES.keys()].filter((status) => !never.has(status)).toSorted((a, b) => a - b);
}
