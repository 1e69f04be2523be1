/**
 * What a month has cost an organization, by model. The ledger has the total, and the rollups have
 * the models (decision 0033). Both are read in one transaction, so that they agree about the newest
 * request.
 */
import type { UsageSums } from '../../shared/api/usage.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { inPico } from '../../shared/money.ts';
import { readProcedure } from '../store/procedure.ts';
import { type Column, readPeriod } from './ledger-days/days.ts';
import { summarizeUsage } from './rollups/summary.ts';
import { ordinalOf, startOf } from './time-buckets.ts';

/** More models than any catalog has. Further ones are one line. */
const MODELS_MAX = 1_000;

/** Amounts are in pico-USD. */
export type MonthStatement = Readonly<{
  /** The balance at the start and the end of the month, and what changed it but for `total`. */
  balance: Readonly<Record<Exclude<Column, 'usage'> | 'opening' | 'closing', bigint>>;
  /** What the requests that arrived in the month cost. */
  sums: UsageSums;
  /** Highest cost first. `value` is the model; null for all further models. */
  models: readonly Readonly<{ value: string | null; figures: UsageSums }>[];
  /** The charges of the ledger in the month, less the reversals of charges in it. */
  total: bigint;
  /** `total` less the cost of all models. */
  otherMonths: bigint;
}>;

/** `at`: an instant of the month (UTC). Returns null when there is no such organization. */
export const readStatement = readProcedure<
  Readonly<{ organization: OrganizationId; at: number }>,
  MonthStatement | 'too_wide' | null
>('readStatement', { heavy: true }, async (db, { organization, at }) => {
  const month = ordinalOf('month', at);
  const period = await readPeriod(db, organization, {
    from: startOf('month', month) / DAY_MS,
    until: startOf('month', month + 1) / DAY_MS,
  });
  if (!period) return null;
  const usage = await summarizeUsage.run(db, {
    organization,
    bucket: 'month',
    from: month,
    until: month + 1,
    groupBy: 'model',
    groups: MODELS_MAX,
    filters: {},
  });
  if (usage === 'too_wide') return usage;
  const { usage: change, ...balance } = period;
  const total = -change;
  const { totals: sums, groups: models } = usage;
  return { balance, sums, models, total, otherMonths: total - inPico(sums.cost) };
});
