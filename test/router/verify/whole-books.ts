/**
 * Books with rows of every kind in every table that `ledger verify` checks, made by the router's
 * own procedures.
 */
import { monthOf } from '../../../router/store/month.ts';
import { enqueueInvoices } from '../../../router/control/invoices/due.ts';
import { closeMonth, invoiceJob } from '../../../router/control/invoices/monthly.ts';
import { payInvoice, voidInvoice } from '../../../router/control/invoices/procedures.ts';
import { ingestEvent } from '../../../router/control/payments/ingest-event.ts';
import { setMemberCaps } from '../../../router/control/members/procedures.ts';
import { openPayment } from '../../../router/control/payments/procedures.ts';
import type { ProviderEvent } from '../../../router/control/payments/provider.ts';
import { refundPayment } from '../../../router/control/payments/refunds.ts';
import { setRate } from '../../../router/identity/rates.ts';
import { insertTransfer } from '../../../router/ledger/credit.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { forgetUsage } from '../../../router/usage/retention/forget.ts';
import { foldLedgerSlice } from '../../../router/usage/ledger-days/fold.ts';
import { foldSlice } from '../../../router/usage/rollups/fold.ts';
import type { Clock } from '../../../shared/clock.ts';
import {
  type KeyId,
  type MemberId,
  mintId,
  type OrganizationId,
  type PaymentId,
  type RequestId,
} from '../../../shared/ids.ts';
import { charge, type PicoUsd, picoUsd } from '../../../shared/money.ts';
import type { Tokens } from '../../support/ledger-requests.ts';
import { LOG, Rig } from '../ledger/rig.ts';
import { setBilling } from '../ledger/set-organization.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const at = (month: number, day: number) => Date.UTC(2026, month - 1, day);

export class WholeBooks implements AsyncDisposable {
  readonly rig: Rig;
  invoiced!: OrganizationId;
  /** A customer with payments, refunds and disputes. */
  paying!: OrganizationId;
  /** A customer some of whose usage rows have been deleted. */
  forgetful!: OrganizationId;
  #dear!: PriceVersion;
  #now = at(1, 15);
  readonly #clock: Clock;

