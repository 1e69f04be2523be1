/** The bench's own routers: each follows its rule, on a fleet that the test fills by hand. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../shared/random.ts';
import type { Job } from './model/job.ts';
import { Timeline } from './model/timeline.ts';
import { Worker } from './model/worker.ts';
import { OWN } from './routers/own.ts';
import type { Router } from './routers/router.ts';
import { SentBlocks } from './routers/sent-blocks.ts';

const WORKERS = 4;
const SILENT = { firstToken: () => {}, ended: () => {} };

function rig(policy: keyof typeof OWN) {
  const timeline = new Timeline();
  const fleet = Array.from({ length: WORKERS }, () => new Worker(256, timeline, SILENT));
  const router: Router = OWN[policy]({ fleet, timeline, random: seededRandom(1) });
  let number = 0;
  const job = (blocks: number[], session = number, inputTokens = 512 * blocks.length + 1): Job => ({
    ask: {
      atS: timeline.nowS,
      inputTokens,
      outputTokens: 10,
      session,
      blocks: Uint32Array.from(blocks),
      router: 0,
      tokenError: 1,
    },
    number: number++,
    worker: -1,
    hitBlocks: 0,
    expectedShare: null,
    firstTokenS: -1,
    endS: -1,
  });
  const send = (one: Job) => {
    one.worker = router.dispatch(one);
    return one.worker;
  };
  return { timeline, fleet, router, job, send };
}

test('a session is hashed to one worker, until that one has a quarter more than its share', () => {
  const { job, send, router } = rig('session-hash');
  const jobs = Array.from({ length: 40 }, () => job([1], 5));
  const first = send(jobs[0] as Job);
  router.ended(jobs[0] as Job);
  expect(send(jobs[1] as Job)).toBe(first);
  const loads = Array.from({ length: WORKERS }, () => 0);
  for (const one of jobs.slice(2)) {
    const worker = send(one);
    loads[worker] = (loads[worker] as number) + 1;
  }
  expect(Math.max(...loads)).toBeLessThanOrEqual(Math.ceil((1.25 * 40) / WORKERS));
  expect(Math.max(...loads)).toBe(loads[first]);
});

test('sessions are spread over all workers', () => {
  const { job, send } = rig('session-hash');
  const loads = Map.groupBy(
    Array.from({ length: 400 }, (_, session) => send(job([1], session))),
    (worker) => worker,
  );
  for (const { length } of loads.values()) expect(length).toBeGreaterThan(70);
});

test('the gateway goes back to where it sent a prefix, and llm-d to where it is', () => {
  const gateway = rig('gateway-scorers');
  const first = gateway.send(gateway.job([1, 2, 3]));
  for (let i = 0; i < 8; i++) expect(gateway.send(gateway.job([1, 2, 9 + i]))).toBe(first);

  const exact = rig('llm-d-scorers');
  const cached = exact.fleet[2] as Worker;
  cached.take(exact.job([1, 2, 3]));
  exact.timeline.finish();
  exact.router.readLoads();
  for (let i = 0; i < 8; i++) expect(exact.send(exact.job([1, 2, 9 + i]))).toBe(2);
});

test('the scorers weigh a prefix against the queue that engines report', () => {
  const { fleet, router, job, send } = rig('llm-d-scorers');
  const busy = fleet[1] as Worker;
  busy.take(job([1, 2, 3, 4]));
  // The first is being computed. The others wait, because the step is full.
  for (let i = 0; i < 20; i++) busy.take(job(Array.from({ length: 8 }, (_, at) => 100 * i + at)));
  router.readLoads();
  // A quarter of the prompt is cached there, which scores 3 × 1/4, against 2 for the queue.
  expect(send(job([1, 50, 51, 52]))).not.toBe(1);
  // All but one block is cached: 3 × 4/5.
  expect(send(job([1, 2, 3, 4, 5]))).toBe(1);
});

test('without an index, the fewest seconds of prefill: one long prompt weighs as many short ones', () => {
  const { job, send } = rig('least-prefill');
  const long = send(job([1], 1, 40_000));
  for (let i = 0; i < 12; i++) expect(send(job([1], 1, 1_000))).not.toBe(long);
});

test('what was sent is remembered up to a number of blocks, the head of a prompt longest', () => {
  const sent = new SentBlocks(3);
  sent.touch(Uint32Array.of(1, 2, 3));
  sent.touch(Uint32Array.of(7));
  expect(sent.depth(Uint32Array.of(1, 2, 3))).toBe(2);
  expect(sent.depth(Uint32Array.of(7))).toBe(1);
});
