/** The months of the host reports, and their sums by host. */
import type { HostReportEntry } from '../../../../../shared/api/agents.ts';
import { sumUsd } from '../../../format/usd.ts';

export type HostSum = Pick<
  HostReportEntry,
  | 'agent'
  | 'agent_name'
  | 'requests'
  | 'errors'
  | 'prompt_tokens'
  | 'cached_tokens'
  | 'completion_tokens'
  | 'revenue'
> &
  Readonly<{
    /** The parts of the sum, by the name of their model. */
    models: readonly HostReportEntry[];
  }>;

/**
 * Sums what the entries of a period have of each host, by the name of its agent. Requests that
 * reached no host come last.
 */
export function sumByHost(entries: readonly HostReportEntry[]): HostSum[] {
  return [...Map.groupBy(entries, ({ agent }) => agent).values()]
    .map(sumOf)
    .toSorted(
      (a, b) =>
        Number(a.agent === null) - Number(b.agent === null) ||
        nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }),
    );
}

/** The sum of what all entries have. */
export function sumOf(entries: readonly HostReportEntry[]): HostSum {
  const [first] = entries;
  const all = (of: (entry: HostReportEntry) => number) =>
    entries.reduce((sum, entry) => sum + of(entry), 0);
  return {
    agent: first?.agent ?? null,
    agent_name: first?.agent_name ?? null,
    requests: all(({ requests }) => requests),
    errors: all(({ errors }) => errors),
    prompt_tokens: all((entry) => entry.prompt_tokens),
    cached_tokens: all((entry) => entry.cached_tokens),
    completion_tokens: all((entry) => entry.completion_tokens),
    revenue: sumUsd(entries.map(({ revenue }) => revenue)),
    models: entries.toSorted((a, b) => a.model.localeCompare(b.model)),
  };
}

function nameOf({ agent, agent_name: name }: HostSum): string {
  return name ?? agent ?? '';
}

/**
 * Returns the latest `many` months in UTC, such as `2026-11`, the current month first. `now` is in
 * ms since the epoch.
 */
export function monthsUntil(now: number, many: number): string[] {
  const [year = 0, month = 0] = new Date(now).toISOString().split('-').map(Number);
  return Array.from({ length: many }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

/** Returns the first and the last day of the month. */
export function daysOf(month: string): { from: string; to: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}
