/**
 * `penstock bench`: puts load on any OpenAI-compatible URL, from a trace or at a constant rate.
 * Without a URL it starts a private service, and then also checks that the charges equal the price
 * of the usage that the clients saw, to the last pico-USD.
 */
import { Agent } from 'undici';
import { systemClock as clock } from '../shared/clock.ts';
import { type Outcome, replay } from './bench/replay.ts';
import { makeReport, reportText } from './bench/report.ts';
import { measureRouter } from './bench/router-figures.ts';
import {
  type PrivateService,
  priceOf,
  type Service,
  sameMoney,
  startPrivateService,
} from './bench/service.ts';
import { type Job, readTrace, steadyJobs } from './bench/workload.ts';

export type BenchOptions = Readonly<{
  /** Base URL ending in `/v1`. If undefined, a private service is started. */
  url: string | undefined;
  key: string | undefined;
  metricsUrl: string | undefined;
  /** The store of the private service, `postgres://…`. If undefined, SQLite. */
  store: string | undefined;
  model: string;
  trace: string | undefined;
  /** How many times faster than the trace. */
  speed: number;
  requests: number;
  perSecond: number;
  promptTokens: number;
  completionTokens: number;
  concurrency: number;
  json: boolean;
}>;

/** Runs the benchmark. Returns true if there were no errors and the charges were right. */
export async function bench(asked: BenchOptions): Promise<boolean> {
  // `speed` only applies to a trace.
  const options = asked.trace === undefined ? { ...asked, speed: 1 } : asked;
  const jobs = await jobsOf(options);
  if (options.url !== undefined) {
    const { url, key = '', metricsUrl = null } = options;
    return (await run({ url, key, metricsUrl }, jobs, options)).ok;
  }
  say('starting a private service');
  await using service = await startPrivateService(options.speed, options.store);
  const { ok, outcome } = await run(service, jobs, options);
  return (await checkBooks(service, options.model, outcome)) && ok;
}

function jobsOf(options: BenchOptions): Promise<Job[]> | Job[] {
  return options.trace === undefined
    ? steadyJobs(options)
    : readTrace(options.trace, options.requests);
}

async function run(
  service: Service,
  jobs: readonly Job[],
  { model, speed, concurrency, json }: BenchOptions,
): Promise<{ ok: boolean; outcome: Outcome }> {
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1, bodyTimeout: 0 });
  const measured = await measureRouter(service.metricsUrl);
  const outcome = await replay({ ...service, model, dispatcher }, jobs, {
    speed,
    concurrencyMax: concurrency,
    clock,
    onProgress: ({ started, running, seen, errors }, of) =>
      say(
        `${started}/${of} sent, ${running} running, ${seen.length} done, ${failed(errors)} errors`,
      ),
  });
  await dispatcher.close();
  const report = makeReport(outcome, await measured());
  process.stdout.write(`${json ? JSON.stringify(report, null, 2) : reportText(report)}\n`);
  return { ok: outcome.errors.size === 0, outcome };
}

async function checkBooks(
  service: PrivateService,
  model: string,
  outcome: Outcome,
): Promise<boolean> {
  const [charged, seen] = await Promise.all([
    service.charged(),
    priceOf(service, model, outcome.seen),
  ]);
  say(sameMoney(charged, seen));
  say(await service.verify());
  return charged === seen;
}

function failed(errors: Outcome['errors']): number {
  return errors.values().reduce((sum, times) => sum + times, 0);
}

/** Writes progress and findings to standard error. Only the report goes to standard output. */
function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
