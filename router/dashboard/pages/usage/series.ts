/** Converts a summary for a chart: one series for each group, with one value for each bucket. */
import type { UsageSummary, UsageSums } from '../../../../shared/api/usage.ts';
import { type Bucket, startsOf } from './buckets.ts';
import { coloursOf } from './colours.ts';

export type Group = UsageSummary['groups'][number];

type Drawn<Value> = Readonly<{
  /** ISO 8601. */
  starts: readonly string[];
  series: readonly Readonly<{
    name: string;
    /** Null for all other groups, and for requests that belong to no group. */
    group: string | null;
    other: boolean;
    colour: number;
    values: readonly Value[];
  }>[];
}>;

/** Buckets that the summary leaves out have the value `none`. */
export function drawnOf<Value extends number | null>(
  summary: UsageSummary,
  of: (sums: UsageSums) => Value,
  none: Value,
): Drawn<Value> {
  const [from, until] = [Date.parse(summary.start), Date.parse(summary.end)];
  const starts = startsOf(summary.bucket as Bucket, from, until);
  const values = new Map<string, Value>();
  for (const row of summary.data) {
    values.set(cellOf(row, Date.parse(row.start)), of(row));
  }
  const groups = groupsOf(summary);
  return {
    starts: starts.map((start) => new Date(start).toISOString()),
    series: groups.map(({ name, group, colour }) => ({
      name,
      colour,
      group: group.group,
      other: group.other,
      values: starts.map((start) => values.get(cellOf(group, start)) ?? none),
    })),
  };
}

export type NamedGroup = Readonly<{ name: string; group: Group }>;

/** Returns the groups of a chart, with their colours. */
export function groupsOf(summary: UsageSummary): (NamedGroup & Readonly<{ colour: number }>)[] {
  const colours = coloursOf(summary.group_by ?? '', colouredGroups(summary));
  return namedGroups(summary).map((one, index) => ({ ...one, colour: colours[index] ?? 0 }));
}

/** Returns the groups of a chart that have a colour: all but that of the others. */
export function colouredGroups(summary: UsageSummary): (string | null)[] {
  return namedGroups(summary)
    .filter(({ group }) => !group.other)
    .map(({ group }) => group.group);
}

/**
 * Returns the groups that have requests, with unique names: the most expensive first, and the group
 * of all others last.
 */
export function namedGroups({ groups, group_by }: UsageSummary): NamedGroup[] {
  const shown = groups
    .filter(({ requests }) => requests > 0)
    .toSorted((a, b) => Number(a.other) - Number(b.other));
  const names = shown.map((group) => nameOf(group, group_by));
  return shown.map((group, index) => {
    const name = names[index] ?? '';
    const isOften = names.indexOf(name) !== names.lastIndexOf(name);
    return {
      name: isOften && group.group !== null ? `${name} (${group.group})` : name,
      group,
    };
  });
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
