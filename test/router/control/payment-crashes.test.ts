/**
 * T17/T18: a router dies at each step of a payment, a recharge or a refund, which is completed all
 * the same.
 */
import { expect, test } from 'vitest';
import { openBackgroundJobs } from '../../../router/control/background-jobs.ts';
import { submitSandboxCard } from '../../../router/control/checkout/procedures.ts';
import { SandboxProvider } from '../../../router/control/checkout/sandbox.ts';
import { ingestEvent } from '../../../router/control/payments/ingest-event.ts';
import { attachCheckout, openPaymentAudited } from '../../../router/control/payments/procedures.ts';
import { refundOnce } from '../../../router/control/payments/refunds.ts';
import { Recharger } from '../../../router/control/recharge/recharger.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';
import { type IncarnationId, mintId, type PaymentId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { CARDS, lowCustomer, markOf } from './payments-rig.ts';
import { log, PEPPER } from './rig.ts';
import { pay, sharePayments } from './shared-payments-rig.ts';

sharePayments();

/**
 * A router's store that fails at the `nth` call and ever after: before the call is made, or after
 * it.
 */
class CrashingStore {
  readonly #store: Store;
  readonly #nth: number;
  readonly #when: 'before' | 'after';
  calls = 0;

  constructor(store: Store, nth: number, when: 'before' | 'after') {
    this.#store = store;
    this.#nth = nth;
    this.#when = when;
  }

  get isGone(): boolean {
    return this.calls >= this.#nth;
  }

  readonly call: Store['call'] = async (procedure, input) => {
    if (this.isGone) throw new StoreUnavailable('the router is gone');
    this.calls += 1;
    if (!this.isGone) return await this.#store.call(procedure, input);
    if (this.#when === 'after') await this.#store.call(procedure, input);
    throw new StoreUnavailable('the router is gone');
  };
}

type Walk = (store: Pick<Store, 'call'>, organization: never) => Promise<void>;

async function begin(
  store: Pick<Store, 'call'>,
  organization: never,
  purpose: 'top-up' | 'setup',
): Promise<{ payment: PaymentId; provider: SandboxProvider; url: string }> {
  const { clock } = pay;
  const id = mintId('payment', clock, random);
  const amount = purpose === 'setup' ? null : picoUsd(20n * PICO_PER_USD);
  const provider = new SandboxProvider({ ...pay.rig.provider.parts, store });
  const keepMethod = purpose === 'setup';
  await store.call(openPaymentAudited, {
    input: {
      id,
      organization,
      provider: 'sandbox',
      purpose,
      amount,
      keepMethod,
      charged: null,
      person: null,
      idempotencyKey: null,
      created: clock.now(),
    },
    entry: markOf(pay.clock, 'payment.begin'),
  });
  const ask = { payment: id, organization, customer: null, email: '', amount, keepMethod };
  const urls = { successUrl: 'http://done', cancelUrl: 'http://left' };
  const { reference, customer, url } = await provider.checkout({ ...ask, ...urls });
  await store.call(attachCheckout, { payment: id, checkout: reference, customer });
  return { payment: id, provider, url };
}

async function payHere(
  store: Pick<Store, 'call'>,
  begun: Awaited<ReturnType<typeof begin>>,
): Promise<void> {
  const { clock } = pay;
  const [row] = await pay.rig.place.sql(
    `select digest from sandbox_checkouts where payment = '${begun.payment}'`,
  );
  const { digest } = row as { digest: string };
  const card = CARDS.good.replaceAll(' ', '');
  await store.call(submitSandboxCard, { digest, card, confirmed: null, now: clock.now() });
  const event = await begun.provider.look({ payment: begun.payment, reference: '' });
  if (typeof event === 'object' && event) {
    await ingestEvent({ store, clock, log, seller: null }, 'sandbox', event);
  }
}

const WALKS: Readonly<Record<string, Walk>> = {
  'a checkout that is paid': async (store, organization) =>
    payHere(store, await begin(store, organization, 'top-up')),
  'a checkout that is left': async (store, organization) => {
    await begin(store, organization, 'top-up');
  },
  'a card that is kept': async (store, organization) =>
    payHere(store, await begin(store, organization, 'setup')),
  'a recharge': async (store, organization) => {
    const { clock } = pay;
    const parts = { ...pay.rig.provider.parts, store: store as Store };
    const provider = new SandboxProvider(parts);
    const incarnation = mintId('incarnation', clock, random) as IncarnationId;
    await pay.rig.place.sql(
      `insert into incarnations (id, beat, regions, started) values ('${incarnation}', 1, 'global', 0)`,
    );
    const onStarted = () => {};
    await new Recharger({ store, clock, random, log, provider, onStarted }).start(organization);
    await using backgroundJobs = openBackgroundJobs({
      ...parts,
      random,
      pepper: PEPPER,
      provider,
      webhooks: { allowPrivateAddresses: false },
      incarnation: () => incarnation,
      nameOfModel: (id) => id,
    });
    await backgroundJobs.look();
    await backgroundJobs.idle();
    // Marks the router's incarnation as dead.
    await pay.rig.place.sql(`update incarnations set beat = -1 where id = '${incarnation}'`);
  },
  'a refund': async (store, organization) => {
    const begun = await begin(store, organization, 'top-up');
    await payHere(store, begun);
    await store.call(refundOnce, {
      idempotency: null,
      input: {
        id: mintId('transfer', pay.clock, random),
        organization,
        payment: begun.payment,
        amount: null,
        reason: 'walked',
        person: null,
        created: pay.clock.now(),
      },
      entry: markOf(pay.clock, 'payment.refund'),
    });
  },
};

test.each(Object.entries(WALKS))(
  'T17/T18: %s ends, whichever step its router dies at',
  async (_what, walk) => {
    const organizations: string[] = [];
    let steps = 0;
    for (const when of ['before', 'after'] as const) {
      for (let nth = 1; nth < 40; nth++) {
        const organization = await lowCustomer(pay);
        organizations.push(organization);
        const store = new CrashingStore(pay.rig.store, nth, when);
        await walk(store as never, organization as never).catch(expectGone);
        if (!store.isGone) break;
        steps += 1;
      }
    }
    expect(steps).toBeGreaterThan(4);
    await pay.hours(27);
    const named = organizations.map((id) => `'${id}'`).join(', ');
    const where = `organization in (${named})`;
    const sql = (text: string) => pay.rig.place.sql(text);
    expect(
      await sql(`select id, state from payments where ${where} and
        (look_at is not null or state in ('open', 'pending'))`),
    ).toEqual([]);
    expect(
      await sql(
        `select id from refunds where ${where} and (look_at is not null or state = 'pending')`,
      ),
    ).toEqual([]);
    expect(await sql(`select * from recharges where ${where} and payment is not null`)).toEqual([]);
    // What was paid is credited, and nothing else is.
    expect(
      await sql(`select p.id, p.state, c.payment from payments p
        left join sandbox_charges c on c.payment = p.id
        where ${where} and (p.transfer is null) <> (c.payment is null)`),
    ).toEqual([]);
  },
  120_000,
);

function expectGone(error: unknown): void {
  expect(error).toBeInstanceOf(StoreUnavailable);
}
