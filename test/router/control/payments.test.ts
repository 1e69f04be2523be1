/** Top-ups by hosted checkout, lost webhooks, and refunds. */
import { expect, test } from 'vitest';
import { configuredProvider } from '../../../router/control/payments/configured.ts';
import { reconciliationTask } from '../../../router/control/payments/reconciliation.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { CARDS, formOf, payAt, submitForm } from './payments-rig.ts';
import { signIn } from './people.ts';
import { log, startRig } from './rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

const pathOf = (organization: string) => `/api/v1/organizations/${organization}/payments`;

async function topUp(organization: string, amount = '20', headers?: Record<string, string>) {
  const answer = await pay.rig.ask('POST', pathOf(organization), { amount }, headers);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function show(organization: string, payment: string) {
  return (await pay.rig.ask('GET', `${pathOf(organization)}/${payment}`)).body;
}

async function refund(organization: string, payment: string, body: object, headers = {}) {
  const path = `${pathOf(organization)}/${payment}/refund`;
  return await pay.rig.ask('POST', path, body, headers);
}

/** Reconciles the payments once, as the scheduled task does. */
async function look(): Promise<void> {
  const { rig, clock, provider } = pay;
  await reconciliationTask({ store: rig.store, clock, log, random, seller: null }, provider).run();
}

test('a billing-admin tops up: the balance has it once the checkout is paid', async () => {
  const organization = await pay.customer();
  const admin = await signIn(pay.rig, { role: 'billing-admin', organization });
  const begun = await admin.ask('POST', pathOf(organization), { amount: '49.99' });
  expect(begun.status).toBe(201);
  expect(begun.body.payment).toMatchObject({ state: 'open', amount: '49.99', purpose: 'top-up' });
  expect(await pay.balance(organization)).toBe('5');
  const paid = await payAt(begun.body.checkout_url, CARDS.good);
  expect(paid.status).toBe(303);
  const { id } = begun.body.payment;
  expect(paid.location).toBe(
    `${pay.rig.origin}/${organization}/billing?payment=${id}&checkout=done`,
  );
  expect(await pay.balance(organization)).toBe('54.99');
  expect(await show(organization, id)).toMatchObject({
    state: 'succeeded',
    paid: '49.99',
    receipt: 'REC-000001',
    refunds: [],
  });
  const listed = await admin.ask('GET', pathOf(organization));
  expect(listed.body).toMatchObject({ data: [{ id }], has_more: false, next: null });
  const transfers = await admin.ask('GET', `/api/v1/organizations/${organization}/transfers`);
  expect(transfers.body.data[0]).toMatchObject({
    kind: 'payment',
    reference: id,
    actor: { kind: 'person', id: admin.person, name: expect.any(String) },
    document: { kind: 'payment', id, number: 'REC-000001' },
    balance_after: '54.99',
  });
});

test('customers do not see which operator has begun a payment for them', async () => {
  const organization = await pay.customer();
  const viewer = await signIn(pay.rig, { role: 'viewer', organization });
  const begun = await pay.rig.ask('POST', pathOf(organization), { amount: '20' });
  await payAt(begun.body.checkout_url, CARDS.good);
  const actorFor = async ({ ask }: Pick<typeof viewer, 'ask'>) =>
    (await ask('GET', `/api/v1/organizations/${organization}/transfers`)).body.data[0].actor;
  expect(await actorFor(viewer)).toEqual({ kind: 'operator', id: null, name: null });
  expect(await actorFor(pay.rig)).toMatchObject({ kind: 'operator', name: 'Operator' });
});

test('who may not bill begins no payment, and reads them', async () => {
  const organization = await pay.customer();
  const developer = await signIn(pay.rig, { role: 'developer', organization });
  const path = pathOf(organization);
  expect((await developer.ask('POST', path, { amount: '20' })).status).toBe(403);
  expect((await developer.ask('GET', path)).status).toBe(200);
});

test.each(['4.99', '4999.01', '20.001', '-5', 'many', 20])(
  'a top-up is USD 5 to 4999 in whole cents, not %s',
  async (amount) => {
    const organization = await pay.customer();
    const refused = await pay.rig.ask('POST', pathOf(organization), { amount });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 'invalid_value', param: 'amount' });
  },
);

