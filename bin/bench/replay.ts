/** Sends each job at its time, whether or not earlier jobs have ended (an open loop). */
import { build, type Histogram } from 'hdr-histogram-js';
import { type Clock, sleep } from '../../shared/clock.ts';
import { chat, type Seen, type Target } from './client.ts';
import { promptOf } from './prompt.ts';
import type { Job } from './workload.ts';

export type Outcome = {
  readonly ttft: Histogram;
  readonly interToken: Histogram;
  readonly seen: Seen[];
  /** How often each error occurred. */
  readonly errors: Map<string, number>;
  started: number;
  running: number;
  runningMax: number;
  durationMs: number;
};

/** Histograms count in microseconds. */
const newHistogram = () => build({ lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3 });

export type ReplayOptions = Readonly<{
  /** How many times faster than the trace. */
  speed: number;
  /** The most requests at once. Further jobs wait unsent; their TTFT does not include this wait. */
  concurrencyMax: number;
  clock: Clock;
  onProgress: (outcome: Outcome, jobs: number) => void;
}>;

const PROGRESS_MS = 2_000;

export async function replay(
  target: Target,
  jobs: readonly Job[],
  options: ReplayOptions,
): Promise<Outcome> {
  const { clock, speed, concurrencyMax } = options;
  const outcome: Outcome = {
    ttft: newHistogram(),
    interToken: newHistogram(),
    seen: [],
    errors: new Map(),
    started: 0,
    running: 0,
    runningMax: 0,
    durationMs: 0,
  };
  const progress = clock.every(PROGRESS_MS, () => options.onProgress(outcome, jobs.length));
  const start = clock.monotonic();
  const running = new Set<Promise<void>>();
  for (const [index, job] of jobs.entries()) {
    const wait = start + job.atMs / speed - clock.monotonic();
    if (wait > 1) await sleep(clock, wait);
    while (running.size >= concurrencyMax) await Promise.race(running);
    const one = send(target, job, index, clock, outcome);
    running.add(one);
    outcome.started += 1;
    outcome.running = running.size;
    outcome.runningMax = Math.max(outcome.runningMax, running.size);
    void one.finally(() => {
      running.delete(one);
      outcome.running = running.size;
    });
  }
  while (running.size > 0) await Promise.race(running);
  outcome.durationMs = clock.monotonic() - start;
  progress.cancel();
  return outcome;
}

async function send(
  target: Target,
  job: Job,
  index: number,
  clock: Clock,
  outcome: Outcome,
): Promise<void> {
  const microseconds = (ms: number) => Math.max(1, Math.round(ms * 1000));
  const body = { prompt: promptOf(job, index), maxTokens: Math.max(1, job.completionTokens) };
  try {
    const seen = await chat(target, body, clock, {
      firstToken: (ms) => outcome.ttft.recordValue(microseconds(ms)),
      interToken: (ms) => outcome.interToken.recordValue(microseconds(ms)),
    });
    outcome.seen.push(seen);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    outcome.errors.set(text, (outcome.errors.get(text) ?? 0) + 1);
  }
}
