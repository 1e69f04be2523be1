/**
 * Those who manage the billing get an email when requests are refused for lack of credit: once, and
 * again only after the organization got credit.
 */
import { expect, test } from 'vitest';
import { noteExhausted } from '../../../router/control/notices/exhausted.ts';
import { CARDS } from './payments-rig.ts';
import { signIn } from './people.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

const routers = [1, 2, 3];

/** Requests are refused, as three routers see at the same time. */
async function refused(organization: string): Promise<void> {
  await Promise.all(routers.map(() => pay.exhausted(organization)));
  const asked = {
    organization: organization as never,
    provider: pay.provider.name,
    now: pay.clock.now(),
  };
  await Promise.all(routers.map(() => pay.rig.store.call(noteExhausted, asked)));
  pay.clock.advance(6_000);
}

const letters = async (organization: string) =>
  (await pay.letters(organization)).filter((kind) => kind === 'exhausted').length;

const notes = (organization: string) =>
  pay.rig.place.sql(`select * from exhausted_credit where organization = '${organization}'`);

test('an email when requests begin to be refused, without a webhook or a threshold', async () => {
  const organization = await pay.customer();
  await pay.spend(organization, '4.999');
  const at = new Date(pay.clock.now()).toISOString();
  for (const _ of routers) await refused(organization);
  const [row, ...others] = await pay.rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${organization}'`,
  );
  expect(JSON.parse((row as { payload: string }).payload)).toEqual({
    kind: 'exhausted',
    organization,
    balance: '0.001',
    held: '0',
    at,
  });
  expect(others).toEqual([]);
});

test('another email only after the organization got credit', async () => {
  const organization = await pay.customer();
  await pay.spend(organization, '4.999');
  await refused(organization);
  // Less credit is no news.
  await pay.spend(organization, '0.0005');
  await refused(organization);
  expect(await letters(organization)).toBe(1);
  await pay.spend(organization, '-2');
  expect(await letters(organization)).toBe(1);
  await pay.spend(organization, '2');
  await refused(organization);
  expect(await letters(organization)).toBe(2);
});

test('no email while auto-recharge adds credit, but one while it is paused or has reached its cap', async () => {
  const settings = { enabled: true, threshold: '3', amount: '10', monthly_cap: '15' };
  const charged = async (spent = '4.999') => {
    const organization = await pay.customer();
    await pay.keep(organization, CARDS.good);
    const path = `/api/v1/organizations/${organization}/recharge`;
    expect((await pay.rig.ask('PUT', path, settings)).status).toBe(200);
    await pay.spend(organization, spent);
    return organization;
  };
  // Too little for a request, but more than the threshold, so nothing will be added.
  const enough = await charged('1');
  await refused(enough);
  expect(await letters(enough)).toBe(1);

  const active = await charged();
  await refused(active);
  expect(await letters(active)).toBe(0);
  expect(await notes(active)).toHaveLength(1);
  // The recharge takes most of what the month may cost, so there is no other.
  await pay.work();
  expect(await pay.balance(active)).toBe('10.001');
  await pay.spend(active, '10');
  await refused(active);
  expect(await letters(active)).toBe(1);

  const paused = await charged();
  await pay.rig.place.sql(`update recharges set paused = 1 where organization = '${paused}'`);
  await refused(paused);
  expect(await letters(paused)).toBe(1);
});

test('the email of an invoiced organization says how far its balance may go', async () => {
  const organization = await pay.customer();
  const terms = { billing: { type: 'invoiced', credit_limit: '10' } };
  await pay.rig.ask('PATCH', `/api/v1/organizations/${organization}/terms`, terms);
  await refused(organization);
  const [row] = await pay.rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${organization}'`,
  );
  expect(JSON.parse((row as { payload: string }).payload)).toMatchObject({ creditLimit: '10' });
});

test('an organization that never had credit has not used it up', async () => {
  const { ask } = await signIn(pay.rig);
  // Only an organization that an operator opens begins with credit.
  const { id } = (await ask('POST', '/api/v1/organizations', { name: 'New' })).body;
  expect(await pay.balance(id)).toBe('0');
  await refused(id);
  expect(await letters(id)).toBe(0);
  expect(await notes(id)).toEqual([]);
});

test('an email that was not queued is not noted, so that the next refusal queues it', async () => {
  const organization = await pay.customer();
  // After the last time that can be written: the procedure fails when it has added its note.
  const failing = { organization: organization as never, provider: null, now: 9e15 };
  await expect(pay.rig.store.call(noteExhausted, failing)).rejects.toThrow('Invalid time value');
  expect(await notes(organization)).toEqual([]);
  await refused(organization);
  expect(await letters(organization)).toBe(1);
});

test('an email that is queued when its router ends is sent by the next', async () => {
  const organization = await pay.customer();
  const states = () =>
    pay.rig.place.sql(
      `select state from jobs where kind = 'letter' and subject = '${organization}'`,
    );
  pay.background.isPaused = true;
  await refused(organization);
  await pay.work();
  expect(await states()).toMatchObject([{ state: 'waiting' }]);
  pay.background.isPaused = false;
  await pay.work();
  expect(await states()).toMatchObject([{ state: 'done' }]);
});