test('an idempotency key stands for one payment, and for no other', async () => {
  const organization = await pay.customer();
  const headers = { 'idempotency-key': 'abc' };
  const begun = await Promise.all([1, 2, 3].map(() => topUp(organization, '20', headers)));
  expect(new Set(begun.map(({ payment }) => payment.id)).size).toBe(1);
  expect(new Set(begun.map(({ checkout_url }) => checkout_url)).size).toBe(1);
  const other = await pay.rig.ask('POST', pathOf(organization), { amount: '30' }, headers);
  expect(other.status).toBe(409);
  // The same key string of another customer is a different key.
  const elsewhere = await topUp(await pay.customer(), '20', headers);
  expect(elsewhere.payment.id).not.toBe(begun[0].payment.id);
  await payAt(begun[0].checkout_url, CARDS.good);
  const again = await topUp(organization, '20', headers);
  expect(again).toMatchObject({ checkout_url: null, payment: { state: 'succeeded' } });
  expect(await pay.rig.bytes()).not.toContain('idempotency-abc');
});

test('a payment of another organization cannot be told from none', async () => {
  const organization = await pay.customer();
  const { payment } = await topUp(organization);
  const path = pathOf(await pay.customer());
  const foreign = await pay.rig.ask('GET', `${path}/${payment.id}`);
  const missing = await pay.rig.ask('GET', `${path}/pay_${'0'.repeat(26)}`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual(missing.body.error);
  expect((await pay.rig.ask('GET', `${path}/${payment.id}/receipt`)).status).toBe(404);
  expect((await refund(path.split('/')[4] as string, payment.id, { reason: 'x' })).status).toBe(
    404,
  );
});

test('an organization may leave only so many checkouts open', async () => {
  const organization = await pay.customer();
  for (let n = 0; n < 50; n++) await topUp(organization);
  const refused = await pay.rig.ask('POST', pathOf(organization), { amount: '20' });
  expect(refused.status).toBe(409);
});

test('nobody is sent to pay for more than the account can hold', async () => {
  const organization = await pay.customer();
  await pay.rig.ask('POST', `/api/v1/organizations/${organization}/credit/adjustments`, {
    amount: '3999990',
    reason: 'a whale',
  });
  const refused = await pay.rig.ask('POST', pathOf(organization), { amount: '20' });
  expect(refused.status).toBe(409);
});

test('what the sandbox could not tell is found when the payment is looked after', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  // As if the router had died between the two steps: paid at the provider, and unknown here.
  await payAt(checkout_url, CARDS.good);
  await pay.rig.place.sql(
    `update payments set state = 'open', transfer = null, reference = null, receipt = null,
      receipt_series = null, receipt_number = null, paid = null, look_at = created + 60000 where id = '${payment.id}'`,
    `delete from payment_events where event like 'paid:%${payment.id.slice(4)}'`,
    `delete from transfers where reference = '${payment.id}'`,
    `update accounts set balance = 5000000000000, transfer_seq = 1 where id = '${organization}'`,
  );
  await look();
  expect(await pay.balance(organization)).toBe('5');
  pay.clock.advance(60_000);
  await Promise.all([look(), look()]);
  expect(await pay.balance(organization)).toBe('25');
  expect(await show(organization, payment.id)).toMatchObject({ state: 'succeeded' });
});

test('a checkout that is left runs out after a day', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  const form = formOf(await payAt(checkout_url, CARDS.declined));
  expect(await show(organization, payment.id)).toMatchObject({
    state: 'failed',
    reason: 'card_declined',
  });
  pay.clock.advance(23 * 3_600_000);
  await look();
  expect(await show(organization, payment.id)).toMatchObject({ state: 'failed' });
  pay.clock.advance(3_600_000);
  await look();
  pay.clock.advance(3_600_000);
  await look();
  expect(await show(organization, payment.id)).toMatchObject({ state: 'expired' });
  const late = await submitForm(checkout_url, { form, card: CARDS.good });
  expect(late.text).toContain('This checkout has expired');
  expect(await pay.balance(organization)).toBe('5');
});

