/** An organization's budget for a calendar month, in the management API. */
import { z } from 'zod';
import { inPico } from '../money.ts';
import { UsdAmount, usd } from './fields.ts';

/** In percent of the budget, rising. An email is sent when the spend of a month reaches one. */
export const BUDGET_THRESHOLDS = [50, 80, 100] as const;

export const Budget = z.object({
  amount: usd.nullable().describe('The budget for each calendar month (UTC). Null: none is set.'),
  month: z
    .string()
    .describe('The current month (UTC), as YYYY-MM.')
    .meta({ examples: ['2026-11'] }),
  spent: usd.describe('What requests have cost in this month, without those that are running.'),
  forecast: usd
    .nullable()
    .describe(
      'What requests will cost in the whole month at the rate of the last seven complete days. ' +
        'Null when nothing was spent on those days.',
    ),
});
export type Budget = z.infer<typeof Budget>;

export const BudgetChange = z.strictObject({
  amount: UsdAmount.transform(inPico)
    .refine((amount) => amount > 0n, 'Enter an amount above zero.')
    .nullable()
    .meta({ examples: ['500'] })
    .describe(
      `Members who manage billing get an email when the spend of a month reaches ${BUDGET_THRESHOLDS.join(', ').replace(/, (\d+)$/, ' and $1')} percent of it. Null: no budget.`,
    ),
});
