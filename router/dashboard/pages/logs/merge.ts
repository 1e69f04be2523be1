/** One list of served and refused requests, newest first. */
import type { RefusalEntry } from '../../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../../shared/api/usage.ts';
import { endedAt } from '../usage/outcome.ts';

/** `at`: when the request ended, in ms since the epoch. */
export type LogRow =
  | Readonly<{ kind: 'admitted'; at: number; entry: UsageEntry }>
  | Readonly<{ kind: 'refused'; at: number; entry: RefusalEntry }>;

type Loaded<Entry> = Readonly<{ entries: readonly Entry[]; hasMore: boolean }>;

/**
 * Merges the loaded parts of both lists by the time at which requests ended. Where a list goes on,
 * rows of the other that are older than its last row are left out, since rows between may follow.
 */
export function merged(usage: Loaded<UsageEntry>, refusals: Loaded<RefusalEntry>): LogRow[] {
  const admitted = usage.entries.map((entry): LogRow => {
    return { kind: 'admitted', at: Date.parse(endedAt(entry)), entry };
  });
  const refused = refusals.entries.map((entry): LogRow => {
    return { kind: 'refused', at: Date.parse(entry.created), entry };
  });
  const from = Math.max(lastOf(admitted, usage.hasMore), lastOf(refused, refusals.hasMore));
  return [...admitted, ...refused].filter(({ at }) => at >= from).toSorted((a, b) => b.at - a.at);
}

function lastOf(rows: readonly LogRow[], hasMore: boolean): number {
  return hasMore ? Math.min(Infinity, ...rows.map(({ at }) => at)) : -Infinity;
}
