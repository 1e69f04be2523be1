/**
 * `npm run bench:ledger`: measures the ledger's speed on either database, without the rest of the
 * router.
 *
 *   throughput  many clients, each reserving and settling without a pause: durable settlements
 *               per second
 *   paced       arrivals at a steady rate, each settled a moment after it was admitted: what
 *               admission and settlement add to an answer
 *
 * The figures are of one run on this machine. Compare them within a run, not between runs.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { build, type Histogram } from 'hdr-histogram-js';
import pg from 'pg';
import { createOrganization } from '../../router/identity/organizations.ts';
import { insertTransfer } from '../../router/ledger/credit.ts';
import { openLedger } from '../../router/ledger/ledger.ts';
import { ensurePrices } from '../../router/ledger/prices.ts';
import type { Ledger, Limits, PriceVersion } from '../../router/ledger/terms.ts';
import { openStore } from '../../router/store/open-store.ts';
import { BatchConnections } from '../../router/store/postgres/batch-connections.ts';
import type { Store } from '../../router/store/store.ts';
import { verifyLedger } from '../../router/verify/verify.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { type KeyId, type MemberId, mintId, type OrganizationId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { charge, PICO_PER_USD, picoUsd } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { reservationOf, usageOf } from '../support/ledger-requests.ts';
import { openBenchStore } from './bench-store.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
/** As in the shipped configuration, so that the rate windows are part of the measurement. */
const LIMITS: Limits = {
  organization: { requestsPerMinute: 1e9, tokensPerMinute: null, concurrentRequests: 1e6 },
  key: { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null },
  monthlyCap: null,
  dailyCap: null,
};
const TOKENS = { prompt: 1_000, cached: 500, completion: 200 };
const PRICE = {
  prompt: picoUsd(200_000n),
  completion: picoUsd(600_000n),
  cached: picoUsd(50_000n),
};
const COST = charge(PRICE, TOKENS);
const HELD = picoUsd(COST * 2n);

const { values: flags } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    organizations: { type: 'string', default: '1000' },
    concurrency: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '500' },
    /** PostgreSQL: commit synchronously instead of waiting for the barrier. */
    synchronous: { type: 'boolean', default: false },
    /** PostgreSQL: milliseconds added to each flush, for disks slower than this machine's. */
    'flush-ms': { type: 'string', default: '0' },
    /** PostgreSQL: the number of routers, each with its own store, in this one process. */
    routers: { type: 'string', default: '1' },
    /**
     * PostgreSQL: keeps an old transaction open, with a snapshot from before the run (MONEY 24).
     */
    'old-snapshot': { type: 'boolean', default: false },
    /** PostgreSQL: the fillfactor of accounts and meters, instead of the migration's. */
    fillfactor: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const seconds = Number(flags.seconds);

class Bench {
  readonly #ledgers: readonly Ledger[];
  readonly #price: PriceVersion;
  readonly #organizations: readonly OrganizationId[];
  #next = 0;
  settled = 0;
  readonly admission: Histogram = build({ lowestDiscernibleValue: 1 });
  readonly settlement: Histogram = build({ lowestDiscernibleValue: 1 });

  constructor(
    ledgers: readonly Ledger[],
    price: PriceVersion,
    organizations: readonly OrganizationId[],
  ) {
    this.#ledgers = ledgers;
    this.#price = price;
    this.#organizations = organizations;
  }

  async request(runMs: number): Promise<void> {
    const number = this.#next++;
    const ledger = this.#ledgers[number % this.#ledgers.length];
    const organization = this.#organizations[number % this.#organizations.length];
    if (!ledger || !organization) throw new Error('nobody to ask, or to ask for');
    const request = mintId('request', clock, random);
    const key = `key_${organization}` as KeyId;
    const asked = clock.monotonic();
    // Members without caps, as most are: each booking looks their caps up and finds none.
    const member = `mem_${organization}` as MemberId;
    const of = { request, organization, key, member, price: this.#price.id };
    const answer = await ledger.reserve(
      reservationOf({ ...of, amount: HELD, limits: LIMITS, tokens: TOKENS.prompt }),
    );
    if (typeof answer !== 'object' || !('held' in answer)) throw new Error(JSON.stringify(answer));
    this.admission.recordValue(microseconds(clock.monotonic() - asked));
    if (runMs > 0) await new Promise<void>((done) => void clock.after(runMs, done, 'hold'));
    const ended = clock.monotonic();
    const usage = usageOf({ ...of, worker: 'engine', created: clock.now() }, TOKENS);
    const settled = await ledger.settle(usage, COST);
    if (settled === 'refused') throw new Error('refused');
    this.settlement.recordValue(microseconds(clock.monotonic() - ended));
    this.settled++;
  }
}

function microseconds(ms: number): number {
  return Math.max(1, Math.round(ms * 1000));
}

async function throughput(bench: Bench): Promise<object> {
  const until = clock.monotonic() + seconds * 1000;
  const loop = async () => {
    while (clock.monotonic() < until) await bench.request(0);
  };
  const started = clock.monotonic();
  await Promise.all(Array.from({ length: Number(flags.concurrency) }, loop));
  const took = (clock.monotonic() - started) / 1000;
  return { settlementsPerSecond: Math.round(bench.settled / took), ...latencies(bench) };
}

async function paced(bench: Bench): Promise<object> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const started = clock.monotonic();
  const running: Promise<void>[] = [];
  delay.enable();
  for (let sent = 0; sent < Number(flags.rate) * seconds; sent++) {
    const wait = started + (sent * 1000) / Number(flags.rate) - clock.monotonic();
    if (wait > 1) await new Promise<void>((done) => void clock.after(wait, done, 'hold'));
    running.push(bench.request(100));
  }
  await Promise.all(running);
  delay.disable();
  // The monitor samples every ms, which is included in its values.
  const eventLoopP99Ms = round(delay.percentile(99) / 1e6 - 1);
  return { rate: Number(flags.rate), ...latencies(bench), eventLoopP99Ms };
}