test('a router that stops leaves what it has not looked at to the others', async () => {
  const organization = await pay.customer();
  const { payment } = await topUp(organization);
  await pay.rig.place.sql(
    `update payments set created = 0, look_at = 0 where id = '${payment.id}'`,
  );
  const { rig, clock, provider } = pay;
  const task = reconciliationTask({ store: rig.store, clock, log, random, seller: null }, provider);
  await task.run(AbortSignal.abort());
  expect(await show(organization, payment.id)).toMatchObject({ state: 'open' });
  await task.run();
  expect(await show(organization, payment.id)).toMatchObject({ state: 'expired' });
});

test('an operator pays back a part, then the rest, and never more', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  expect((await refund(organization, payment.id, { reason: 'none yet' })).status).toBe(409);
  await payAt(checkout_url, CARDS.good);
  const part = await refund(organization, payment.id, { amount: '8.50', reason: 'a fault' });
  expect(part.status).toBe(201);
  expect(part.body.refund).toMatchObject({ state: 'pending', amount: '8.5', reason: 'a fault' });
  // The balance changes before the provider has received the refund.
  expect(await pay.balance(organization)).toBe('16.5');
  const listed = async () => (await pay.rig.ask('GET', pathOf(organization))).body.data[0];
  const back = { refunded: '8.5', refund_pending: '8.5' };
  expect(part.body.payment).toMatchObject(back);
  expect(await show(organization, payment.id)).toMatchObject(back);
  expect(await listed()).toMatchObject(back);
  await pay.work();
  expect(await listed()).toMatchObject({ refunded: '8.5', refund_pending: '0' });
  const [shown] = (await show(organization, payment.id)).refunds;
  expect(shown).toMatchObject({ state: 'succeeded', amount: '8.5' });
  expect((await refund(organization, payment.id, { amount: '12', reason: 'x' })).status).toBe(409);
  await refund(organization, payment.id, { reason: 'the rest' });
  await pay.work();
  expect(await pay.balance(organization)).toBe('5');
  expect((await refund(organization, payment.id, { reason: 'again' })).status).toBe(409);
  expect(await show(organization, payment.id)).toMatchObject({ refunded: '20', paid: '20' });
});

test('a refund that is asked for twice at once under one key is made once', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  await payAt(checkout_url, CARDS.good);
  const wanted = { amount: '5', reason: 'twice' };
  const headers = { 'idempotency-key': 'r1' };
  const asked = await Promise.all(
    [1, 2, 3].map(() => refund(organization, payment.id, wanted, headers)),
  );
  expect(asked.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await pay.balance(organization)).toBe('20');
});

test('a repeated request has the pending refund, also if an earlier version has kept its answer', async () => {
  const organization = await pay.customer();
  const begin = () =>
    pay.rig.ask('POST', pathOf(organization), { amount: '20' }, { 'idempotency-key': 'begin' });
  const { payment, checkout_url } = (await begin()).body;
  expect(payment).toMatchObject({ refunded: '0', refund_pending: '0' });
  await payAt(checkout_url, CARDS.good);
  const wanted = { amount: '5.25', reason: 'a part' };
  const again = () => refund(organization, payment.id, wanted, { 'idempotency-key': 'part' });
  await again();
  const back = { refunded: '5.25', refund_pending: '5.25' };
  expect((await begin()).body.payment).toMatchObject(back);
  const field = ',"refundPending":{"$bigint":"5250000000000"}';
  const left = `select answer from idempotency_keys where answer like '%${field}%'`;
  expect(await pay.rig.place.sql(left)).toHaveLength(1);
  await pay.rig.place.sql(`update idempotency_keys set answer = replace(answer, '${field}', '')`);
  expect(await pay.rig.place.sql(left)).toEqual([]);
  expect((await again()).body.payment).toMatchObject(back);
});

