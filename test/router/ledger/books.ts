/** Books with rows of every kind, and the means to repair them after each kind of damage. */
import {
  type KeyId,
  mintId,
  type OrganizationId,
  type RequestId,
  type TransferId,
} from '../../../shared/ids.ts';
import { type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { creditPayment, refund, reverseRefund } from '../../../router/ledger/payments.ts';
import { setRate } from '../../../router/identity/rates.ts';
import type { Usage } from '../../../router/ledger/terms.ts';
import type { Tokens } from '../../support/ledger-requests.ts';
import { Rig } from './rig.ts';

const TABLES = [
  'organizations',
  'accounts',
  'holds',
  'meters',
  'transfers',
  'usage',
  'prices',
  'rates',
  'payment_events',
  'payments',
  'refunds',
  'recharges',
  'keys',
  'idempotency_keys',
  'incarnations',
] as const;

/** Far from the end of a month, near which a charge may count for either month. */
const MID_MONTH_MS = 14 * 24 * 60 * 60 * 1000;

export class Books implements AsyncDisposable {
  readonly rig: Rig;
  organization!: OrganizationId;
  key!: KeyId;
  /** Another customer and its key. */
  other!: OrganizationId;
  otherKey!: KeyId;
  /** Three requests: one charged, one whose charge was reversed, and one still open. */
  settled!: RequestId;
  voided!: RequestId;
  open!: RequestId;
  /** Three transfers: a top-up, a refund, and the return of that refund. */
  payment!: TransferId;
  refund!: TransferId;
  returned!: TransferId;

  private constructor(rig: Rig) {
    this.rig = rig;
  }

  static async make(): Promise<Books> {
    const rig = await Rig.start();
    const books = new Books(rig);
    // The rig's clock is in the past. The store must have had its meters since before that.
    await rig.sql(`UPDATE kysely_migration SET timestamp = '2025-12-01T00:00:00.000Z'`);
    rig.clock.advance(MID_MONTH_MS);
    await rig.pass(10_000, rig.ledger);
    await books.#fill();
    await rig.check();
    rig.damaged = true;
    await rig.sql(...TABLES.map((table) => `CREATE TABLE good_${table} AS SELECT * FROM ${table}`));
    return books;
  }

  async restore(): Promise<void> {
    const restore = TABLES.flatMap((table) => [
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} SELECT * FROM good_${table}`,
    ]);
    await this.rig.sql(...restore);
    await this.rig.check();
  }

  async #fill(): Promise<void> {
    const { rig } = this;
    this.organization = await rig.organization(10_000n);
    this.other = await rig.organization(1_000n);
    this.key = await rig.key(this.organization, 'lab');
    this.otherKey = await rig.key(this.other, 'other');
    await this.#moveMoney();
    const price = { ...rig.price.price, prompt: picoUsd(9n) };
    const created = rig.clock.now();
    const rate = { organization: this.organization, model: 'lab/model', price, created };
    await rig.store.call(setRate, rate);
    this.settled = await this.#hold(200n);
    await this.#settle(this.settled, { prompt: 3, cached: 1, completion: 2, reasoning: 1 });
    this.voided = await this.#hold(200n);
    await this.#settle(this.voided, { prompt: 1, completion: 1 });
    await rig.ledger.void(this.#usage(this.voided, { prompt: 0, completion: 0 }));
    this.open = await this.#hold(100n, 40n);
  }

  async #moveMoney(): Promise<void> {
    const { rig, organization } = this;
    const created = rig.clock.now();
    const of = { organization, reference: 'pi_1', created };
    const told = { provider: 'stripe', event: 'evt_1', amount: picoUsd(500n), ...of };
    const paid = await rig.store.call(creditPayment, told);
    if (typeof paid === 'string') throw new Error(paid);
    this.payment = paid.transfer;
    await rig.sql(
      `INSERT INTO payments (id, organization, provider, purpose, state, amount, keep_method, reference,
         paid, transfer, receipt, created)
       VALUES ('pay_1', '${organization}', 'stripe', 'top-up', 'succeeded', 500, 0, 'pi_1',
         500, '${this.payment}', 1, 1)`,
    );
    this.refund = mintId('transfer', rig.clock, rig.random);
    const asked = { id: this.refund, amount: picoUsd(300n), reason: 'asked', ...of };
    await rig.store.call(refund, asked);
    const refused = { refund: this.refund, organization, reason: 'refused', created };
    const back = await rig.store.call(reverseRefund, refused);
    if (typeof back === 'string') throw new Error(back);
    this.returned = back.transfer;
  }

  async #hold(amount: bigint, slice = 0n): Promise<RequestId> {
    const { rig, organization, key } = this;
    const more = { key, epoch: 1n, slice: picoUsd(slice) };
    const reservation = rig.reservation(organization, amount, more);
    const answer = await rig.ledger.reserve(reservation);
    if (typeof answer === 'string') throw new Error(answer);
    return reservation.request;
  }

  async #settle(request: RequestId, tokens: Tokens): Promise<PicoUsd> {
    const { rig } = this;
    const answer = await rig.ledger.settle(this.#usage(request, tokens), rig.cost(tokens));
    if (typeof answer === 'string') throw new Error(answer);
    return answer.cost;
  }

  #usage(request: RequestId, tokens: Tokens): Usage {
    return { ...this.rig.usage(this.organization, request, tokens), key: this.key };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.rig[Symbol.asyncDispose]();
  }
}
