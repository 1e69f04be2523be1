/**
 * `npm run bench:usage`: a year of one busy organization, folded by the product's own fold and
 * queried in every way that the API has, and the effect of the queries on the data plane, in
 * alternating periods with and without them.
 *
 * The figures are of one run on this machine. Compare them within a run, not between runs.
 */
import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { writeUsageSummary } from '../../router/control/usage/write-summary.ts';
import { createOrganization } from '../../router/identity/organizations.ts';
import { ensurePrices } from '../../router/ledger/prices.ts';
import { openStore } from '../../router/store/open-store.ts';
import { sqliteFile } from '../../router/store/store-url.ts';
import type { Store } from '../../router/store/store.ts';
import { listUsage } from '../../router/usage/listings.ts';
import { findUnfolded } from '../../router/usage/rollups/fold-task.ts';
import { foldSlice } from '../../router/usage/rollups/fold.ts';
import type { SummaryQuery } from '../../router/usage/rollups/summary-query.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type BucketName, ordinalOf } from '../../router/usage/time-buckets.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import type { KeyId, MemberId, OrganizationId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { picoUsd } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { openBenchStore } from './bench-store.ts';
import { spread } from './spread.ts';
import { alternate } from './usage-beside.ts';
import { askCube, askSeries, buildPlain } from './usage-plain.ts';
import { connect, keyName, seedUsage } from './usage-seed.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
const KEYS = 50;
const MODELS = Array.from({ length: 10 }, (_, n) => `lab/model-${n}`);
const MEMBERS = Array.from({ length: 5 }, (_, n) => `mem_bench${n}`);
const PRICE = {
  prompt: picoUsd(30_000_000n),
  completion: picoUsd(90_000_000n),
  cached: picoUsd(3_000_000n),
};

const { values: flags } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    requests: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    /** The organization of a store that was seeded before. */
    known: { type: 'string' },
    /** Rows per fold. The product uses 1,000. */
    slice: { type: 'string', default: '1000' },
    /** Seconds of each half of an alternation. 0: no alternations. */
    beside: { type: 'string', default: '10' },
    /** Requests per second on the data plane meanwhile, and queries per second. */
    rate: { type: 'string', default: '200' },
    questions: { type: 'string', default: '2' },
    /** Measures the plain rows that decision 0012 is compared with, too. */
    plain: { type: 'boolean', default: false },
  },
});
const until = clock.now();
const from = until - 364 * DAY_MS;

const tell = (text: string) => void process.stderr.write(`\r${text}          `);

type Made = Readonly<{ store: Store; clock: typeof clock; random: typeof random }>;

/** Returns the organization. A store that was given by its URL may have it from an earlier run. */
async function seeded(parts: Made, url: string): Promise<OrganizationId> {
  const requests = Number(flags.requests);
  const waiting = BigInt(requests);
  const asked = { after: '', accounts: 1_000, waiting } as const;
  const known = flags.known ?? (await parts.store.call(findUnfolded, asked)).organizations[0];
  if (known !== undefined) return known as OrganizationId;
  const { id } = await createOrganization(parts, { name: 'bench', region: 'global' });
  const prices = await ensurePrices(
    parts,
    MODELS.map((model) => ({ model, price: PRICE })),
  );
  const models = prices.map((price) => ({ id: price.model, price: price.id }));
  const seed = { organization: id, requests, keys: KEYS, models, members: MEMBERS, from, until };
  await seedUsage(url, seed, tell);
  return id;
}

async function fold(store: Store, organization: OrganizationId): Promise<object> {
  const rows = Number(flags.slice);
  const started = clock.monotonic();
  const took: number[] = [];
  for (let last = started; ; ) {
    const answer = await foldSlice(store, { organization, now: clock.now(), rows });
    if (answer === 'nothing') break;
    const now = clock.monotonic();
    took.push(now - last);
    last = now;
    tell(`folded ${took.length * rows} rows`);
  }
  const seconds = (clock.monotonic() - started) / 1000;
  return {
    rowsPerSecond: Math.round((took.length * rows) / seconds),
    sliceRows: rows,
    sliceMs: spread(took),
  };
}

type Question = Omit<SummaryQuery, 'organization'>;

function question(bucket: BucketName, days: number, more: Partial<Question> = {}): Question {
  const end = until;
  return {
    bucket,
    from: ordinalOf(bucket, end - days * DAY_MS),
    until: ordinalOf(bucket, end) + 1,
    groupBy: null,
    groups: 7,
    filters: {},
    ...more,
  };
}

