/**
 * `npm run bench:pages`: how long each page of the dashboard waits for its data when an organization
 * has ten million requests, and what a person who reads all pages costs the data plane beside it.
 *
 * A browser opens each page of a real `penstock up`. `browser` is the time from the page's first call
 * of the management API to the end of the last one, with all that the browser does between them on
 * the same cores. `calls` is the time until the same calls are answered when a client makes them all
 * at once, over six connections. Then honest requests are sent at a steady rate, in alternating
 * periods with and without a reader that makes all calls of all pages without a pause.
 *
 * `--requests 10000000`, `--store sqlite` or `postgres`, `--rounds 20`.
 */
import { statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { Agent, request } from 'undici';
import { PAGES } from '../../router/dashboard/pages.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { openBrowser, Visitor } from './visitor.ts';
import { Up } from '../support/up.ts';
import { openBenchStore } from '../bench/bench-store.ts';
import { seedHistory } from '../bench/pages-seed.ts';
import { type Spread, spread } from '../bench/spread.ts';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '10000000' },
    store: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '20' },
    /** Seconds of each period beside the data plane. */
    seconds: { type: 'string', default: '20' },
    /** Honest requests a second in these periods. */
    honest: { type: 'string', default: '50' },
  },
});
const PERIODS = 3;
/** A page is complete when it has made no call for this long. */
const QUIET_MS = 400;
/** As many connections as a browser has. */
const reader = new Agent({ connections: 6 });

/** Addresses beyond the pages themselves: what a person does on the pages that query history. */
const VIEWS: Readonly<Record<string, string>> = {
  'usage, a year by day and model': '/usage?range=12mo&bucket=day&group=model',
  'usage, a year by key, requests': '/usage?range=12mo&group=key&measure=requests',
  'usage, 30 days by hour': '/usage?range=30d&bucket=hour',
  'usage, failures of 90 days': '/usage?range=90d&status=5xx',
  'logs, failures of 30 days': '/logs?range=30d&status=5xx',
  'logs, seven days by hour': '/logs?range=7d',
  'logs, one key': '/logs?range=30d&key=key_bench0000007',
};

const tell = (text: string) => void process.stderr.write(`\r${text}          `);

/** The addresses of all pages, by what is measured. A page of something that there is not is left out. */
async function addresses(up: Up, organization: string): Promise<Record<string, string>> {
  const firstOf = async (list: string) => (await up.api('GET', `${list}?limit=1`)).data[0]?.id;
  const hook = { url: 'https://example.com/hooks', events: ['balance.low'] };
  const named: Record<string, string | undefined> = {
    organization,
    request: 'req_bench1005000001',
    key: 'key_bench0000007',
    agent: (await up.admin<{ agent: string }[]>('worker', 'list'))[0]?.agent,
    webhook: (await up.api('POST', `/organizations/${organization}/webhooks`, hook)).id,
    person: await firstOf('/people'),
    router: (await up.api('GET', '/routers')).data[0]?.id,
    job: (await up.api('GET', '/jobs?state=done')).data[0]?.id,
    runbook: 'PenstockStoreDown',
    document: 'backup',
  };
  const own: Record<string, string> = {};
  for (const { path, title, needs } of Object.values(PAGES)) {
    const names = [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
    if (names.some((name) => named[name] === undefined)) continue;
    const name = path.startsWith('/operator') ? `operators: ${title}` : title;
    own[needs === 'visitor' ? `anybody: ${title}` : name] = path.replace(
      /\$(\w+)/g,
      (_, param: string) => named[param] ?? '',
    );
  }
  for (const [name, view] of Object.entries(VIEWS)) own[name] = `/${organization}${view}`;
  return own;
}

/** The calls that a page made, and the ms from the start of the first to the end of the last. */
async function open(page: Page, address: string): Promise<{ ms: number; calls: string[] }> {
  await page.goto(address, { waitUntil: 'load' });
  return await page.evaluate(async (quietMs) => {
    const apiCalls = () =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => new URL(entry.name).pathname.startsWith('/api/v1/'))
        .map((entry) => entry as PerformanceResourceTiming);
    const loaded = performance.now();
    const lastEnd = () => Math.max(loaded, ...apiCalls().map(({ responseEnd }) => responseEnd));
    while (performance.now() - lastEnd() < quietMs) {
      await new Promise((done) => setTimeout(done, 50));
    }
    const calls = apiCalls();
    const first = Math.min(...calls.map(({ startTime }) => startTime));
    const end = Math.max(...calls.map(({ responseEnd }) => responseEnd));
    return { ms: calls.length === 0 ? 0 : end - first, calls: calls.map(({ name }) => name) };
  }, QUIET_MS);
}

