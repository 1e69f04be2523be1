/**
 * An organization is notified once when its balance falls below its threshold, and again at the
 * next fall after the balance has risen.
 */
import { expect, test } from 'vitest';
import { lowBalanceTask, noteBalance } from '../../../router/control/notices/low-balance.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

/** Runs the scheduled task, as three routers do at the same time. */
async function round(): Promise<void> {
  const { rig, clock } = pay;
  const parts = { store: rig.store, clock };
  await Promise.all([1, 2, 3].map(() => lowBalanceTask(parts).run()));
  clock.advance(1_000);
}

async function threshold(organization: string, usd: string | null): Promise<void> {
  const pico = usd === null ? 'null' : `${usd}000000000000`;
  await pay.rig.place.sql(
    `update organizations set low_balance_threshold = ${pico} where id = '${organization}'`,
  );
}

const low = async (organization: string) =>
  (await pay.letters(organization)).filter((kind) => kind === 'low-balance').length;

test('a letter for each fall, and none while it stays low', async () => {
  const organization = await pay.customer();
  await threshold(organization, '3');
  await round();
  expect(await low(organization)).toBe(0);
  await pay.spend(organization, '2');
  await round();
  // The balance is at the threshold, not below it.
  expect(await low(organization)).toBe(0);
  await pay.spend(organization, '0.01');
  for (let n = 0; n < 3; n++) await round();
  expect(await low(organization)).toBe(1);
  await pay.spend(organization, '-1');
  await round();
  expect(await low(organization)).toBe(1);
  await pay.spend(organization, '1');
  await round();
  expect(await low(organization)).toBe(2);
});

test('the letter says what the balance was and where the threshold is', async () => {
  const organization = await pay.customer();
  await threshold(organization, '6');
  await round();
  const [row] = await pay.rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${organization}'`,
  );
  expect(JSON.parse((row as { payload: string }).payload)).toEqual({
    kind: 'low-balance',
    organization,
    balance: '5',
    threshold: '6',
  });
});

test('a fall that has been told of is not told of again, whoever asks', async () => {
  const organization = await pay.customer();
  await threshold(organization, '6');
  const { store } = pay.rig;
  const asked = { organization: organization as never, now: pay.clock.now() };
  expect(await store.call(noteBalance, asked)).toBe('told');
  expect(await store.call(noteBalance, { ...asked, now: asked.now + 1 })).toBe('nothing');
});

test('where no threshold is set nothing is told, and one that is taken away is forgotten', async () => {
  const organization = await pay.customer();
  await pay.spend(organization, '5');
  await round();
  expect(await low(organization)).toBe(0);
  await threshold(organization, '1');
  await round();
  await threshold(organization, null);
  await round();
  await threshold(organization, '1');
  await round();
  expect(await low(organization)).toBe(2);
});
