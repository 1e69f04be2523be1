/** Sums the daily reports of hosts, exactly to the pico-USD. */
import type { HostReportEntry } from '../../../../shared/api/agents.ts';
import { sumUsd } from '../../format/usd.ts';

export type HostSum = Readonly<{
  /** Null for requests that reached no host. */
  agent: string | null;
  name: string | null;
  model: string;
  requests: number;
  errors: number;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  revenue: string;
}>;

/**
 * Returns one sum for each agent and model, sorted by the agent's name and then by model. Requests
 * that reached no host come last.
 */
export function sumHosts(entries: readonly HostReportEntry[]): HostSum[] {
  const sums = new Map<string, HostSum>();
  for (const entry of entries) {
    const key = `${entry.agent ?? ''} ${entry.model}`;
    const old = sums.get(key);
    sums.set(key, {
      agent: entry.agent,
      name: entry.agent_name,
      model: entry.model,
      requests: (old?.requests ?? 0) + entry.requests,
      errors: (old?.errors ?? 0) + entry.errors,
      promptTokens: (old?.promptTokens ?? 0) + entry.prompt_tokens,
      cachedTokens: (old?.cachedTokens ?? 0) + entry.cached_tokens,
      completionTokens: (old?.completionTokens ?? 0) + entry.completion_tokens,
      revenue: sumUsd([old?.revenue ?? '0', entry.revenue]),
    });
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      Number(a.agent === null) - Number(b.agent === null) ||
      (a.name ?? '').localeCompare(b.name ?? '') ||
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
