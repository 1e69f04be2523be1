/**
 * Notifies an organization once in each month when its spend reaches a threshold of its budget. When
 * it reaches several at once, only the highest is told.
 */
import { BUDGET_THRESHOLDS } from '../../../shared/api/budgets.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { monthOf } from '../../store/month.ts';
import { readSpendByDay } from '../../usage/ledger-days/spend.ts';
import type { ControlParts } from '../parts.ts';
import { firstDay, monthSpend } from './month-spend.ts';
import { listOpenBudgets, noteBudget, type OpenBudget } from './procedures.ts';

const EVERY_MS = 60_000;
const AT_ONCE_MAX = 200;
const MOST = Math.max(...BUDGET_THRESHOLDS);

type Parts = Pick<ControlParts, 'store' | 'clock' | 'log'>;

export function budgetTask(parts: Parts): ScheduledTask {
  const { store, clock, log } = parts;
  return {
    name: 'budgets',
    everyMs: EVERY_MS,
    async run(stopping) {
      const month = monthOf(clock.now());
      let after: OrganizationId | null = null;
      for (;;) {
        const asked = { month, most: MOST, after, limit: AT_ONCE_MAX };
        const open: readonly OpenBudget[] = await store.call(listOpenBudgets, asked);
        for (const budget of open) {
          if (stopping?.aborted) return;
          try {
            await look(parts, budget);
          } catch (err) {
            // The others are looked at; this one is again in the next run.
            const { organization } = budget;
            log.warn(
              { err, organization },
              'failed to compare the spend of a month with its budget',
            );
          }
        }
        const last = open.at(-1);
        if (last === undefined || open.length < AT_ONCE_MAX) return;
        after = last.organization;
      }
    },
  };
}

async function look({ store, clock }: Parts, budget: OpenBudget): Promise<void> {
  const { organization, amount, noted } = budget;
  const now = clock.now();
  const days = await store.call(readSpendByDay, { organization, from: firstDay(now) });
  if (!days) return;
  const { month, spent } = monthSpend(days, now);
  const percent = BUDGET_THRESHOLDS.findLast((of) => spent * 100n >= amount * BigInt(of));
  if (percent === undefined || percent <= noted) return;
  await store.call(noteBudget, { budget, month, percent, spent, now });
}
