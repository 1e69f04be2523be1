/** The months of the host reports, and the order of their rows. */
import type { HostReportEntry } from '../../../../../shared/api/agents.ts';

/**
 * Sorts the sums of a period by the agent's name and then by model. Requests that reached no host
 * come last.
 */
export function sortHosts(sums: readonly HostReportEntry[]): HostReportEntry[] {
  return sums.toSorted(
    (a, b) =>
      Number(a.agent === null) - Number(b.agent === null) ||
      (a.agent_name ?? '').localeCompare(b.agent_name ?? '') ||
      a.model.localeCompare(b.model),
  );
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