async function measurePages(up: Up, pages: Readonly<Record<string, string>>) {
  await using parts = new AsyncDisposableStack();
  const browser = await openBrowser();
  parts.defer(() => browser.close());
  const { page } = parts.use(await Visitor.operator(browser, up));
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const report: Record<string, object> = {};
  const all = new Set<string>();
  for (const [name, address] of Object.entries(pages)) {
    // The first visit loads the scripts.
    const { calls } = await open(page, address);
    const inBrowser: number[] = [];
    for (let n = 0; n < Number(flags.rounds); n++) inBrowser.push((await open(page, address)).ms);
    const alone: number[] = [];
    for (let n = 0; n < Number(flags.rounds); n++) alone.push(await repeat(calls, cookie));
    for (const call of calls) all.add(call);
    report[name] = { count: calls.length, browser: spread(inBrowser), calls: spread(alone) };
    tell(`${name}: ${JSON.stringify(report[name])}`);
  }
  return { report, calls: [...all], cookie };
}

/** Makes the calls at once. Returns the ms until all are answered. */
async function repeat(calls: readonly string[], cookie: string): Promise<number> {
  const started = performance.now();
  await Promise.all(
    calls.map(async (url) => {
      const answer = await request(url, { headers: { cookie }, dispatcher: reader });
      await answer.body.dump();
    }),
  );
  return performance.now() - started;
}

async function measureBeside(up: Up, calls: readonly string[], cookie: string): Promise<object> {
  const periods: object[] = [];
  for (let n = 0; n < PERIODS; n++) {
    const without = await period(up, null);
    let read = 0;
    const reading = async (stop: AbortSignal) => {
      while (!stop.aborted) {
        for (const url of calls) {
          if (stop.aborted) return;
          const answer = await request(url, { headers: { cookie }, dispatcher: reader });
          await answer.body.dump();
          read++;
        }
      }
    };
    periods.push({ without, with: await period(up, reading), callsOfPages: read });
  }
  return periods;
}

/** Sends honest requests for one period. Returns their latencies in ms. */
async function period(
  up: Up,
  beside: ((stop: AbortSignal) => Promise<void>) | null,
): Promise<Spread> {
  const stop = new AbortController();
  const busy = beside?.(stop.signal);
  const dispatcher = new Agent({ connections: 16 });
  const took: number[] = [];
  const running: Promise<void>[] = [];
  const [rate, seconds] = [Number(flags.honest), Number(flags.seconds)];
  const began = performance.now();
  const send = async () => {
    const started = performance.now();
    const { statusCode, body } = await request(`${up.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${up.first.api_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'minimax/minimax-m3',
        max_tokens: 4,
        messages: [{ role: 'user', content: 'Hello.' }],
      }),
      dispatcher,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`an honest request got ${statusCode}`);
    took.push(performance.now() - started);
  };
  for (let n = 0; n < rate * seconds; n++) {
    const wait = began + (n * 1000) / rate - performance.now();
    if (wait > 1) await pause(wait);
    running.push(send());
  }
  await Promise.all(running);
  stop.abort();
  await busy;
  await dispatcher.close();
  return spread(took);
}

async function main(): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const settings = { max_wal_size: '4GB', shared_buffers: '512MB' };
  const isSqlite = flags.store === 'sqlite';
  const given = isSqlite ? null : await openBenchStore(flags.store, settings, parts);
  const up = parts.use(await Up.start(given === null ? [] : ['--store', given]));
  const organization = up.first.organization.id;
  await up.stop();
  const url = given ?? `sqlite:${join(up.data, 'penstock.db')}`;
  const history = {
    organization: organization as OrganizationId,
    requests: Number(flags.requests),
  };
  const started = performance.now();
  await seedHistory(url, history, tell);
  const seedSeconds = Math.round((performance.now() - started) / 1000);
  await up.run();
  await up.admin(
    'organization',
    'limits',
    '--organization',
    organization,
    '--requests-per-minute',
    '1000000',
  );
  const { report, calls, cookie } = await measurePages(up, await addresses(up, organization));
  const told = {
    store: isSqlite ? 'sqlite' : 'postgres',
    requests: history.requests,
    seedSeconds,
    load: loadavg().map(Math.round),
    ...(isSqlite
      ? { fileMiB: Math.round(statSync(join(up.data, 'penstock.db')).size / 2 ** 20) }
      : {}),
    pagesMs: report,
    honestMs: await measureBeside(up, calls, cookie),
  };
  process.stderr.write('\n');
  process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
}

await main();
