/**
 * One run: a load passes through routers into workers, in virtual time, until the last answer has
 * ended.
 */
import { type Figures, figuresOf, imbalanceOf, median, warmUpEndS } from './figures.ts';
import type { Job } from './model/job.ts';
import { Timeline } from './model/timeline.ts';
import { Worker } from './model/worker.ts';
import type { Router } from './routers/router.ts';
import type { Arrival } from './trace/load.ts';
import { BLOCK_TOKENS } from './trace/trace.ts';

const SAMPLE_INTERVAL_S = 1;

export type Setting = Readonly<{
  load: readonly Arrival[];
  workers: number;
  /** The size of each worker's KV cache in blocks. */
  blocks: number;
  /** Makes as many routers as the load was made for. */
  makeRouters(fleet: readonly Worker[], timeline: Timeline): readonly Router[];
}>;

export function simulate(setting: Setting): Figures {
  checkFits(setting);
  const jobs = setting.load.map(jobOf);
  const timeline = new Timeline();
  const routerOf = (job: Job) => routers[job.ask.router] as Router;
  const hears = {
    firstToken: (job: Job) => routerOf(job).firstToken(job),
    ended: (job: Job) => routerOf(job).ended(job),
  };
  const workers = Array.from(
    { length: setting.workers },
    () => new Worker(setting.blocks, timeline, hears),
  );
  const routers = setting.makeRouters(workers, timeline);
  const lastS = jobs.at(-1)?.ask.atS ?? 0;

  const imbalances: number[] = [];
  let indexBytes = 0;
  every(timeline, SAMPLE_INTERVAL_S, lastS, () => {
    const imbalance = timeline.nowS > warmUpEndS(jobs) ? imbalanceOf(workers) : null;
    if (imbalance !== null) imbalances.push(imbalance);
    for (const router of routers) indexBytes = Math.max(indexBytes, router.indexBytes());
  });
  for (const router of new Set(routers)) {
    every(timeline, router.loadIntervalS, lastS, () => router.readLoads());
  }

  for (const job of jobs) {
    timeline.advance(job.ask.atS);
    job.worker = routerOf(job).dispatch(job);
    (workers[job.worker] as Worker).take(job);
  }
  timeline.finish();
  return figuresOf(jobs, {
    imbalance: imbalances.reduce((sum, one) => sum + one, 0) / Math.max(1, imbalances.length),
    indexBytes,
    decisionNs: 1e6 * median(routers.flatMap((router) => router.decisionsMs())),
  });
}

function jobOf(ask: Arrival, number: number): Job {
  return { ask, number, worker: -1, hitBlocks: 0, expectedShare: null, firstTokenS: -1, endS: -1 };
}

function every(timeline: Timeline, intervalS: number, untilS: number, run: () => void): void {
  const tick = (nth: number) => {
    run();
    const nextS = (nth + 1) * intervalS;
    if (nextS <= untilS) timeline.at(nextS, () => tick(nth + 1));
  };
  timeline.at(0, () => tick(0));
}

/** Throws for a request that no worker can hold, because it would wait for ever. */
function checkFits({ load, blocks }: Setting): void {
  const tokensMax = (blocks - 1) * BLOCK_TOKENS;
  for (const { inputTokens, outputTokens, atS } of load) {
    if (inputTokens + outputTokens <= tokensMax) continue;
    throw new Error(`the request at ${atS} s does not fit into a worker of ${blocks} blocks`);
  }
}
