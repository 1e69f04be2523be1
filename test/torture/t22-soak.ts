/**
 * T22: a router and its hosts under a steady load of all kinds (soak-load.ts), for half an hour.
 * After the first minutes, in which caches and heaps grow to their working size, memory, file
 * descriptors and timers stay flat (soak-gauges.ts): nothing accumulates with requests, keys or
 * sessions.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../shared/random.ts';
import { Fleet } from './fleet.ts';
import { HeapWatch } from './heap-watch.ts';
import { MODEL } from './load.ts';
import { countEndings } from './oracle.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';
import { judgeSeries, SoakGauges } from './soak-gauges.ts';
import { HOSTS, SoakLoad } from './soak-load.ts';

const LOOK_MS = 10_000;
const LOOKS_A_HEAP_LOOK = 6;
/** In this share of the time, from its start, more requests come, to fill the caches. */
const WARM_UP_SHARE = 1 / 7.5;
/** A shorter soak is only reported: its caches and heaps still grow. */
const JUDGED_MINUTES_MIN = 20;

export async function soak(stage: Stage, { minutes }: { minutes: number }): Promise<Outcome> {
  using heap = new HeapWatch({ timers: true });
  await using fleet = await Fleet.start({
    postgres: stage.postgres,
    agents: HOSTS.count,
    models: [MODEL],
    holdTtlMs: 30_000,
    tokenMs: 40,
    keepsBytes: false,
    // The heap is looked at by SIGUSR2, which would restart the processes of a router with several.
    processes: 1,
    routerEnv: heap.env,
  });
  await using load = await SoakLoad.start(fleet, seededRandom(stage.seed));
  const lengthMs = minutes * 60_000;
  const gauges = new SoakGauges(fleet, heap);
  const start = performance.now();
  for (let looks = 1; looks * LOOK_MS <= lengthMs; looks++) {
    const atMs = looks * LOOK_MS;
    await pause(Math.max(0, start + atMs - performance.now()));
    await gauges.look(atMs, { withHeap: looks % LOOKS_A_HEAP_LOOK === 0 });
    if (atMs > WARM_UP_SHARE * lengthMs) await load.calmDown();
    // Beside the client's log, which is kept if something was violated.
    await writeFile(join(fleet.folder, 'samples.json'), JSON.stringify(gauges.series));
  }
  await load.stop();
  const judged = judgeSeries(gauges.series, lengthMs);
  const faults = minutes < JUDGED_MINUTES_MIN ? [] : judged.flatMap(({ fault }) => fault ?? []);
  const { left, cut, refused, unreached } = countEndings(fleet.log.calls);
  if (Math.min(left, cut, refused, load.revoked, load.returns) === 0) {
    faults.push('the load had not one of each kind');
  }
  if (unreached > 0) faults.push(`${unreached} requests got no answer`);
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    {
      minutes,
      left,
      'keys revoked': load.revoked,
      'hosts came back': load.returns,
      'refused with': codesOf(fleet),
      ...Object.fromEntries(judged.map(({ name, told }) => [name, told])),
    },
    faults,
  );
}

/** How many requests were refused with each code. */
function codesOf({ log }: Fleet): string {
  const codes = new Map<string, number>();
  for (const { code } of log.calls) if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1);
  return [...codes].map(([code, count]) => `${code} ${count}`).join(', ');
}
