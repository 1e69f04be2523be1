/**
 * T9: the disk fills up under load. New work is refused before anything is generated, the books
 * have no partial entry, and the service recovers once there is space again, without a restart of
 * any router.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import type { Call } from '../support/client-log.ts';
import { Fleet } from './fleet.ts';
import { Load } from './load.ts';
import { PostgresServer } from './postgres-server.ts';
import { isServed, isStoreAway, Probes, waitedMs } from './probes.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';
import { SmallDisk } from './small-disk.ts';

const REFUSED_MS_MAX = 30_000;
const HEALED_MS_MAX = 10_000;
/**
 * The longest time between the last byte of an answer and its router's learning that the answer
 * cannot be charged.
 */
const KNOWN_MS_MAX = 1_000;
/**
 * An empty PostgreSQL cluster has about 40 MB. SQLite's file and its log grow with the load alone.
 */
const DISK_MB = { sqlite: 16, postgres: 96 } as const;

export async function fillDisk(
  stage: Stage,
  of: Readonly<{ rounds: number; streams: number; fullMs: number }>,
): Promise<Outcome> {
  await using disk = await SmallDisk.mount(DISK_MB[stage.store]);
  await using postgres =
    stage.store === 'postgres'
      ? await PostgresServer.create({ data: join(disk.folder, 'data') })
      : null;
  await using fleet = await Fleet.start({ postgres, sqliteFolder: disk.folder });
  const { key } = await fleet.office.customer('T9', 100n * PICO_PER_USD);
  const probes = new Probes(fleet, key);
  const faults: string[] = [];
  const refusedAfter: string[] = [];
  const healedAfter: number[] = [];
  let probed = 0;
  const pid = fleet.router(0).process.pid;
  for (let round = 0; round < of.rounds; round++) {
    await using load = new Load({
      log: fleet.log,
      streams: of.streams,
      random: seededRandom(stage.seed + round),
      target: () => ({ base: fleet.router(0).base, key }),
    });
    await pause(1_000);
    await disk.keepFull();
    // Space that was allocated before may last for a few more charges, and one answer has to fail
    // to reveal the full disk. From then on nothing may be generated that cannot be charged.
    const from = fleet.log.calls.length;
    refusedAfter.push(String(await probes.until(isStoreAway, REFUSED_MS_MAX)));
    const wasted = wastedLate(fleet.log.calls.slice(from));
    if (wasted > 0) faults.push(`${wasted} more were generated and could not be charged`);
    await load.stop();
    const refused = await probeFull(fleet, probes, of.fullMs);
    probed += refused.probed;
    faults.push(...refused.faults);
    await disk.empty();
    // A supervisor would restart a PostgreSQL server that stopped for lack of space. A router needs
    // no restart.
    if (postgres && !postgres.isRunning) await postgres.start();
    const healed = await probes.until(isServed, HEALED_MS_MAX);
    if (healed === null) faults.push(`not served ${HEALED_MS_MAX} ms after there was room again`);
    else healedAfter.push(healed);
  }
  if (fleet.router(0).process.pid !== pid) faults.push('the router was started again');
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    {
      rounds: of.rounds,
      'refused after ms': refusedAfter.join(' '),
      'probes while full': probed,
      'served again after ms': healedAfter.join(' '),
    },
    faults,
  );
}

/**
 * Counts answers wasted too late. Requests that were admitted together with the first one that
 * could not be charged may be lost with it, but not requests that were sent later.
 */
function wastedLate(calls: readonly Call[]): number {
  const wasted = calls.filter((call) => call.status === 200 && call.ending === 'cut');
  const known = Math.min(...wasted.map(({ lastByteAt, sentAt }) => lastByteAt ?? sentAt));
  return wasted.filter(({ sentAt }) => sentAt > known + KNOWN_MS_MAX).length;
}

/** Checks that while the disk is full every request is refused and none reaches the engine. */
async function probeFull(
  fleet: Fleet,
  probes: Probes,
  ms: number,
): Promise<{ probed: number; faults: string[] }> {
  const before = (await fleet.engine()).started;
  const calls = await probes.during(ms);
  const reached = (await fleet.engine()).started - before;
  const faults = calls
    .filter((call) => !isStoreAway(call))
    .map((call) => `full, ${call.requestId} was ${call.ending} with ${call.status} ${call.code}`)
    .slice(0, 3);
  if (reached > 0) faults.push(`full, ${reached} of ${calls.length} requests reached the engine`);
  const slowest = Math.max(...calls.map(waitedMs));
  if (slowest > 5_000 + probes.latenessMs)
    faults.push(`full, a request waited ${Math.round(slowest)} ms`);
  return { probed: calls.length, faults };
}
