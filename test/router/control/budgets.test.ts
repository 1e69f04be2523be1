/** The budget of an organization in the management API. */
import { expect, test } from 'vitest';
import { rig, shareRig } from './shared-rig.ts';
import { signIn } from './people.ts';

shareRig();

async function customer(): Promise<string> {
  const { body } = await rig.ask('POST', '/api/v1/organizations', { name: 'Customer' });
  return `/api/v1/organizations/${body.id}`;
}

test('a budget is set, changed and removed, and the audit log has each change', async () => {
  const path = await customer();
  const none = (await rig.ask('GET', `${path}/budget`)).body;
  expect(none).toEqual({
    amount: null,
    month: new Date().toISOString().slice(0, 7),
    spent: '0',
    forecast: null,
  });
  for (const amount of ['500', '250.5', null]) {
    const { status, body } = await rig.ask('PUT', `${path}/budget`, { amount });
    expect({ status, body }).toEqual({ status: 200, body: { ...none, amount } });
    expect((await rig.ask('GET', `${path}/budget`)).body).toEqual(body);
  }
  const { data } = (await rig.ask('GET', `${path}/audit?action=budget`)).body;
  expect(
    data.map(({ summary }: { summary: string }) => summary.replace(/^.*? (?=set|removed)/, '')),
  ).toEqual([
    'removed the budget',
    'set the budget to $250.50 a month',
    'set the budget to $500 a month',
  ]);
  expect(data[0].before).toEqual({ amount: '250.5' });
});

test.each([['0'], ['-1'], ['4000001'], ['plenty'], [5]])(
  'a budget of %j is refused',
  async (amount) => {
    const { status, body } = await rig.ask('PUT', `${await customer()}/budget`, { amount });
    expect(status).toBe(400);
    expect(body.error.param).toBe('amount');
  },
);

test('who manages billing sets the budget, other members see it, and others see nothing', async () => {
  const path = `/api/v1/organizations/${rig.first.organization.id}/budget`;
  for (const role of ['org-admin', 'billing-admin', 'developer', 'viewer'] as const) {
    const member = await signIn(rig, { role });
    const isAllowed = role === 'org-admin' || role === 'billing-admin';
    expect((await member.ask('PUT', path, { amount: '10' })).status, role).toBe(
      isAllowed ? 200 : 403,
    );
    expect((await member.ask('GET', path)).body.amount, role).toBe('10');
    const other = `${await customer()}/budget`;
    expect((await member.ask('GET', other)).status, role).toBe(404);
    expect((await member.ask('PUT', other, { amount: '1' })).status, role).toBe(404);
  }
});

test('the budget of a deleted organization is deleted with it', async () => {
  const path = await customer();
  await rig.ask('PUT', `${path}/budget`, { amount: '10' });
  expect((await rig.ask('DELETE', path, { name: 'Customer' })).status).toBeLessThan(300);
  const organization = path.split('/').at(-1);
  expect(
    await rig.place.sql(`select * from budgets where organization = '${organization}'`),
  ).toEqual([]);
});
