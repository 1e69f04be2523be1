/**
 * The overview's figures, computed from summaries of usage. Today and this month are the last day
 * and month of a summary, because the router's clock decides.
 */
import type { UsageSummary, UsageSums } from '../../../../shared/api/usage.ts';
import { DAY_MS } from '../../clock.ts';
import { heightOf, sumUsd } from '../../format/usd.ts';

const DAYS_SHOWN = 30;

export type Spend = Readonly<{
  /** The start of each day, in UTC. */
  days: readonly string[];
  /** One for each model, the most expensive first. `total` is the model's cost over `days`. */
  models: readonly Readonly<{
    name: string;
    other: boolean;
    total: string;
    values: readonly number[];
  }>[];
  total: string;
  today: string;
}>;

/** Computes the spend of the last 30 days from a summary by day and model. */
export function spendOf({ start, end, groups, data }: UsageSummary): Spend {
  const days = daysBetween(Date.parse(start), Date.parse(end));
  const inDays = data.filter((cell) => days.includes(cell.start));
  const models = groups.map(({ group, other }) => {
    const cells = inDays.filter((cell) => cell.other === other && cell.group === group);
    const costs = new Map(cells.map((cell) => [cell.start, cell.cost]));
    return {
      name: other ? 'Other models' : (group ?? 'Unknown'),
      other,
      total: sumOf(cells),
      values: days.map((day) => heightOf(costs.get(day) ?? '0')),
    };
  });
  return {
    days,
    models,
    total: sumOf(inDays),
    today: sumOf(inDays.filter((cell) => cell.start === days.at(-1))),
  };
}

function daysBetween(start: number, end: number): string[] {
  const count = Math.round((end - start) / DAY_MS);
  const days = Array.from({ length: count }, (_, at) => isoOf(start + at * DAY_MS));
  return days.slice(-DAYS_SHOWN);
}

const NOTHING = {
  requests: 0,
  errors: 0,
  cancelled: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  cost: '0',
  cached_savings: '0',
  ttft_ms: null,
  duration_ms: null,
} as const satisfies UsageSums;

/** Returns the last month of a summary by month; its figures are zero when it had no usage. */
export function thisMonth({ end, data }: UsageSummary): UsageSums & Readonly<{ start: string }> {
  const last = new Date(Date.parse(end) - 1);
  const start = isoOf(Date.UTC(last.getUTCFullYear(), last.getUTCMonth()));
  return data.find((month) => month.start === start) ?? { ...NOTHING, start };
}

function sumOf(cells: readonly Readonly<{ cost: string }>[]): string {
  return sumUsd(cells.map(({ cost }) => cost));
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
