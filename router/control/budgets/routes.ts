/** Routes for the budget of an organization. */
import { Budget, BudgetChange } from '../../../shared/api/budgets.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { nameOfMonth } from '../../store/month.ts';
import { readSpendByDay } from '../../usage/ledger-days/spend.ts';
import { type Api, found, noSuch, usdOrNull } from '../api.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import type { ControlParts } from '../parts.ts';
import { firstDay, monthSpend } from './month-spend.ts';
import { readBudget, setBudgetAudited } from './procedures.ts';

type Parts = Pick<ControlParts, 'store' | 'clock'>;

export function budgetRoutes(api: Api, parts: Parts): void {
  api.get(
    '/organizations/:organization/budget',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the budget, what was spent of it in this month, and a forecast',
        description:
          'Requests are not refused because of a budget. Keys and members may have caps, which do ' +
          'refuse.',
        tags: ['credit'],
        params: OrganizationPath,
        response: { 200: Budget },
      },
    },
    async ({ params: { organization } }) => await shownBudget(parts, organization),
  );

  api.put(
    '/organizations/:organization/budget',
    {
      config: { access: { organization: 'billing' }, action: 'budget.set' },
      schema: {
        summary: 'Set the budget, or remove it',
        description:
          'A new amount starts new notices: an email is sent for the highest threshold that the ' +
          'spend of this month has reached.',
        tags: ['credit'],
        params: OrganizationPath,
        body: BudgetChange,
        response: { 200: Budget },
      },
    },
    async (request) => {
      const { organization } = request.params;
      const { amount } = request.body;
      const answer = await parts.store.call(setBudgetAudited, {
        input: { organization, amount },
        entry: request.auditEntry({
          target: organization,
          details: { amount: usdOrNull(amount) },
        }),
      });
      if (answer === 'unknown') throw noSuch('organization');
      return await shownBudget(parts, organization);
    },
  );
}

async function shownBudget({ store, clock }: Parts, organization: OrganizationId): Promise<Budget> {
  const now = clock.now();
  const asked = { organization, from: firstDay(now) };
  const days = found(await store.call(readSpendByDay, asked), 'organization');
  const budget = await store.call(readBudget, organization);
  if (budget === 'unknown') throw noSuch('organization');
  const { month, spent, forecast } = monthSpend(days, now);
  return {
    amount: usdOrNull(budget.amount),
    month: nameOfMonth(month),
    spent: formatUsd(spent),
    forecast: usdOrNull(forecast),
  };
}