test('what is spent is not paid back', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  await payAt(checkout_url, CARDS.good);
  await pay.spend(organization, '15');
  expect((await refund(organization, payment.id, { reason: 'all' })).status).toBe(409);
  expect((await refund(organization, payment.id, { amount: '10', reason: 'left' })).status).toBe(
    201,
  );
  await pay.work();
});

test('a refund that the provider refuses comes back once', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  await payAt(checkout_url, CARDS.noRefunds);
  await refund(organization, payment.id, { reason: 'a fault' });
  expect(await pay.balance(organization)).toBe('5');
  await pay.work();
  await pay.work();
  expect(await pay.balance(organization)).toBe('25');
  const shown = await show(organization, payment.id);
  expect(shown).toMatchObject({
    refunded: '0',
    refund_pending: '0',
    refunds: [{ state: 'failed' }],
  });
});

test('a refund that takes its time is asked after, where nobody tells of it', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  await payAt(checkout_url, CARDS.good);
  pay.provider.slowRefunds = 2;
  await refund(organization, payment.id, { reason: 'a fault' });
  const state = async () => (await show(organization, payment.id)).refunds[0].state;
  for (let hour = 0; hour < 2; hour++) {
    await pay.work();
    expect(await state()).toBe('pending');
    pay.clock.advance(3_600_000);
  }
  await pay.work();
  expect(await state()).toBe('succeeded');
  expect(await pay.balance(organization)).toBe('5');
});

test('a refund is asked for on and on where the provider cannot be reached for most of a day', async () => {
  const organization = await pay.customer();
  const { payment, checkout_url } = await topUp(organization);
  await payAt(checkout_url, CARDS.good);
  pay.provider.losesRefunds = 30;
  await refund(organization, payment.id, { reason: 'a fault' });
  for (let hour = 0; hour < 48; hour++) {
    await pay.work();
    pay.clock.advance(3_600_000);
  }
  await pay.work();
  expect(pay.provider.losesRefunds).toBe(0);
  expect(await show(organization, payment.id)).toMatchObject({
    refunded: '20',
    refunds: [{ state: 'succeeded' }],
  });
  expect(await pay.balance(organization)).toBe('5');
});

test('only an operator pays back', async () => {
  const organization = await pay.customer();
  const admin = await signIn(pay.rig, { role: 'org-admin', organization });
  const { payment } = await topUp(organization);
  const path = `${pathOf(organization)}/${payment.id}/refund`;
  expect((await admin.ask('POST', path, { reason: 'please' })).status).toBe(403);
});

test('a router whose configuration names no provider hands out no credit, and says so', async () => {
  const { parts } = pay.rig.provider;
  expect(await configuredProvider({ provider: 'none' }, { ...parts, stripe: null })).toBeNull();
  await using own = await startRig(undefined, undefined, { provider: null });
  const refused = await own.ask('POST', pathOf(own.first.organization.id), { amount: '20' });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    error: { code: 'conflict', message: expect.stringContaining('not set up') },
  });
  // The sandbox's pages are not there, either. An unknown checkout would give another message.
  const page = await own.ask('GET', `/checkout/sandbox/${'0'.repeat(40)}`);
  expect(page.body.error.message).toMatch(/nothing here/);
});

test('what is no idempotency key, and no cursor, is refused by name', async () => {
  const path = pathOf(await pay.customer());
  const key = { 'idempotency-key': 'x'.repeat(256) };
  const refused = await pay.rig.ask('POST', path, { amount: '20' }, key);
  expect(refused.status).toBe(400);
  expect(refused.body.error.param).toBe('idempotency-key');
  expect((await pay.rig.ask('GET', `${path}?after=pay_x`)).body.error.param).toBe('after');
  const document = await pay.rig.ask('GET', '/api/openapi.json');
  const { parameters } = document.body.paths['/api/v1/organizations/{organization}/payments'].post;
  expect(parameters).toContainEqual(
    expect.objectContaining({ in: 'header', name: 'idempotency-key', required: false }),
  );
});
