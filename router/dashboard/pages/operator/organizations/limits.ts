/** The limits of an organization, as operators read and set them. */
import type { Limits } from '../../../../../shared/api/fields.ts';
import { shownCount } from '../../../format/count.ts';

export const LIMITS: readonly Readonly<{ name: keyof Limits; label: string; hint?: string }>[] = [
  { name: 'requests_per_minute', label: 'Requests per minute' },
  {
    name: 'tokens_per_minute',
    label: 'Tokens per minute',
    hint: 'Prompt and completion tokens together.',
  },
  { name: 'concurrent_requests', label: 'Concurrent requests' },
];

/** "Default (10,000)". `inForce`: the default of the service; null: it has no limit. */
export function defaultShown(inForce: number | null): string {
  return `Default (${inForce === null ? 'no limit' : shownCount(inForce)})`;
}
