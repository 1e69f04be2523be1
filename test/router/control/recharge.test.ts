/**
 * Auto-recharge: one payment at a time, never a second one because of a lost answer, and a pause
 * after three failures (T18).
 */
import { expect, test } from 'vitest';
import { Recharger } from '../../../router/control/recharge/recharger.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { DIALECT } from '../../support/store.ts';
import { CARDS, formOf, payAt, submitForm } from './payments-rig.ts';
import { signIn } from './people.ts';
import { log } from './rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

const REGISTRY = new URL('../../../router/procedures.ts', import.meta.url);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const pathOf = (organization: string) => `/api/v1/organizations/${organization}/recharge`;

const SETTINGS = { enabled: true, threshold: '3', amount: '10', monthly_cap: null };

/** A customer with a saved card and auto-recharge, whose credit is nearly used up. */
async function low(card: string = CARDS.good, settings: object = {}): Promise<string> {
  const organization = await pay.customer();
  await pay.keep(organization, card);
  const put = await pay.rig.ask('PUT', pathOf(organization), { ...SETTINGS, ...settings });
  expect(put.status).toBe(200);
  await pay.spend(organization, '4');
  return organization;
}

async function state(organization: string) {
  return (await pay.rig.ask('GET', pathOf(organization))).body;
}

async function payments(organization: string): Promise<{ id: string; state: string }[]> {
  const path = `/api/v1/organizations/${organization}/payments`;
  const { body } = await pay.rig.ask('GET', path);
  return body.data.filter(({ purpose }: { purpose: string }) => purpose === 'recharge');
}

/** The emails about payments. The one about the exhausted credit comes at the same time. */
async function letters(organization: string): Promise<string[]> {
  return (await pay.letters(organization)).filter((kind) => kind !== 'exhausted');
}

/** Advances the clock, and runs the jobs and scheduled tasks. */
async function pass(ms: number): Promise<void> {
  pay.clock.advance(ms);
  await pay.work();
}

async function start(organization: string): Promise<void> {
  // A router remembers for this long that it has requested a recharge.
  pay.clock.advance(5_000);
  await pay.exhausted(organization);
  await pay.work();
}

/**
 * Calls the transaction without the check before it, to test what the transaction itself refuses.
 */
function trigger(organization: string, store: Store = pay.rig.store): Promise<void> {
  const { clock, provider } = pay;
  const parts = { store, clock, random, log, provider, onStarted: () => {} };
  return new Recharger(parts).start(organization as never);
}

test('a balance below its threshold is topped up by the kept card', async () => {
  const organization = await low();
  expect(await state(organization)).toMatchObject({
    state: 'ready',
    method: { label: expect.stringContaining('4242') },
  });
  await start(organization);
  expect(await pay.balance(organization)).toBe('11');
  expect(await state(organization)).toMatchObject({
    state: 'ready',
    month_spent: '10',
    payment: null,
  });
  expect(await letters(organization)).toEqual(['receipt']);
  const [made] = await payments(organization);
  const audit = await pay.rig.place.sql(
    `select action, actor_kind from audit where target = '${made?.id}' order by action desc`,
  );
  expect(audit).toEqual([
    { action: 'recharge.start', actor_kind: 'system' },
    { action: 'payment.succeed', actor_kind: 'provider' },
  ]);
  const credit = await pay.rig.ask('GET', `/api/v1/organizations/${organization}/credit`);
  expect(credit.body).toMatchObject({ balance: '11', recharge: { state: 'ready' } });
});

test('T18: a hundred triggers at once, on three routers where there may be so many, make one payment', async () => {
  const organization = await low();
  await using others = new AsyncDisposableStack();
  const stores: Store[] = [pay.rig.store];
  // Only one process writes a SQLite file, so there all hundred triggers come from one router.
  while (DIALECT === 'postgres' && stores.length < 3) {
    const config = { url: pay.rig.place.url, registry: REGISTRY };
    stores.push(others.use(await openStore(config, { clock: systemClock, log })));
  }
  const { provider } = pay;
  const triggers = Array.from({ length: 100 }, (_, n) =>
    trigger(organization, stores[n % stores.length]),
  );
  await Promise.all(triggers);
  expect(await payments(organization)).toMatchObject([{ state: 'open' }]);
  const before = provider.charged.length;
  await pay.work();
  expect(provider.charged.length - before).toBe(1);
  expect(await pay.balance(organization)).toBe('11');
});

