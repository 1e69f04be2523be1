/**
 * The data plane's use of the ledger while usage is queried, in alternating periods with and
 * without queries.
 */
import { build, type Histogram } from 'hdr-histogram-js';
import { insertTransfer } from '../../router/ledger/credit.ts';
import { type LedgerParts, openLedger } from '../../router/ledger/ledger.ts';
import { createOrganization } from '../../router/identity/organizations.ts';
import { ensurePrices } from '../../router/ledger/prices.ts';
import type { Ledger, PriceVersion } from '../../router/ledger/terms.ts';
import { type KeyId, mintId, type OrganizationId } from '../../shared/ids.ts';
import { charge, PICO_PER_USD, picoUsd } from '../../shared/money.ts';
import { reservationOf, usageOf } from '../support/ledger-requests.ts';

const ALTERNATIONS = 5;
const ORGANIZATIONS = 20;
const RUN_MS = 50;
const TOKENS = { prompt: 1_000, cached: 500, completion: 200 };
const PRICE = {
  prompt: picoUsd(200_000n),
  completion: picoUsd(600_000n),
  cached: picoUsd(50_000n),
};
const COST = charge(PRICE, TOKENS);

type Beside = Readonly<{
  seconds: number;
  rate: number;
  questionsPerSecond: number;
  ask: (n: number) => Promise<unknown>;
}>;

export async function alternate(parts: LedgerParts, beside: Beside): Promise<object> {
  await using ledger = await openLedger(parts, { url: null, regions: ['global'] });
  const [price] = await ensurePrices(parts, [{ model: 'lab/other', price: PRICE }]);
  if (!price) throw new Error('no price');
  const customers = await Promise.all(
    Array.from({ length: ORGANIZATIONS }, () => customerOf(parts)),
  );
  const turns: object[] = [];
  for (let n = 0; n < ALTERNATIONS; n++) {
    const side = { ledger, price, customers, beside, clock: parts.clock, random: parts.random };
    const without = await turn(side, false);
    turns.push({ without, with: await turn(side, true) });
  }
  return { rate: beside.rate, questionsPerSecond: beside.questionsPerSecond, turns };
}

async function customerOf(parts: LedgerParts): Promise<OrganizationId> {
  const { store, clock, random } = parts;
  const { id } = await createOrganization(parts, { name: 'other', region: 'global' });
  await store.call(insertTransfer, {
    id: mintId('transfer', clock, random),
    organization: id,
    kind: 'adjustment',
    change: 100_000n * PICO_PER_USD,
    reference: 'bench',
    reason: null,
    created: clock.now(),
  });
  return id;
}

type Side = Readonly<{
  ledger: Ledger;
  price: PriceVersion;
  customers: readonly OrganizationId[];
  beside: Beside;
}> &
  Pick<LedgerParts, 'clock' | 'random'>;

async function turn(side: Side, asking: boolean): Promise<object> {
  const { clock, beside } = side;
  const admission = build({ lowestDiscernibleValue: 1 });
  const settlement = build({ lowestDiscernibleValue: 1 });
  const started = clock.monotonic();
  const running: Promise<void>[] = [];
  let asked = 0;
  let asker: Promise<unknown> = Promise.resolve();
  for (let sent = 0; sent < beside.rate * beside.seconds; sent++) {
    const due = started + (sent * 1000) / beside.rate;
    const wait = due - clock.monotonic();
    if (wait > 1) await new Promise<void>((done) => void clock.after(wait, done, 'hold'));
    running.push(request(side, sent, admission, settlement));
    if (asking && sent % Math.round(beside.rate / beside.questionsPerSecond) === 0) {
      // One after the other, as a person at a dashboard would.
      asker = asker.then(() => beside.ask(asked++));
    }
  }
  await Promise.all([asker, ...running]);
  const figures = (of: Histogram) => ({
    p50: of.getValueAtPercentile(50) / 1000,
    p99: of.getValueAtPercentile(99) / 1000,
  });
  return { admissionMs: figures(admission), settlementMs: figures(settlement), asked };
}

async function request(
  { ledger, price, customers, clock, random }: Side,
  number: number,
  admission: Histogram,
  settlement: Histogram,
): Promise<void> {
  const organization = customers[number % customers.length] as OrganizationId;
  const id = mintId('request', clock, random);
  const of = {
    request: id,
    organization,
    key: `key_${organization}` as KeyId,
    price: price.id,
  };
  const microseconds = (since: number) =>
    Math.max(1, Math.round((clock.monotonic() - since) * 1000));
  const asked = clock.monotonic();
  await ledger.reserve(reservationOf({ ...of, amount: picoUsd(COST * 2n) }));
  admission.recordValue(microseconds(asked));
  await new Promise<void>((done) => void clock.after(RUN_MS, done, 'hold'));
  const ended = clock.monotonic();
  const usage = usageOf({ ...of, model: price.model, created: clock.now() }, TOKENS);
  await ledger.settle(usage, COST);
  settlement.recordValue(microseconds(ended));
}
