/**
 * The overview's figures, computed from summaries of usage. Today is the last day of a summary,
 * because the router's clock decides.
 */
import type { UsageSummary, UsageSums } from '../../../../shared/api/usage.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { heightOf, sumUsd } from '../../format/usd.ts';
import { groupsOf } from '../usage/series.ts';

const DAYS_SHOWN = 30;

type Spend = Readonly<{
  /** The start of each day, in UTC. */
  days: readonly string[];
  /** One for each model, the most expensive first. `total` is the model's cost over `days`. */
  models: readonly Readonly<{
    name: string;
    /** Null for all other models. */
    group: string | null;
    other: boolean;
    total: string;
    values: readonly number[];
  }>[];
  total: string;
  today: string;
}>;

/** Computes the spend of the last 30 days from a summary by day and model. */
export function spendOf(summary: UsageSummary): Spend {
  const days = daysBetween(Date.parse(summary.start), Date.parse(summary.end));
  const inDays = summary.data.filter((cell) => days.includes(cell.start));
  const models = groupsOf(summary).map(({ name, colour, group: { group, other } }) => {
    const cells = inDays.filter((cell) => cell.other === other && cell.group === group);
    const costs = new Map(cells.map((cell) => [cell.start, cell.cost]));
    return {
      name: other ? 'Other models' : name,
      colour,
      group,
      other,
      total: sumOf(cells),
      values: days.map((day) => heightOf(costs.get(day) ?? '0')),
    };
  });
  return {
    days,
    // The summary has more days, over which the order of its models may be another.
    models: models.toSorted(
      (one, next) =>
        Number(one.other) - Number(next.other) || heightOf(next.total) - heightOf(one.total),
    ),
    total: sumOf(inDays),
    today: sumOf(inDays.filter((cell) => cell.start === days.at(-1))),
  };
}

function daysBetween(start: number, end: number): string[] {
  const count = Math.round((end - start) / DAY_MS);
  const days = Array.from({ length: count }, (_, at) => isoOf(start + at * DAY_MS));
  return days.slice(-DAYS_SHOWN);
}

/** Sums of usage that can be added up over days. */
export type Totals = Readonly<
  Pick<
    UsageSums,
    | 'requests'
    | 'errors'
    | 'cancelled'
    | 'prompt_tokens'
    | 'cached_tokens'
    | 'completion_tokens'
    | 'cost'
    | 'cached_savings'
  >
>;

/** Computes the totals of the last 30 days from a summary by day. */
export function totalsOf({ start, end, data }: UsageSummary): Totals {
  const days = daysBetween(Date.parse(start), Date.parse(end));
  const cells = data.filter((cell) => days.includes(cell.start));
  const sum = (of: (cell: Totals) => number) => cells.reduce((all, cell) => all + of(cell), 0);
  return {
    requests: sum((cell) => cell.requests),
    errors: sum((cell) => cell.errors),
    cancelled: sum((cell) => cell.cancelled),
    prompt_tokens: sum((cell) => cell.prompt_tokens),
    cached_tokens: sum((cell) => cell.cached_tokens),
    completion_tokens: sum((cell) => cell.completion_tokens),
    cost: sumOf(cells),
    cached_savings: sumUsd(cells.map((cell) => cell.cached_savings)),
  };
}

export type Period = Readonly<{ start: string; end: string }>;

/** The last 30 days of a summary, and the 30 days before them. */
export function periodsOf({ end }: Pick<UsageSummary, 'end'>): { now: Period; before: Period } {
  const until = Date.parse(end);
  const [from, earlier] = [until - DAYS_SHOWN * DAY_MS, until - 2 * DAYS_SHOWN * DAY_MS];
  return {
    now: { start: isoOf(from), end },
    before: { start: isoOf(earlier), end: isoOf(from) },
  };
}

function sumOf(cells: readonly Readonly<{ cost: string }>[]): string {
  return sumUsd(cells.map(({ cost }) => cost));
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
