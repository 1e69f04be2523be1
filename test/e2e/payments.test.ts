/**
 * Payments on a real `penstock up`: the sandbox's checkout, and auto-recharge when credit runs out.
 */
import { expect, test } from 'vitest';
import { CARDS, payAt } from '../router/control/payments-rig.ts';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

const say = async (key: string): Promise<number> => {
  const response = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 3,
      messages: [{ role: 'user', content: 'Say yes.' }],
    }),
  });
  await response.text();
  return response.status;
};

const spend = (id: string, amount: string) =>
  up.api('POST', `/organizations/${id}/credit/adjustments`, {
    amount: `-${amount}`,
    reason: 'spent',
  });

test('credit runs out, a top-up by the sandbox checkout has the customer served again', async () => {
  const { id, key } = await up.customer('Tops up');
  await spend(id, '5');
  expect(await say(key)).toBe(402);
  const begun = await up.api('POST', `/organizations/${id}/payments`, { amount: '20' });
  expect(begun.checkout_url).toMatch(`${up.origin}/checkout/sandbox/`);
  const page = await payAt(begun.checkout_url, CARDS.good);
  expect(page.status).toBe(303);
  expect(await say(key)).toBe(200);
  const receipt = await up.api('GET', `/organizations/${id}/payments/${begun.payment.id}/receipt`);
  expect(receipt).toMatchObject({ number: 'REC-000001', amount: '20' });
});

test('auto-recharge fires once when credit runs out', async () => {
  const { id, key } = await up.customer('Recharges');
  const begun = await up.api('POST', `/organizations/${id}/payment-method`);
  await payAt(begun.checkout_url, CARDS.good);
  const settings = { enabled: true, threshold: '2', amount: '10', monthly_cap: '50' };
  await up.api('PUT', `/organizations/${id}/recharge`, settings);
  await spend(id, '5');
  expect(await say(key)).toBe(402);
  await until(async () => (await say(key)) === 200, 'the recharge');
  const { data } = await up.api('GET', `/organizations/${id}/payments`);
  const recharges = data.filter(({ purpose }: { purpose: string }) => purpose === 'recharge');
  expect(recharges).toMatchObject([{ state: 'succeeded', paid: '10' }]);
  expect(await up.api('GET', `/organizations/${id}/recharge`)).toMatchObject({
    state: 'ready',
    month_spent: '10',
  });
  expect((await up.verify()).status).toBe(0);
});