test('T18: a lost answer is asked for again under the same payment, and never makes another', async () => {
  const organization = await low();
  pay.provider.losesAnswers = 3;
  const before = pay.provider.charged.length;
  await start(organization);
  expect(await pay.balance(organization)).toBe('1');
  expect(await state(organization)).toMatchObject({ state: 'paying' });
  for (let minute = 0; minute < 3; minute++) {
    await pass(MINUTE_MS);
    await Promise.all(Array.from({ length: 10 }, () => trigger(organization)));
  }
  const asked = pay.provider.charged.slice(before);
  expect(asked).toHaveLength(4);
  expect(new Set(asked.map(({ payment }) => payment)).size).toBe(1);
  expect(await payments(organization)).toMatchObject([{ state: 'succeeded' }]);
  expect(await pay.balance(organization)).toBe('11');
  const made = await pay.rig.place.sql(
    `select reference from sandbox_charges where payment = '${asked[0]?.payment}'`,
  );
  expect(made).toHaveLength(1);
});

test('a charge whose answers are lost is asked for until one comes, however often a job has failed', async () => {
  const organization = await low();
  pay.provider.losesAnswers = 30;
  const before = pay.provider.charged.length;
  await start(organization);
  await pay.hours(12);
  expect(await state(organization)).toMatchObject({ state: 'paying' });
  // The job has given up after a dozen attempts. The scheduled reconciliation goes on each hour.
  expect(pay.provider.charged.length - before).toBeGreaterThan(12);
  await pay.hours(30);
  expect(await state(organization)).toMatchObject({ state: 'ready', payment: null });
  expect(await payments(organization)).toMatchObject([{ state: 'succeeded' }]);
  expect(await pay.balance(organization)).toBe('11');
  pay.provider.losesAnswers = 0;
});

test('T18: three declines pause it with a notice, and setting it again resumes it', async () => {
  const organization = await low(CARDS.failsLater);
  await start(organization);
  expect(await state(organization)).toMatchObject({ state: 'waiting', failures: 1 });
  // The wait grows with each failure.
  await start(organization);
  expect(await payments(organization)).toHaveLength(1);
  await pass(MINUTE_MS);
  await start(organization);
  expect(await state(organization)).toMatchObject({ state: 'waiting', failures: 2 });
  await pass(10 * MINUTE_MS);
  await start(organization);
  expect(await state(organization)).toMatchObject({ state: 'paused', failures: 3 });
  await pass(DAY_MS);
  await start(organization);
  expect(await payments(organization)).toHaveLength(3);
  expect(await letters(organization)).toEqual([
    'recharge-failed',
    'recharge-failed',
    'recharge-paused',
  ]);
  expect(await pay.balance(organization)).toBe('1');
  await pay.keep(organization, CARDS.good);
  await pay.rig.ask('PUT', pathOf(organization), SETTINGS);
  await start(organization);
  expect(await state(organization)).toMatchObject({ state: 'ready', failures: 0 });
  expect(await pay.balance(organization)).toBe('11');
});

test('a card whose bank wants its owner to confirm is a failure, as nobody is there', async () => {
  const organization = await pay.customer();
  const begun = await pay.rig.ask('POST', `/api/v1/organizations/${organization}/payment-method`);
  const asked = await payAt(begun.body.checkout_url, CARDS.asksAlways);
  await submitForm(`${begun.body.checkout_url}/confirm`, {
    form: formOf(asked),
    answer: 'confirm',
  });
  await pay.rig.ask('PUT', pathOf(organization), SETTINGS);
  await pay.spend(organization, '4');
  await start(organization);
  expect(await payments(organization)).toMatchObject([
    { state: 'failed', reason: 'authentication_required' },
  ]);
});

test('T7: a clock that jumps by an hour, a day or a month pays once for one low balance', async () => {
  const organization = await low();
  pay.provider.losesAnswers = 1;
  await start(organization);
  for (const jump of [60 * MINUTE_MS, DAY_MS, 31 * DAY_MS]) {
    await trigger(organization);
    await pass(jump);
    await trigger(organization);
  }
  expect(await payments(organization)).toHaveLength(1);
  expect(await pay.balance(organization)).toBe('11');
});

test('T7: a clock that jumps by days gives up no charge that is still asked for', async () => {
  const organization = await low();
  pay.provider.losesAnswers = 8;
  await start(organization);
  for (let jump = 0; jump < 4; jump++) {
    await pass(2 * DAY_MS);
    await pass(MINUTE_MS);
    await trigger(organization);
    await pay.work();
  }
  expect(await payments(organization)).toMatchObject([{ state: 'succeeded' }]);
  expect(await pay.balance(organization)).toBe('11');
});

