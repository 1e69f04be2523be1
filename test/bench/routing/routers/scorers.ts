/**
 * Weighted scorers, each from 0 to 1: 3 × the cached share of the prompt, 2 × the shortness of the
 * engine's queue compared with all, and 2 × its free KV memory. The Gateway API Inference Extension
 * and llm-d pick in this way: the former remembers what it sent where, and to the latter the
 * engines report what they have cached. The weights are the published ones. The other details were
 * written from memory and may differ.
 */
import type { Random } from '../../../../shared/random.ts';
import type { Job } from '../model/job.ts';
import type { Worker } from '../model/worker.ts';
import { reusableBlocks } from '../trace/trace.ts';
import { leastOf } from './oracle.ts';
import { HEARS_NOTHING, type Router } from './router.ts';
import { SentBlocks } from './sent-blocks.ts';

const PREFIX_WEIGHT = 3;
const QUEUE_WEIGHT = 2;
const KV_WEIGHT = 2;
/** The interval at which they read the engines' metrics. Staler metrics cost them much. */
const READ_INTERVAL_S = 0.05;
/** The most blocks of a prompt that the gateway matches. */
const MATCHED_BLOCKS_MAX = 8;

type Parts = Readonly<{ fleet: readonly Worker[]; random: Random }>;
/**
 * `share`: the share of a prompt that a worker has cached. `sent`: records where a prompt was sent.
 */
type Prefixes = Readonly<{
  share(job: Job, worker: number): number;
  sent(job: Job, worker: number): void;
}>;

/**
 * The Gateway API Inference Extension: prefixes from its own record of what it sent, as large as
 * the engine's cache.
 */
export function gatewayScorers(parts: Parts): Router {
  const sent = parts.fleet.map(({ pool }) => new SentBlocks(pool.size));
  const head = ({ ask }: Job) => ask.blocks.subarray(0, MATCHED_BLOCKS_MAX);
  return scorers(parts, {
    share: (job, worker) =>
      (sent[worker] as SentBlocks).depth(head(job)) / Math.max(1, head(job).length),
    sent: (job, worker) => (sent[worker] as SentBlocks).touch(head(job)),
  });
}

/** llm-d: prefixes as the engines have them at this moment. */
export function exactScorers(parts: Parts): Router {
  return scorers(parts, {
    share({ ask }, worker) {
      const { pool } = parts.fleet[worker] as Worker;
      return pool.depth(ask.blocks, reusableBlocks(ask)) / Math.max(1, ask.blocks.length);
    },
    sent: () => {},
  });
}

function scorers({ fleet, random }: Parts, prefixes: Prefixes): Router {
  let waiting = fleet.map(() => 0);
  let kvUse = fleet.map(() => 0);
  return {
    ...HEARS_NOTHING,
    loadIntervalS: READ_INTERVAL_S,
    readLoads() {
      waiting = fleet.map((worker) => worker.waiting.length);
      kvUse = fleet.map(({ pool }) => 1 - pool.available / pool.size);
    },
    dispatch(job) {
      const [longest, shortest] = [Math.max(...waiting), Math.min(...waiting)];
      const costs = fleet.map((_, at) => {
        const shortness =
          longest > shortest ? (longest - (waiting[at] as number)) / (longest - shortest) : 1;
        const free = 1 - (kvUse[at] as number);
        const prefix = prefixes.share(job, at);
        return -(PREFIX_WEIGHT * prefix + QUEUE_WEIGHT * shortness + KV_WEIGHT * free);
      });
      const picked = leastOf(costs, random);
      prefixes.sent(job, picked);
      return picked;
    },
  };
}