  private constructor(rig: Rig) {
    this.rig = rig;
    this.#clock = {
      now: () => this.#now,
      monotonic: () => rig.clock.monotonic(),
      after: (ms, run) => rig.clock.after(ms, run),
      every: (ms, run) => rig.clock.every(ms, run),
    };
  }

  static async make(): Promise<WholeBooks> {
    const rig = await Rig.start();
    const books = new WholeBooks(rig);
    await rig.sql(`UPDATE kysely_migration SET timestamp = '2025-12-01T00:00:00.000Z'`);
    await books.#fill();
    await rig.check();
    rig.damaged = true;
    return books;
  }

  async #fill(): Promise<void> {
    const { rig } = this;
    const [dear] = await ensurePrices(rig.parts, [
      { model: 'lab/dear', price: { ...rig.price.price, prompt: picoUsd(1_000_001n) } },
    ]);
    this.#dear = dear as PriceVersion;
    await this.#fillInvoiced();
    await this.#fillPaying();
    await this.#fillForgetful();
    await this.#fillCapped();
  }

  /** A member with caps, who has spent on two days. */
  async #fillCapped(): Promise<void> {
    const { rig } = this;
    const organization = await rig.organization(1_000_000n);
    const member = await rig.member(organization, 'capped');
    const of = { organization, member };
    const change = { monthlyCap: picoUsd(900_000n), dailyCap: picoUsd(500_000n) };
    await rig.store.call(setMemberCaps, { ...of, change, now: this.#now });
    const tokens = { prompt: 50, completion: 1 };
    await this.#spend(organization, 'key_capped', tokens, rig.price, member);
    this.#now += 3 * DAY_MS;
    await this.#spend(organization, 'key_capped', tokens, rig.price, member);
  }

  /**
   * Creates four invoices of one billing period (paid, void, open, and the last one), then a period
   * with one invoice.
   */
  async #fillInvoiced(): Promise<void> {
    const { rig } = this;
    this.invoiced = await rig.organization(1_000_000_000n);
    const id = this.invoiced;
    const price = { ...rig.price.price, prompt: picoUsd(9n) };
    await rig.store.call(setRate, { organization: id, model: 'lab/model', price, created: 1 });
    await this.#invoice(id);
    await this.#spendSome(id, 'key_invoiced');
    await this.#closeMonth(at(2, 1));
    const january = await this.#newest(id);
    await this.#spendSome(id, 'key_invoiced');
    await this.#closeMonth(at(3, 1));
    const february = await this.#newest(id);
    await this.#spendSome(id, 'key_invoiced');
    const of = { organization: id, created: this.#now };
    await rig.store.call(payInvoice, { ...of, invoice: january, reference: 'bank', day: null });
    await rig.store.call(voidInvoice, { ...of, invoice: february, reason: 'wrong' });
    await this.#closeMonth(at(4, 1));
    await this.#spendSome(id, 'key_invoiced');
    await this.#adjust(id, 40_000_000_000_000n);
    await rig.store.call(setBilling, { organization: id, billing: 'prepaid' });
    await this.#closeMonth(at(4, 10));
    await this.#spendSome(id, 'key_invoiced');
    await this.#invoice(id);
    await this.#spendSome(id, 'key_invoiced');
    await this.#closeMonth(at(5, 1));
    await this.#fold(id);
    const reversed = await this.#spendSome(id, 'key_invoiced');
    await this.#fold(id);
    // Voided after it was folded, and not folded again yet.
    await this.#void(id, 'key_invoiced', reversed);
    await this.#spendSome(id, 'key_invoiced');
    const slice = picoUsd(40n);
    const [account] = await rig.sql(`SELECT auth_epoch FROM accounts WHERE id = '${id}'`);
    const { auth_epoch: epoch } = account as { auth_epoch: bigint };
    const held = rig.reservation(id, 100n, { key: 'key_invoiced' as KeyId, slice, epoch });
    const { incarnation } = rig.ledger;
    await rig.run([{ kind: 'reserve', reservation: held, incarnation, now: this.#now }]);
  }

  async #fillPaying(): Promise<void> {
    this.#now = at(5, 12);
    const { rig } = this;
    this.paying = await rig.organization(100n);
    const first = await this.#pay(900n);
    const tell = (event: ProviderEvent) => this.#tell(event);
    const reference = `ch_${first}`;
    await tell({ kind: 'disputed', event: 'd1', reference, amount: picoUsd(300n) });
    await tell({ kind: 'dispute_won', event: 'd2', reference, amount: picoUsd(100n) });
    await rig.sql(`UPDATE organizations SET status = 'active' WHERE id = '${this.paying}'`);
    await this.#refund(first, 50n);
    const failed = await this.#refund(first, 60n);
    const of = { reference, refund: failed, amount: picoUsd(60n) };
    await tell({ kind: 'refund_failed', event: 'r1', ...of });
    const second = await this.#pay(700n);
    const there = { reference: `ch_${second}`, refund: null };
    await tell({ kind: 'refunded', event: 'r2', ...there, amount: picoUsd(20n) });
    await this.#spend(this.paying, 'key_paying', { prompt: 50, completion: 1 });
    await tell({ kind: 'refunded', event: 'r3', ...there, amount: picoUsd(680n) });
    await rig.sql(
      `INSERT INTO recharges (organization, enabled, threshold, amount)
       VALUES ('${this.paying}', 1, 1, 1)`,
    );
  }

  async #fillForgetful(): Promise<void> {
    this.#now = at(2, 10);
    this.forgetful = await this.rig.organization(1_000_000_000n);
    const id = this.forgetful;
    await this.#spendSome(id, 'key_forgetful');
    const reversed = await this.#spendSome(id, 'key_forgetful');
    await this.#void(id, 'key_forgetful', reversed);
    this.#now = at(5, 12);
    await this.#spendSome(id, 'key_forgetful');
    await this.#fold(id);
    const forgotten = { organization: id, before: at(5, 1), rows: 100 };
    if ((await this.rig.store.call(forgetUsage, forgotten)) === 0) throw new Error('kept');
  }

  #invoice(organization: OrganizationId): Promise<unknown> {
    const creditLimit = picoUsd(1_000_000_000_000_000n);
    return this.rig.store.call(setBilling, { organization, billing: 'invoiced', creditLimit });
  }

  /** Closes the invoices that are due at an instant, and goes on to the middle of that month. */
  async #closeMonth(now: number): Promise<void> {
    const { store, random } = this.rig;
    this.#now = now;
    await store.call(enqueueInvoices, { now, limit: 100 });
    await closeMonth(
      { store, random, clock: this.#clock, seller: null },
      this.invoiced,
      monthOf(now) - 1n,
    );
    const about = { id: 'job', kind: 'invoice', subject: '', idempotencyKey: '', attempts: 1 };
    const last = { organization: this.invoiced, month: 'last' };
    await invoiceJob({ store, random, clock: this.#clock, seller: null })({
      ...about,
      payload: last,
    });
    this.#now = now + 14 * DAY_MS;
  }

  async #newest(organization: OrganizationId) {
    const rows = await this.rig.sql(
      `SELECT id FROM invoices WHERE organization = '${organization}' ORDER BY number DESC`,
    );
    return (rows[0] as { id: string }).id as Parameters<typeof payInvoice.run>[1]['invoice'];
  }

  /**
   * Spends on two models, with one charge that is reversed and one request that is free. Returns a
   * usage that was charged.
   */
  async #spendSome(organization: OrganizationId, key: string): Promise<Usage> {
    const dear = { prompt: 2_000_000, cached: 3, completion: 9, reasoning: 4 };
    await this.#spend(organization, key, dear, this.#dear);
    const back = await this.#spend(organization, key, { prompt: 4, completion: 2, reasoning: 1 });
    await this.#void(organization, key, back);
    return await this.#spend(organization, key, {
      prompt: 7,
      cached: 5,
      completion: 3,
      reasoning: 1,
    });
  }

  async #spend(
    organization: OrganizationId,
    key: string,
    tokens: Tokens,
    price = this.rig.price,
    member: MemberId | null = null,
  ): Promise<Usage> {
    const { rig } = this;
    this.#now += 60_000;
    const request: RequestId = mintId('request', this.#clock, rig.random);
    const usage: Usage = {
      ...rig.usage(organization, request, tokens),
      key: key as KeyId,
      member,
      model: price.model,
      price: price.id,
      created: this.#now - 1_000,
    };
    const cost: PicoUsd = charge(price.price, { cached: 0, ...tokens });
    const [answers] = await rig.run([{ kind: 'settle', usage, cost, now: this.#now }]);
    if (JSON.stringify(answers?.[0]?.[1], (_, value) => String(value)).includes('refused')) {
      throw new Error('refused');
    }
    return usage;
  }

  async #void(organization: OrganizationId, key: string, usage: Usage): Promise<void> {
    const cut = { ...usage, organization, key: key as KeyId, finishReason: null, status: 502 };
    await this.rig.run([{ kind: 'void', usage: cut, now: this.#now }]);
  }

  async #fold(organization: OrganizationId): Promise<void> {
    await foldSlice(this.rig.store, { organization, now: this.#now });
    await foldLedgerSlice(this.rig.store, { organization });
  }

  async #adjust(organization: OrganizationId, change: bigint): Promise<void> {
    const id = mintId('transfer', this.#clock, this.rig.random);
    const of = { id, organization, reference: 'a test', reason: 'a test', created: this.#now };
    await this.rig.store.call(insertTransfer, { ...of, kind: 'adjustment', change });
  }

  async #pay(amount: bigint): Promise<PaymentId> {
    const { rig, paying: organization } = this;
    const payment: PaymentId = mintId('payment', this.#clock, rig.random);
    await rig.store.call(openPayment, {
      id: payment,
      organization,
      provider: 'sandbox',
      purpose: 'top-up',
      amount,
      keepMethod: false,
      charged: null,
      person: null,
      idempotencyKey: null,
      created: this.#now,
    });
    const paid = { payment, reference: `ch_${payment}`, customer: null, method: null };
    await this.#tell({ kind: 'paid', event: `p_${payment}`, amount: picoUsd(amount), ...paid });
    return payment;
  }

  async #refund(payment: PaymentId, amount: bigint) {
    const id = mintId('transfer', this.#clock, this.rig.random);
    const of = { organization: this.paying, payment, reason: 'asked', person: null };
    const made = await this.rig.store.call(refundPayment, {
      id,
      amount,
      created: this.#now,
      ...of,
    });
    if (typeof made === 'string') throw new Error(made);
    return id;
  }

  async #tell(event: ProviderEvent): Promise<void> {
    const parts = { store: this.rig.store, clock: this.#clock, log: LOG, seller: null };
    const { outcome } = await ingestEvent(parts, 'sandbox', event);
    if (outcome !== 'applied') throw new Error(`${event.event} was ${outcome}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.rig[Symbol.asyncDispose]();
  }
}