test('nothing is charged for an organization that was deleted meanwhile', async () => {
  const organization = await low();
  await trigger(organization);
  const before = pay.provider.charged.length;
  const deleted = await pay.rig.ask('DELETE', `/api/v1/organizations/${organization}`, {
    name: 'Customer',
  });
  expect(deleted.status).toBeLessThan(300);
  await pay.work();
  expect(pay.provider.charged.length).toBe(before);
});

test('two are half a minute apart, also where the clock was set back in between', async () => {
  const organization = await low(CARDS.good, { threshold: '100' });
  await start(organization);
  await trigger(organization);
  pay.clock.advance(24_999);
  await trigger(organization);
  expect(await payments(organization)).toHaveLength(1);
  await pass(1);
  await start(organization);
  expect(await payments(organization)).toHaveLength(2);
  await pay.rig.place.sql(
    `update recharges set started = started + ${DAY_MS} where organization = '${organization}'`,
  );
  await start(organization);
  expect(await payments(organization)).toHaveLength(3);
});

test('the cap of a calendar month holds, and the next month begins anew', async () => {
  const organization = await low(CARDS.good, { monthly_cap: '15' });
  await start(organization);
  expect(await state(organization)).toMatchObject({ state: 'capped', month_spent: '10' });
  await pay.spend(organization, '10');
  await pass(MINUTE_MS);
  await start(organization);
  expect(await payments(organization)).toHaveLength(1);
  const now = new Date(pay.clock.now());
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  await pass(next - pay.clock.now() - 10_000);
  await start(organization);
  expect(await payments(organization)).toHaveLength(1);
  await pass(5_000);
  await start(organization);
  expect(await payments(organization)).toHaveLength(2);
  expect(await state(organization)).toMatchObject({ month_spent: '10' });
});

test('the round finds who is low, and nobody else', async () => {
  const organization = await low();
  const rich = await pay.customer();
  await pay.keep(rich, CARDS.good);
  await pay.rig.ask('PUT', pathOf(rich), SETTINGS);
  const off = await low(CARDS.good, { enabled: false });
  const suspended = await low();
  await pay.rig.place.sql(
    `update organizations set status = 'suspended' where id = '${suspended}'`,
  );
  const { clock, provider } = pay;
  const parts = { store: pay.rig.store, clock, random, log, provider, onStarted: () => {} };
  await new Recharger(parts).task.run();
  await pay.work();
  expect(await pay.balance(organization)).toBe('11');
  for (const untouched of [rich, off, suspended]) {
    await trigger(untouched);
    expect(await payments(untouched)).toEqual([]);
  }
});

test('it needs a means of payment, and ends when that is forgotten', async () => {
  const organization = await pay.customer();
  const admin = await signIn(pay.rig, { role: 'billing-admin', organization });
  const put = () => admin.ask('PUT', pathOf(organization), SETTINGS);
  expect((await put()).status).toBe(409);
  await pay.keep(organization, CARDS.good);
  expect((await put()).body).toMatchObject({ state: 'ready' });
  const method = pathOf(organization).replace('recharge', 'payment-method');
  const forgotten = await admin.ask('DELETE', method);
  expect(forgotten.body).toMatchObject({ state: 'off', enabled: false, method: null });
  expect((await admin.ask('DELETE', method)).status).toBe(404);
  await pay.spend(organization, '4');
  await start(organization);
  expect(await payments(organization)).toEqual([]);
  // The sandbox has no page for this.
  expect((await admin.ask('POST', `${method}/portal`)).status).toBe(409);
  const developer = await signIn(pay.rig, { role: 'developer', organization });
  expect((await developer.ask('PUT', pathOf(organization), SETTINGS)).status).toBe(403);
});

test.each([
  [{ amount: '4' }, 'amount'],
  [{ amount: '5000' }, 'amount'],
  [{ threshold: '0.99' }, 'threshold'],
  [{ monthly_cap: '9.99' }, 'monthly_cap'],
])('settings that make no sense are refused: %j', async (wrong, param) => {
  const answer = await pay.rig.ask('PUT', pathOf(pay.rig.first.organization.id), {
    ...SETTINGS,
    ...wrong,
  });
  expect(answer.status).toBe(400);
  expect(answer.body.error.param).toBe(param);
});
