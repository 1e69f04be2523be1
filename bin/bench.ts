/**
 * `penstock bench`: puts load on any OpenAI-compatible URL, from a trace or at a constant rate.
 * Without a URL it starts a private service, and then also checks that the charges equal the price
 * of the usage that the clients saw, to the last pico-USD.
 */
import { Agent } from 'undici';
import { systemClock as clock } from '../shared/clock.ts';
import { BenchFlags } from './bench-flags.ts';
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
import { checkFlags } from './flags.ts';

/** Without a trace, this many requests are sent. */
const REQUESTS_DEFAULT = 500;

/** Sets the exit status 1 if there were errors or the charges were wrong. */
export async function bench(given: object): Promise<void> {
  const flags = checkFlags(BenchFlags, given);
  const jobs = await jobsOf(flags);
  if (!(await measure(flags, jobs))) process.exitCode = 1;
}

async function jobsOf({ trace, requests, ...steady }: BenchFlags): Promise<readonly Job[]> {
  return trace === undefined
    ? steadyJobs({ ...steady, requests: requests ?? REQUESTS_DEFAULT })
    : await readTrace(trace, requests ?? Number.MAX_SAFE_INTEGER);
}

/** Returns true if there were no errors and the charges were right. */
async function measure(given: BenchFlags, jobs: readonly Job[]): Promise<boolean> {
  // `speed` only applies to a trace.
  const flags = given.trace === undefined ? { ...given, speed: 1 } : given;
  if (flags.url !== undefined) {
    const { url, key = '', metricsUrl = null } = flags;
    return (await run({ url, key, metricsUrl }, jobs, flags)).ok;
  }
  say('starting a private service');
  await using service = await startPrivateService(flags.speed, flags.store);
  const { ok, outcome } = await run(service, jobs, flags);
  return (await checkBooks(service, flags.model, outcome)) && ok;
}

async function run(
  service: Service,
  jobs: readonly Job[],
  { model, speed, concurrency, json }: BenchFlags,
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
