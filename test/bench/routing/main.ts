/**
 * `npm run bench:routing`: replays public traces through the product's own policies and index, in
 * virtual time, on a model of the engines. README.md explains the results.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findRateMax } from './calibrate.ts';
import { medianOf } from './figures.ts';
import { CONTENDERS, type Contender, LOAD_SHARE, rateMaxOf, type Row, rowsOf } from './plan.ts';
import { markdownOf } from './report/markdown.ts';
import type { Report } from './report/result.ts';
import { svgOf } from './report/svg.ts';
import { ECHO_LAG_MS } from './routers/product.ts';
import { runTrials } from './threads.ts';
import { PUBLIC_TRACES, readTrace, type Source } from './trace/public.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const OPTIONS = {
  /** The folder of the public traces. */
  traces: { type: 'string', default: resolve(ROOT, '../shared/traces') },
  /** A trace in the text format, instead of the public ones. */
  trace: { type: 'string' },
  /** The folder for the three result files. Without it, only the tables are printed. */
  out: { type: 'string' },
  /** 16 workers and one seed, which takes about a minute. */
  quick: { type: 'boolean', default: false },
  workers: { type: 'string' },
  policies: { type: 'string', default: CONTENDERS.join(',') },
  seeds: { type: 'string' },
  'seed-first': { type: 'string', default: '1' },
  routers: { type: 'string', default: '4' },
  blocks: { type: 'string', default: '2048' },
  /** Requests per second. Default: 85 % of what the fleet can take. */
  rate: { type: 'string' },
  'requests-max': { type: 'string', default: '60000' },
  threads: { type: 'string', default: String(availableParallelism()) },
} as const;

function whole(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new Error(`--${name}: a whole number from 1 to ${most}, not ${text}`);
}

function readFlags() {
  const { values: flags } = parseArgs({ options: OPTIONS });
  const names = flags.policies.split(',');
  const unknown = names.filter((name) => !CONTENDERS.includes(name as Contender));
  if (unknown.length > 0) {
    throw new Error(`--policies: not ${unknown.join(', ')}, but some of ${CONTENDERS.join(', ')}`);
  }
  const rate = flags.rate === undefined ? null : Number(flags.rate);
  if (rate !== null && !(rate > 0)) throw new Error('--rate: requests a second, above 0');
  const sizes = flags.workers ?? (flags.quick ? '16' : '4,16,64');
  const seeds = whole('seeds', flags.seeds ?? (flags.quick ? '1' : '5'), 100);
  const seedFirst = whole('seed-first', flags['seed-first'], 1_000_000);
  return {
    sources: flags.trace
      ? [{ file: flags.trace }]
      : PUBLIC_TRACES.map((name) => ({ name, folder: flags.traces })),
    workers: sizes.split(',').map((size) => whole('workers', size, 1024)),
    policies: names as Contender[],
    seeds: Array.from({ length: seeds }, (_, at) => seedFirst + at),
    routers: whole('routers', flags.routers, 64),
    blocks: whole('blocks', flags.blocks, 1_000_000),
    requestsMax: whole('requests-max', flags['requests-max'], 1_000_000),
    threads: whole('threads', flags.threads, 64),
    rate,
    out: flags.out,
  };
}

type Options = ReturnType<typeof readFlags>;

function rowsOfTrace(source: Source, options: Options): Row[] {
  const { blocks, requestsMax, rate } = options;
  const trace = readTrace(source);
  return options.workers.flatMap((workers) => {
    const known = 'file' in source ? undefined : rateMaxOf(trace.name, workers, blocks);
    const requestsPerS =
      rate ?? LOAD_SHARE * (known ?? findRateMax(trace, { workers, blocks, requestsMax }));
    const place = { trace: trace.name, workers, requestsPerS };
    return rowsOf(place, options.policies, options.routers);
  });
}

async function run(rows: readonly Row[], options: Options): Promise<Report> {
  const { seeds, blocks, requestsMax, sources, threads } = options;
  const trials = rows.flatMap((row) =>
    seeds.map((seed) => ({ ...row, seed, blocks, requestsMax })),
  );
  const onDone = (done: number) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${trials.length} runs`);
  };
  const figures = await runTrials(trials, { sources, threads, onDone });
  const results = rows.map((row, at) => {
    const runs = figures.slice(at * seeds.length, (at + 1) * seeds.length);
    return { row, figures: medianOf(runs), runs };
  });
  return { blocks, seeds, requestsMax, lagMs: ECHO_LAG_MS, results };
}

function write(report: Report, folder: string | undefined): void {
  const files = {
    'routing.md': markdownOf(report),
    'routing.json': `${JSON.stringify(report, null, 2)}\n`,
    'routing.svg': svgOf(report),
  };
  process.stdout.write(files['routing.md']);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Checks flags and traces before anything runs. Errors in them are for the caller to correct. */
function prepare(): { options: Options; rows: Row[] } {
  try {
    const options = readFlags();
    return { options, rows: options.sources.flatMap((source) => rowsOfTrace(source, options)) };
  } catch (fault) {
    process.stderr.write(`${(fault as Error).message}\n`);
    process.exit(2);
  }
}

const { options, rows } = prepare();
write(await run(rows, options), options.out);