const format = 'json';
const key = keyName(7) as KeyId;
const member = MEMBERS[2] as MemberId;
const QUESTIONS: Readonly<Record<string, Question>> = {
  'year by month': question('month', 364),
  'year by day': question('day', 364),
  'year by day, by model': question('day', 364, { groupBy: 'model' }),
  'year by day, by key': question('day', 364, { groupBy: 'key' }),
  'year by day, by member': question('day', 364, { groupBy: 'member' }),
  'year by day, by source': question('day', 364, { groupBy: 'source' }),
  'year by day of a key, by model': question('day', 364, {
    groupBy: 'model',
    filters: { key: [key] },
  }),
  'year by day of a model, by key': question('day', 364, {
    groupBy: 'key',
    filters: { model: ['lab/model-3'] },
  }),
  'year by day of a member and a source, by model, failed': question('day', 364, {
    groupBy: 'model',
    filters: { member: [member], source: ['api'] },
    status: ['5xx'],
  }),
  '62 days by hour': question('hour', 62),
  '31 days by hour, by key': question('hour', 31, { groupBy: 'key', groups: 3 }),
  '31 days by hour of a model, by key': question('hour', 31, {
    groupBy: 'key',
    groups: 3,
    filters: { model: ['lab/model-3'] },
  }),
  'day by minute': question('minute', 1),
  'day by minute, by key': question('minute', 1, { groupBy: 'key', groups: 1 }),
};

async function measure(store: Store, organization: OrganizationId): Promise<object> {
  const report: Record<string, object> = {};
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    const took: number[] = [];
    const busy = process.cpuUsage();
    const own = process.threadCpuUsage();
    for (let n = 0; n < Number(flags.rounds); n++) {
      const started = clock.monotonic();
      const answer = await store.call(writeUsageSummary, {
        query: { organization, ...asked },
        format,
      });
      if (answer === null || answer === 'too_wide') throw new Error(name);
      took.push(clock.monotonic() - started);
    }
    const each = ({ user, system }: NodeJS.CpuUsage) =>
      Math.round((user + system) / took.length / 100) / 10;
    // CPU time of this process with its threads, which is the minimum on an otherwise idle machine,
    // and the share of the main thread, on which the rest of a router waits.
    const cpu = each(process.cpuUsage(busy));
    report[name] = { ...spread(took), cpu, ownCpu: each(process.threadCpuUsage(own)) };
  }
  const newest: number[] = [];
  for (let n = 0; n < Number(flags.rounds); n++) {
    const started = clock.monotonic();
    await store.call(listUsage, { organization, before: null, limit: 100 });
    newest.push(clock.monotonic() - started);
  }
  report['the newest 100 requests'] = spread(newest);
  return report;
}

async function measurePlain(url: string): Promise<object> {
  const db = await connect(url);
  try {
    const rows = await buildPlain(db, { requests: Number(flags.requests), until }, tell);
    const report: Record<string, object> = {};
    for (const [name, asked] of Object.entries(QUESTIONS)) {
      if (asked.bucket === 'minute') continue;
      const each: Record<string, object> = {};
      for (const [way, ask] of Object.entries({ cube: askCube, series: askSeries })) {
        const took: number[] = [];
        for (let n = 0; n < Number(flags.rounds); n++) {
          const started = clock.monotonic();
          await ask(db, asked);
          took.push(clock.monotonic() - started);
        }
        each[way] = spread(took);
      }
      report[name] = each;
    }
    return { rows, questionsMs: report };
  } finally {
    await db.close();
  }
}

async function main(): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const log = makeLog('bench', 'error');
  const settings = { max_wal_size: '4GB', shared_buffers: '512MB' };
  const url = await openBenchStore(flags.store, settings, parts);
  const store = parts.use(await openStore({ url, registry: REGISTRY }, { clock, log }));
  const made = { store, clock, random, log };
  const organization = await seeded(made, url);
  const folding = await fold(store, organization);
  const file = sqliteFile(url);
  const report = {
    store: url.startsWith('sqlite:') ? 'sqlite' : 'postgres',
    organization,
    requests: Number(flags.requests),
    load: loadavg().map(Math.round),
    fold: folding,
    ...(file === null ? {} : { fileMiB: Math.round(statSync(file).size / 2 ** 20) }),
    questionsMs: await measure(store, organization),
    plain: flags.plain ? await measurePlain(url) : null,
    beside:
      flags.beside === '0'
        ? null
        : await alternate(made, {
            seconds: Number(flags.beside),
            rate: Number(flags.rate),
            questionsPerSecond: Number(flags.questions),
            ask: (n) => {
              const all = Object.values(QUESTIONS);
              const asked = all[n % all.length] as Question;
              return store.call(writeUsageSummary, { query: { organization, ...asked }, format });
            },
          }),
  };
  process.stderr.write('\n');
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

await main();
