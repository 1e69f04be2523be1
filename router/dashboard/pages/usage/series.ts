/** Converts a summary for a chart: one series for each group, with one value for each bucket. */
import type { UsageSummary, UsageSums } from '../../../../shared/api/usage.ts';
import { heightOf } from '../../format/usd.ts';
import type { MEASURES } from '../../search.ts';
import { type Bucket, startsOf } from './buckets.ts';

export type Measure = (typeof MEASURES)[number];
export type Group = UsageSummary['groups'][number];

type Drawn = Readonly<{
  /** ISO 8601. */
  starts: readonly string[];
  series: readonly Readonly<{ name: string; other: boolean; values: readonly number[] }>[];
}>;

/** Buckets that the summary leaves out have the value 0. */
export function drawnOf(summary: UsageSummary, measure: Measure): Drawn {
  const [from, until] = [Date.parse(summary.start), Date.parse(summary.end)];
  const starts = startsOf(summary.bucket as Bucket, from, until);
  const values = new Map<string, number>();
  for (const row of summary.data) {
    values.set(cellOf(row, Date.parse(row.start)), heightIn(row, measure));
  }
  const groups = groupsOf(summary);
  return {
    starts: starts.map((start) => new Date(start).toISOString()),
    series: groups.map(({ name, group }) => ({
      name,
      other: group.other,
      values: starts.map((start) => values.get(cellOf(group, start)) ?? 0),
    })),
  };
}

type NamedGroup = Readonly<{ name: string; group: Group }>;

/**
 * Returns the groups that have requests, with unique names: the most expensive first, and the group
 * of all others last.
 */
export function groupsOf({ groups, group_by }: UsageSummary): NamedGroup[] {
  const shown = groups
    .filter(({ requests }) => requests > 0)
    .toSorted((a, b) => Number(a.other) - Number(b.other))
    .map((group) => ({ name: nameOf(group, group_by), group }));
  const often = new Set(
    shown.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) !== at),
  );
  return shown.map(({ name, group }) =>
    often.has(name) && group.group !== null
      ? { name: `${name} (${group.group})`, group }
      : { name, group },
  );
}

function nameOf({ group, name, other }: Group, by: string | null): string {
  if (other) return 'Other';
  if (by === 'source') return group === 'playground' ? 'Playground' : 'API';
  if (group !== null) return name ?? group;
  // The keys of playground sessions have no names that people know, so they are one group.
  return by === 'key' ? 'Playground' : 'No member';
}

type Cell = Readonly<{ group: string | null; other: boolean }>;

function cellOf({ group, other }: Cell, start: number): string {
  return `${start} ${other ? 'other' : `of ${group ?? ''}`}`;
}

function heightIn(sums: UsageSums, measure: Measure): number {
  if (measure === 'cost') return heightOf(sums.cost);
  return measure === 'requests' ? sums.requests : tokensOf(sums);
}

/** Prompt tokens include the cached tokens, and completion tokens include the reasoning tokens. */
export function tokensOf(
  sums: Readonly<{ prompt_tokens: number; completion_tokens: number }>,
): number {
  return sums.prompt_tokens + sums.completion_tokens;
}

/** The share of prompt tokens that were cached, from 0 to 1; null without prompt tokens. */
export function cachedShare(
  sums: Readonly<{ prompt_tokens: number; cached_tokens: number }>,
): number | null {
  return sums.prompt_tokens === 0 ? null : sums.cached_tokens / sums.prompt_tokens;
}
