/** The payments of all customers, as operators find them. */
import { expect, test } from 'vitest';
import type { CustomerPayment } from '../../../shared/api/payments.ts';
import { CARDS, payAt } from './payments-rig.ts';
import { signIn } from './people.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

/** Starts a top-up. With a card, it is paid or declined. */
async function topUp(organization: string, amount: string, card?: string): Promise<string> {
  pay.clock.advance(1);
  const path = `/api/v1/organizations/${organization}/payments`;
  const { body } = await pay.rig.ask('POST', path, { amount });
  if (card !== undefined) await payAt(body.checkout_url, card);
  return body.payment.id;
}

async function list(query = '', limit = 1_000): Promise<CustomerPayment[]> {
  const all: CustomerPayment[] = [];
  for (let after = ''; ; ) {
    const answer = await pay.rig.ask('GET', `/api/v1/payments?limit=${limit}${query}${after}`);
    expect(answer.status).toBe(200);
    all.push(...answer.body.data);
    if (answer.body.next === null) return all;
    after = `&after=${answer.body.next}`;
  }
}

const idsOf = (payments: readonly CustomerPayment[]) => payments.map(({ id }) => id);

test('operators find the payments of all customers by what became of them, and as CSV', async () => {
  const [one, other] = [await pay.customer(), await pay.customer()];
  await pay.rig.ask('PATCH', `/api/v1/organizations/${other}`, { name: 'Findable Ltd' });
  const paid = await topUp(one, '20', CARDS.good);
  const refunded = await topUp(other, '30', CARDS.good);
  const abandoned = await topUp(one, '40');
  const failed = await topUp(other, '50', CARDS.declined);
  const path = `/api/v1/organizations/${other}/payments/${refunded}/refund`;
  const refund = await pay.rig.ask('POST', path, { amount: '10', reason: 'half of it' });
  expect(refund.status).toBe(201);

  const all = await list();
  expect(idsOf(all)).toEqual([failed, abandoned, refunded, paid]);
  expect(all[0]).toMatchObject({
    organization: other,
    organization_name: 'Findable Ltd',
    state: 'failed',
    amount: '50',
    paid: null,
  });
  for (const limit of [1, 3]) expect(await list('', limit)).toEqual(all);

  expect(idsOf(await list('&status=failed'))).toEqual([failed]);
  expect(idsOf(await list('&status=open'))).toEqual([abandoned]);
  expect(idsOf(await list('&status=succeeded'))).toEqual([refunded, paid]);
  expect(idsOf(await list('&status=refunded'))).toEqual([refunded]);
  expect(await list('&status=disputed')).toEqual([]);
  expect(await list('&purpose=recharge')).toEqual([]);
  expect(await list('&purpose=top-up')).toHaveLength(4);
  expect(idsOf(await list('&search=findable'))).toEqual([failed, refunded]);
  expect(idsOf(await list(`&search=${one}`))).toEqual([abandoned, paid]);
  expect(idsOf(await list(`&search=${paid}`))).toEqual([paid]);
  expect(await list('&search=nobody')).toEqual([]);
  const started = all.find(({ id }) => id === abandoned)?.created ?? '';
  expect(idsOf(await list(`&from=${started}`))).toEqual([failed, abandoned]);
  expect(idsOf(await list(`&until=${started}`))).toEqual([refunded, paid]);

  const authorization = `Bearer ${pay.rig.first.operator.token}`;
  const csv = await fetch(`${pay.rig.origin}/api/v1/payments?format=csv&limit=1&status=succeeded`, {
    headers: { authorization },
  });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="payments.csv"');
  const [head, ...records] = (await csv.text()).trimEnd().split('\r\n');
  expect(head).toMatch(/^id,created,organization,organization_name,purpose,provider,state,/);
  expect(records.map((record) => record.split(',')[0])).toEqual([refunded, paid]);
  for (const query of ['status=late', 'purpose=gift', 'after=7', 'from=today']) {
    expect((await pay.rig.ask('GET', `/api/v1/payments?${query}`)).status).toBe(400);
  }
});

test('operators find a payment by the number of its receipt, as the list shows it', async () => {
  const organization = await pay.customer();
  const paid = [
    await topUp(organization, '20', CARDS.good),
    await topUp(organization, '30', CARDS.good),
  ];
  await topUp(organization, '40');
  const receiptOf = async (id: string) =>
    (await list(`&search=${id}`)).map(({ receipt }) => receipt)[0] ?? '';
  for (const id of paid) {
    const receipt = await receiptOf(id);
    expect(receipt).toMatch(/^REC-\d{6}$/);
    expect(idsOf(await list(`&search=${receipt}`))).toEqual([id]);
    expect(idsOf(await list(`&search=${receipt.toLowerCase()}`))).toEqual([id]);
    expect(idsOf(await list(`&search=${receipt}&status=failed`))).toEqual([]);
  }
  expect(await list('&search=rec-999999')).toEqual([]);
});

test('operators find a payment whose receipt an earlier version numbered within its organization', async () => {
  const organization = await pay.customer();
  const paid = await topUp(organization, '20', CARDS.good);
  const set = (series: string | null, number: string | null) =>
    pay.rig.place.sql(
      `update payments set receipt_series = ${series}, receipt_number = ${number} where id = '${paid}'`,
    );
  const [before] = await list(`&search=${paid}`);
  const [series, digits] = (before?.receipt ?? '').split('-');
  await set(null, null);
  try {
    expect(idsOf(await list('&search=r-000001'))).toEqual([paid]);
    expect((await list('&search=R-1'))[0]?.receipt).toBe('R-000001');
  } finally {
    await set(`'${series}'`, String(Number(digits)));
  }
});

test('operators find the payments of which refunds failed, with their amount', async () => {
  const organization = await pay.customer();
  const failed = await topUp(organization, '20', CARDS.noRefunds);
  const repeated = await topUp(organization, '30', CARDS.noRefunds);
  await topUp(organization, '40', CARDS.good);
  const refund = async (id: string, amount: string) => {
    pay.clock.advance(1);
    const path = `/api/v1/organizations/${organization}/payments/${id}/refund`;
    expect((await pay.rig.ask('POST', path, { amount, reason: 'a fault' })).status).toBe(201);
  };
  await refund(failed, '7.50');
  await refund(repeated, '8');
  await refund(repeated, '1');
  pay.clock.advance(1);
  await pay.work();
  const found = await list(`&status=refund_failed&search=${organization}`);
  expect(idsOf(found)).toEqual([repeated, failed]);
  expect(found[1]).toMatchObject({
    state: 'succeeded',
    refunded: '0',
    refund_pending: '0',
    refund_failed: '7.5',
  });
  const path = `/api/v1/organizations/${organization}/payments`;
  const { body } = await pay.rig.ask('GET', path);
  expect(body.data.map((one: CustomerPayment) => one.refund_failed)).toEqual(['0', '9', '7.5']);
  // The next refund is under way, and not failed.
  await refund(repeated, '3');
  expect(await list(`&search=${repeated}`)).toMatchObject([
    { refund_pending: '3', refund_failed: '0' },
  ]);
  expect(idsOf(await list(`&status=refund_failed&search=${organization}`))).toEqual([failed]);
  await pay.work();
  expect(await list(`&search=${repeated}`)).toMatchObject([{ refund_failed: '3' }]);
});

test('only operators list the payments of all customers', async () => {
  const organization = await pay.customer();
  for (const role of ['org-admin', 'billing-admin'] as const) {
    const member = await signIn(pay.rig, { role, organization });
    expect((await member.ask('GET', '/api/v1/payments')).status).toBe(403);
  }
});
