/** `penstock admin payment …` */
import { z } from 'zod';
import { CentAmount, Payment, Refunded } from '../../shared/api/payments.ts';
import { command, usd } from './command.ts';
import { idempotencyKey, organization, payment } from './flags.ts';

export const payments = {
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/payments`, Payment), fields),
  ),
  refund: command(
    {
      organization,
      payment,
      amount: CentAmount.optional(),
      reason: z.string().trim().min(1).max(500),
      idempotencyKey,
    },
    async ({ client, show }, { organization: owner, payment: id, amount, reason, ...flags }) => {
      const path = `/organizations/${owner}/payments/${id}/refund`;
      const made = await client.callOnce(path, Refunded, { amount, reason }, flags.idempotencyKey);
      await show(made, ({ refund, payment: of }) => ({
        refund: refund.id,
        state: refund.state,
        amount: usd(refund.amount),
        payment: of.id,
        'refunded of it': usd(of.refunded),
      }));
    },
  ),
};

function fields({ id, purpose, state, amount, paid, refunded, reason, receipt, created }: Payment) {
  return {
    id,
    purpose,
    state,
    amount: usd(amount),
    paid: usd(paid),
    refunded: usd(refunded),
    receipt,
    reason,
    created,
  };
}
