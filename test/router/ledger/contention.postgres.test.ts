/**
 * Several routers on one PostgreSQL, each with its own store, contend for the same accounts. If two
 * routers deadlocked, PostgreSQL would abort one transaction, and its requests would be refused as
 * unknown.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { REGISTRY, Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const ROUTERS = 3;
const ORGANIZATIONS = 8;
const ROUNDS = 12;
const AT_ONCE = 60;

type Customer = Readonly<{ organization: OrganizationId; key: KeyId }>;

let rig: Rig;
const routers: OpenLedger[] = [];
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  rig = await Rig.start();
  for (let router = 0; router < ROUTERS; router++) routers.push(await openRouter());
});
afterAll(async () => {
  await undo.disposeAsync();
  await rig[Symbol.asyncDispose]();
});

async function openRouter(clock = rig.clock): Promise<OpenLedger> {
  const store = undo.use(await openStore({ url: rig.place.url, registry: REGISTRY }, rig));
  const parts = { ...rig.parts, store, clock };
  return undo.use(await openLedger(parts, { url: null, regions: ['global'] }));
}

async function customer(credit: bigint, name: string): Promise<Customer> {
  const organization = await rig.organization(credit);
  return { organization, key: await rig.key(organization, name) };
}

const reservation = ({ organization, key }: Customer, amount: bigint) =>
  rig.reservation(organization, amount, { key });

test('MONEY 22: three routers that ask at once for credit for ten are given ten, and not one more', async () => {
  const hot = await customer(1_000n, 'hot');
  const asked = Array.from({ length: 150 }, () => reservation(hot, 100n));
  const answers = await Promise.all(
    asked.map((one, index) => (routers[index % ROUTERS] as OpenLedger).reserve(one)),
  );
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(10);
  expect(await rig.balance(hot.organization)).toMatchObject({ balance: 1_000n, held: 1_000n });
});

test('MONEY 22: whatever order routers and a sweeper ask in, none waits for the other in a circle', async () => {
  const customers = await Promise.all(
    Array.from({ length: ORGANIZATIONS }, (_, n) => customer(4_000n, `many${n}`)),
  );
  const any = () => customers[rig.random.below(customers.length)] as Customer;
  // Meanwhile the holds of a dead router on all accounts are swept.
  const dead = await openRouter(new ManualClock());
  await Promise.all(Array.from({ length: 1_200 }, () => dead.reserve(reservation(any(), 1n))));
  let lowest = 0n;
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      const [row] = await rig.sql('SELECT min(balance - held) AS least FROM accounts');
      const { least } = row as { least: bigint };
      if (least < lowest) lowest = least;
    }
  })();
  const sweeping = (async () => {
    await rig.sweep(dead.incarnation);
  })();
  let refused = 0;
  const request = async (ledger: OpenLedger) => {
    const { organization, key } = any();
    const one = rig.reservation(organization, 200n, { key });
    const answer = await ledger.reserve(one);
    if (typeof answer !== 'object') return void refused++;
    const { request: id } = one;
    const more = { request: id, organization, amount: picoUsd(230n), unit: picoUsd(10n) };
    await ledger.extend(more);
    const usage = { ...rig.usage(organization, id, TOKENS), key };
    if (rig.random.below(4) === 0) await ledger.void(usage);
    else expect(await ledger.settle(usage, rig.cost(TOKENS))).toEqual({ cost: 30n });
  };
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(
      routers.flatMap((ledger) => Array.from({ length: AT_ONCE }, () => request(ledger))),
    );
  }
  await sweeping;
  ended = true;
  await watching;
  expect(lowest).toBe(0n);
  // The credit did not suffice for all requests.
  expect(refused).toBeGreaterThan(0);
  for (const { organization } of customers) {
    expect(await rig.balance(organization)).toMatchObject({ held: 0n, reserve: 0n });
  }
});
