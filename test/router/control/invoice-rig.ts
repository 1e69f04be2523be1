/**
 * A router with organizations that are invoiced: they spend, months are closed at any instant, and the
 * tests read the invoices.
 */
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { enqueueInvoices } from '../../../router/control/invoices/due.ts';
import { invoiceJob } from '../../../router/control/invoices/monthly.ts';
import { insertTransfer } from '../../../router/ledger/credit.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { type KeyId, mintId, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import { charge, PICO_PER_USD, parseUsd, picoUsd } from '../../../shared/money.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { SELLER } from '../../support/seller.ts';
import { setBilling } from '../ledger/set-organization.ts';
import { type Answer, log, PEPPER, type Rig, startRig } from './rig.ts';

const START = Date.UTC(2026, 9, 10);
/** The wall clock is set by the tests. The rest of the clock is real. */
export let now = START;
export const clock: Clock = { ...systemClock, now: () => now };
export function setNow(at: number): void {
  now = at;
}

export const OCTOBER = Date.UTC(2026, 9);
export const NOVEMBER = Date.UTC(2026, 10);
export const DECEMBER = Date.UTC(2026, 11);

export let rig: Rig;
export let ledger: OpenLedger;
export let cheap: PriceVersion;
export let dear: PriceVersion;

/** Starts them for a test file. After each test the books must agree. */
export function shareInvoiceRig(): void {
  beforeAll(async () => {
    now = START;
    rig = await startRig(clock, ['global'], { seller: SELLER });
    const parts = { store: rig.store, clock, random, log };
    ledger = await openLedger(parts, { url: null, regions: ['global'] });
    [cheap, dear] = (await ensurePrices(parts, [
      { model: 'lab/small', price: prices(1n) },
      { model: 'lab/large', price: prices(7_000_001n) },
    ])) as [PriceVersion, PriceVersion];
  });
  afterEach(async () => {
    expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
  });
  afterAll(async () => {
    await ledger[Symbol.asyncDispose]();
    await rig[Symbol.asyncDispose]();
  });
}

export const prices = (n: bigint) => ({
  prompt: picoUsd(n * 3n),
  completion: picoUsd(n * 9n),
  cached: picoUsd(n),
});
export const usd = (dollars: number) => BigInt(dollars) * PICO_PER_USD;
export const pico = (text: string) => parseUsd(text) ?? picoUsd(0n);

export type Customer = Readonly<{ id: OrganizationId; path: string; key: KeyId; digest: string }>;

export async function customer(): Promise<Customer> {
  const opened = await rig.ask('POST', '/api/v1/organizations', { name: 'Lab & <Sons>' });
  const path = `/api/v1/organizations/${opened.body.id}`;
  const made = await rig.ask('POST', `${path}/keys`, { name: 'key' });
  const digest = digestSecret(PEPPER, made.body.key);
  return { id: opened.body.id, path, key: made.body.id, digest };
}

export async function invoiced(creditLimit = 1_000): Promise<Customer> {
  const made = await customer();
  await invoice(made, creditLimit);
  return made;
}

export function invoice(
  { id }: Customer,
  creditLimit = 1_000,
  termsDays?: number,
): Promise<unknown> {
  const billing = {
    billing: 'invoiced',
    creditLimit: picoUsd(usd(creditLimit)),
    termsDays,
  } as const;
  return rig.store.call(setBilling, { organization: id, ...billing });
}

/** Serves one request from hold to charge, as the request path does. */
export async function spend(
  { id: organization, key, digest }: Customer,
  price: PriceVersion,
  tokens: { prompt: number; cached: number; completion: number },
): Promise<Usage> {
  const request: RequestId = mintId('request', clock, random);
  const cost = charge(price.price, tokens);
  const found = await ledger.findKey(digest);
  const of = { request, organization, key, price: price.id };
  const hold = reservationOf({ ...of, amount: cost, epoch: found?.epoch ?? -1n });
  expect(await ledger.reserve(hold)).toHaveProperty('held');
  const usage = usageOf({ ...of, model: price.model, created: now }, tokens);
  expect(await ledger.settle(usage, cost)).toEqual({ cost });
  return usage;
}

/** Takes or gives credit at an instant. */
export function adjust(
  { id: organization }: Customer,
  change: bigint,
  created = now,
  reason = 'a test',
): Promise<unknown> {
  return rig.store.call(insertTransfer, {
    id: mintId('transfer', clock, random),
    organization,
    kind: 'adjustment',
    change,
    reference: 'a test',
    reason,
    created,
  });
}

/** Runs the monthly closing and its jobs at an instant, until nothing is left to close. */
export async function closeMonths(at: number, seller: typeof SELLER | null = null): Promise<void> {
  now = at;
  const job = invoiceJob({ store: rig.store, clock, random, seller });
  for (;;) {
    await rig.store.call(enqueueInvoices, { now, limit: 100 });
    const waiting = (await rig.place.sql(
      `select id, payload from jobs where kind = 'invoice' and state = 'waiting'`,
    )) as { id: string; payload: string }[];
    if (waiting.length === 0) return;
    for (const { id, payload } of waiting) {
      const about = { id, kind: 'invoice', subject: '', idempotencyKey: id, attempts: 1 };
      await job({ ...about, payload: JSON.parse(payload) as unknown });
      await rig.place.sql(`update jobs set state = 'done' where id = '${id}'`);
    }
  }
}

// `any`, because each test states the shape of the invoice that it expects.
// oxlint-disable-next-line typescript/no-explicit-any
export async function invoicesOf({ path }: Customer): Promise<any[]> {
  const listed = await rig.ask('GET', `${path}/invoices`);
  expect(listed.status).toBe(200);
  const details: Answer[] = [];
  for (const { id } of listed.body.data) {
    details.push(await rig.ask('GET', `${path}/invoices/${id}`));
  }
  // Oldest first.
  return details.map(({ body }) => body).toReversed();
}

export async function balance({ path }: Customer): Promise<string> {
  return (await rig.ask('GET', `${path}/credit`)).body.balance;
}

export function document(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${rig.first.operator.token}`;
  return fetch(rig.origin + path, { headers: { authorization, ...headers } });
}