function latencies({ admission, settlement }: Bench): object {
  const figures = (of: Histogram) => ({
    p50: round(of.getValueAtPercentile(50) / 1000),
    p99: round(of.getValueAtPercentile(99) / 1000),
  });
  return { admissionMs: figures(admission), settlementMs: figures(settlement) };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Settings of PostgreSQL with which each flush takes so many milliseconds longer. */
function settingsOf(flushMs: string): Record<string, string> {
  const commit_delay = String(Number(flushMs) * 1000);
  return { commit_delay, commit_siblings: '0', max_wal_size: '4GB' };
}

/** Returns the store, or a store whose batches commit synchronously. */
function variantOf(store: Store, url: string, parts: AsyncDisposableStack): Store {
  if (!flags.synchronous) return store;
  const batches = parts.use(new BatchConnections({ url, clock, synchronous: true }));
  return {
    call: (procedure, input) => store.call(procedure, input),
    runBatch: (executor, operations, listener) => batches.run(executor, operations, listener),
    onAnnouncement: () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

async function setFillfactor(url: string, percent: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const table of ['accounts', 'meters', 'holds', 'windows']) {
    await client.query(`ALTER TABLE ${table} SET (fillfactor = ${percent})`);
    await client.query(`VACUUM FULL ${table}`);
  }
  await client.end();
}

async function holdSnapshot(url: string, parts: AsyncDisposableStack): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  parts.defer(() => client.end());
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await client.query('SELECT count(*) FROM accounts');
}

async function main(): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const log = makeLog('bench', 'error');
  const url = await openBenchStore(flags.store, settingsOf(flags['flush-ms']), parts);
  const config = { url, registry: REGISTRY };
  const store = parts.use(await openStore(config, { clock, log }));
  const organizations: OrganizationId[] = [];
  for (let n = 0; n < Number(flags.organizations); n++) {
    const { id } = await createOrganization(
      { store, clock, random },
      { name: `bench ${n}`, region: 'global' },
    );
    await store.call(insertTransfer, {
      id: mintId('transfer', clock, random),
      organization: id,
      kind: 'adjustment',
      change: 1_000_000n * PICO_PER_USD,
      reference: 'bench',
      reason: null,
      created: clock.now(),
    });
    organizations.push(id);
  }
  const [price] = await ensurePrices({ store, clock }, [{ model: 'lab/model', price: PRICE }]);
  if (!price) throw new Error('no price');
  if (flags.fillfactor !== undefined) await setFillfactor(url, Number(flags.fillfactor));
  if (flags['old-snapshot']) await holdSnapshot(url, parts);
  const ledgers: Ledger[] = [];
  for (let router = 0; router < Number(flags.routers); router++) {
    const own = router === 0 ? store : parts.use(await openStore(config, { clock, log }));
    const through = { store: variantOf(own, url, parts), clock, random, log };
    ledgers.push(parts.use(await openLedger(through, { url: null, regions: ['global'] })));
  }
  const report = {
    store: flags.store,
    organizations: organizations.length,
    synchronous: flags.synchronous,
    flushMs: Number(flags['flush-ms']),
    routers: ledgers.length,
    oldSnapshot: flags['old-snapshot'],
    fillfactor: flags.fillfactor ?? 'as migrated',
    throughput: await throughput(new Bench(ledgers, price, organizations)),
    paced: await paced(new Bench(ledgers, price, organizations)),
    differences: (await store.call(verifyLedger, null)).differences,
  };
  process.stdout.write(`${JSON.stringify(report, null, flags.json ? 0 : 2)}\n`);
}

await main();
