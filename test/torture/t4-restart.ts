/**
 * T4: PostgreSQL is shut down, killed, crashed and paused under load. New work is refused within
 * two seconds, and served again within ten seconds of the server's return by the same router
 * processes. Nothing is lost.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import type { Call } from '../support/client-log.ts';
import { Fleet } from './fleet.ts';
import { Load } from './load.ts';
import { PostgresServer } from './postgres-server.ts';
import { isServed, isStoreAway, Probes, waitedMs } from './probes.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const REFUSED_MS_MAX = 2_000;
const SERVED_MS_MAX = 10_000;
/** Connections that are open and do not answer can be told from slow ones only by waiting. */
const HUNG_MS_MAX = 10_000;
const ROUTERS = 2;

/**
 * `crash`: one of its processes is killed. The server recovers at once, without the commits that
 * were not yet on disk.
 */
export type Blow = 'fast shutdown' | 'kill -9' | 'crash' | 'hung';

export async function restartPostgres(
  stage: Stage,
  of: Readonly<{ blows: readonly Blow[]; streams: number; downMs: number }>,
): Promise<Outcome> {
  await using server = await PostgresServer.create();
  await using fleet = await Fleet.start({ postgres: server, routers: ROUTERS });
  const { key } = await fleet.office.customer('T4', 100n * PICO_PER_USD);
  const probes = new Probes(fleet, key);
  const pids = fleet.routers.map((router) => router.process.pid);
  const faults: string[] = [];
  const worst = new Map<string, number>();
  const note = (name: string, ms: number) => worst.set(name, Math.max(worst.get(name) ?? 0, ms));
  await using load = new Load({
    log: fleet.log,
    streams: of.streams,
    random: seededRandom(stage.seed),
    target: (client) => ({ base: fleet.router(client).base, key }),
  });
  for (const blow of of.blows) {
    await pause(1_500);
    await strike(server, blow);
    const calls = await probes.during(of.downMs);
    faults.push(...faultsOf(calls, blow, probes.latenessMs).slice(0, 3));
    await raise(server, blow);
    const served = await probes.until(isServed, SERVED_MS_MAX);
    if (served === null) faults.push(`${blow}: not served again within ${SERVED_MS_MAX} ms`);
    note(
      `${blow}: refused within ms`,
      Math.round(Math.max(...calls.filter(isStoreAway).map(waitedMs))),
    );
    note(`${blow}: served after ms`, served ?? Infinity);
  }
  await load.stop();
  const figures = { blows: of.blows.length, ...Object.fromEntries(worst) };
  const now = fleet.routers.map((router) => router.process.pid);
  if (now.join() !== pids.join()) faults.push('a router was started again');
  return await conclude(
    { fleet, from: 0 },
    { crashes: false },
    { routers: ROUTERS, ...figures },
    faults,
  );
}

async function strike(server: PostgresServer, blow: Blow): Promise<void> {
  switch (blow) {
    case 'fast shutdown':
      return await server.stop('fast');
    case 'kill -9':
      return await server.kill();
    case 'crash':
      return await server.killChild();
    case 'hung':
      return await server.pause();
  }
}

async function raise(server: PostgresServer, blow: Blow): Promise<void> {
  if (blow === 'hung') await server.resume();
  // After a crash the server recovers by itself.
  else if (blow !== 'crash') await server.start();
}

/** Checks the calls that were sent while the store was away. */
function faultsOf(calls: readonly Call[], blow: Blow, latenessMs: number): string[] {
  const msMax = (blow === 'hung' ? HUNG_MS_MAX : REFUSED_MS_MAX) + latenessMs;
  return calls.flatMap((call) => {
    const { requestId, ending, status, code } = call;
    if (blow === 'crash' && call.ending === 'complete') return [];
    if (!isStoreAway(call)) return [`${blow}: ${requestId} was ${ending} with ${status} ${code}`];
    const waited = Math.round(waitedMs(call));
    return waited > msMax ? [`${blow}: ${requestId} was refused only after ${waited} ms`] : [];
  });
}
