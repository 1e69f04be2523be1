/** `penstock admin payment …` */
import { z } from 'zod';
import { CentAmount, Payment, Refunded } from '../../shared/api/payments.ts';
import { command, text } from './command.ts';
import { organization, payment } from './flags.ts';

export const listPayments = command({ organization }, async ({ client, list }, flags) =>
  list(client.pages(`/organizations/${flags.organization}/payments`, Payment), fields),
);

export const refundPayment = command(
  {
    organization,
    payment,
    amount: CentAmount.optional(),
    reason: z.string().trim().min(1).max(500),
  },
  async ({ client, show }, { organization: owner, payment: id, amount, reason }) => {
    const path = `/organizations/${owner}/payments/${id}/refund`;
    const made = await client.call('POST', path, Refunded, { amount, reason });
    await show(made, ({ refund, payment: of }) => ({
      refund: refund.id,
      state: refund.state,
      amount: `USD ${refund.amount}`,
      payment: of.id,
      'refunded of it': `USD ${of.refunded}`,
    }));
  },
);

function fields({ id, purpose, state, amount, paid, refunded, reason, receipt, created }: Payment) {
  return {
    id,
    purpose,
    state,
    amount: amount === null ? '-' : `USD ${amount}`,
    paid: paid === null ? '-' : `USD ${paid}`,
    refunded: `USD ${refunded}`,
    receipt: text(receipt),
    reason: text(reason),
    created,
  };
}
