/**
 * T11: ten thousand streams that have begun and then wait for their next tokens, on one router.
 * Each takes less than 30 KB of its memory, short requests beside them are served almost as fast as
 * before, and all streams end whole.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PICO_PER_USD } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { cpuBetween, readCpu } from '../bench/side-by-side/cpu-clock.ts';
import { Fleet } from './fleet.ts';
import { HeapWatch } from './heap-watch.ts';
import { setApart } from './hostile/hour.ts';
import { quantile } from './hostile/vitals.ts';
import type { IdleCounts, IdleOrder } from './idle-crowd.ts';
import { Load, MODEL } from './load.ts';
import { pssBytes } from './process-figures.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const CROWD = fileURLToPath(new URL('./idle-crowd.ts', import.meta.url));
const STREAM_BYTES_MAX = 30 * 1024;
const SLOWER_MAX = 2;
/** Streams that begin at the same time: in the warm-up, and of those that stay. */
const AT_ONCE = { warmUp: 64, idle: 256 } as const;
const SHORT = { clients: 4, prompt: 'Write exactly 8 tokens.', maxTokens: 20 } as const;
/** Time in which nothing happens, before memory is read. The CPU time is that of this time. */
const REST_MS = 10_000;
const CROWD_MS_MAX = 240_000;

export type IdleStreams = Readonly<{
  streams: number;
  /** How long short requests are measured: before the streams, and beside them. */
  shortMs: number;
  /** Whether memory and times are judged, or only reported. */
  isMeasured: boolean;
}>;

export async function idleStreams(
  stage: Stage,
  { streams, shortMs, isMeasured }: IdleStreams,
): Promise<Outcome> {
  using heap = new HeapWatch({ timers: false });
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    models: [MODEL],
    tokenMs: 2,
    holdTtlMs: 30_000,
    // The heap is looked at by SIGUSR2, which would restart the processes of a router with several.
    processes: 1,
    routerEnv: heap.env,
  });
  const idle = await fleet.office.customer('Idle', 1_000n * PICO_PER_USD);
  const short = await fleet.office.customer('Short', 1_000n * PICO_PER_USD);
  using crowd = new Crowd();
  const { join_token: join } = await fleet.office.call<{ join_token: string }>('POST', '/agents', {
    name: 'idle',
  });
  const { origin, process: router } = fleet.router(0);
  await crowd.obey({ kind: 'serve', origin, join, key: idle.key });
  await fleet.serving(1);

  // As many streams come and go first, few at a time, so that what a router of this throughput
  // needs anyway is allocated already.
  const warmedUp = await crowd.obey({
    kind: 'begin',
    count: streams,
    atOnce: AT_ONCE.warmUp,
    isIdle: false,
  });
  const quiet = await shortRequests(fleet, short.key, shortMs);
  // Without the garbage of the requests before, in whose place the streams would cost nothing.
  const heapBefore = await heap.look(router.pid);
  const before = await pssBytes(router.pid);
  const start = performance.now();
  const begun = await crowd.obey({
    kind: 'begin',
    count: streams,
    atOnce: AT_ONCE.idle,
    isIdle: true,
  });
  const begunMs = performance.now() - start;
  const clock = readCpu(router.pid);
  const restMs = Math.min(REST_MS, shortMs);
  await pause(restMs);
  const cpuShare = cpuBetween(clock, readCpu(router.pid)) / (restMs * 1e6);
  const atRest = await pssBytes(router.pid);
  const beside = await shortRequests(fleet, short.key, shortMs);
  const after = await pssBytes(router.pid);
  const heapAfter = await heap.look(router.pid);
  const without = await pssBytes(router.pid);
  const ended = await crowd.obey({ kind: 'end' });

  const kb = (bytes: number) => (bytes / streams / 1024).toFixed(1);
  const perStream = (atRest - before) / streams;
  const faults = [warmedUp, begun, ended].flatMap(({ failed, failure }) =>
    failed === 0 ? [] : [`${failed} of ${streams} idle streams failed: ${failure}`],
  );
  if (ended.complete < streams) faults.push(`only ${ended.complete} of them ended whole`);
  if (isMeasured) {
    if (perStream > STREAM_BYTES_MAX) faults.push(`a stream cost ${kb(atRest - before)} KB`);
    if (!(beside.p99 <= SLOWER_MAX * quiet.p99)) {
      faults.push(`p99 of short requests was ${beside.p99} ms, and ${quiet.p99} ms before`);
    }
  }
  await setApart(fleet, [idle.id]);
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    {
      streams,
      'all begun after ms': Math.round(begunMs),
      'MB before': Math.round(before / 1e6),
      'MB with them': Math.round(atRest / 1e6),
      'MB under short requests': Math.round(after / 1e6),
      'KB a stream': kb(atRest - before),
      'KB a stream without garbage': kb(without - before),
      'of it on the heap': kb(heapAfter.heapBytes - heapBefore.heapBytes),
      'in buffers': kb(heapAfter.outsideBytes - heapBefore.outsideBytes),
      'CPU at rest': `${(100 * cpuShare).toFixed(1)} % of a core`,
      'short requests': `${quiet.count} before, ${beside.count} beside`,
      'median ms': `${quiet.p50} before, ${beside.p50} beside`,
      'p99 ms': `${quiet.p99} before, ${beside.p99} beside`,
    },
    faults,
  );
}

/** Some clients that ask one short question after the other. The times are those of whole answers. */
async function shortRequests(fleet: Fleet, key: string, ms: number) {
  const from = fleet.log.calls.length;
  await using load = new Load({
    log: fleet.log,
    streams: SHORT.clients,
    random,
    target: () => ({ base: fleet.router(0).base, key }),
    ask: () => ({ model: MODEL, prompt: SHORT.prompt, maxTokens: SHORT.maxTokens }),
  });
  await pause(ms);
  await load.stop();
  const took = fleet.log.calls.slice(from).map(({ sentAt, endedAt }) => (endedAt ?? 0) - sentAt);
  const at = (share: number) => Number(quantile(took, share).toFixed(1));
  return { count: took.length, p50: at(0.5), p99: at(0.99) };
}

class Crowd implements Disposable {
  readonly #process = fork(CROWD);

  async obey(order: IdleOrder): Promise<IdleCounts> {
    const said = once(this.#process, 'message', { signal: AbortSignal.timeout(CROWD_MS_MAX) });
    this.#process.send(order);
    return (await said)[0] as IdleCounts;
  }

  [Symbol.dispose](): void {
    this.#process.kill('SIGKILL');
  }
}
