/** `penstock admin credit …` */
import { z } from 'zod';
import { Adjusted, AdjustmentAmount, Credit } from '../../shared/api/credit.ts';
import { command, usd } from './command.ts';
import { idempotencyKey, organization } from './flags.ts';

export const credit = {
  show: command({ organization }, async ({ client, show }, flags) =>
    show(await client.call('GET', `/organizations/${flags.organization}/credit`, Credit), fields),
  ),
  adjust: command(
    {
      organization,
      amount: AdjustmentAmount,
      reason: z.string().trim().min(1).max(500),
      idempotencyKey,
    },
    async ({ client, show }, { organization: owner, amount, reason, idempotencyKey: key }) => {
      const path = `/organizations/${owner}/credit/adjustments`;
      const adjusted = await client.callOnce(path, Adjusted, { amount, reason }, key);
      await show(adjusted, (made) => ({
        transfer: made.transfer.id,
        amount: usd(made.transfer.amount),
        ...fields(made),
      }));
    },
  ),
};

function fields({ balance, held, credit_limit, available }: Credit) {
  return {
    balance: usd(balance),
    held: usd(held),
    'credit limit': usd(credit_limit),
    available: usd(available),
  };
}
