/** Promise 14 across an upgrade: a fleet of the first release becomes one of this release. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { PersistentLoad } from '../support/persistent-load.ts';
import { openReader } from '../torture/books.ts';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { PostgresServer } from '../torture/postgres-server.ts';
import { PENSTOCK } from '../torture/process.ts';
import { unpackFirstRelease } from './first-release.ts';

const CLIENTS = 16;
/** Generous, for a busy machine: a router that is killed for being late would cut its streams. */
const STOP_MS_MAX = 120_000;

let first: Awaited<ReturnType<typeof unpackFirstRelease>>;
beforeAll(async () => {
  first = await unpackFirstRelease();
});
afterAll(() => first[Symbol.asyncDispose]());

async function migrationsIn(storeUrl: string): Promise<number> {
  await using reader = await openReader(storeUrl);
  const [row] = await reader.rows<{ n: bigint }>('SELECT count(*) AS n FROM kysely_migration');
  return Number(row?.n);
}

test('T24: across an upgrade with a migration no request fails and no stream is cut', {
  timeout: 300_000,
}, async () => {
  await using server = await PostgresServer.create();
  await using fleet = await Fleet.start({
    postgres: server,
    programs: { routers: first.program, agents: first.program },
    routers: 2,
    agents: 2,
    engines: 2,
    addresses: 1,
    tokenMs: 10,
    drainGraceMs: 300,
  });
  const { key } = await fleet.office.customer('Upgrade', 100n * PICO_PER_USD);
  const statuses: (number | null)[] = [];
  await using load = new PersistentLoad({
    log: fleet.log,
    clients: CLIENTS,
    key,
    random: seededRandom(1),
    bases: (client) => [fleet.router(client).base, fleet.router(client + 1).base],
  });
  const before = await migrationsIn(fleet.storeUrl);
  for (const router of fleet.routers) {
    const answered = load.whole;
    statuses.push(await router.process.stop(STOP_MS_MAX));
    router.process.program = PENSTOCK;
    await router.start();
    await fleet.serving();
    // Of the first, the store is migrated now, while the other is of the first release.
    expect(await migrationsIn(fleet.storeUrl)).toBeGreaterThan(before);
    await expect.poll(() => load.whole).toBeGreaterThan(answered + CLIENTS);
  }
  for (const [host, agent] of fleet.agents.entries()) {
    agent.program = PENSTOCK;
    statuses.push(await fleet.restartHost(host, STOP_MS_MAX));
    await fleet.serving();
  }
  await load.stop();
  process.stdout.write(
    `upgrade: ${load.whole} answers whole in ${load.tries} tries, ` +
      `${load.truncated.length} truncated, ${load.turnedAway.length} turned away\n`,
  );
  expect(load.truncated.map(({ requestId }) => requestId)).toEqual([]);
  expect(load.turnedAway).toEqual([]);
  expect(load.whole).toBeGreaterThan(CLIENTS);
  expect(new Set(statuses)).toEqual(new Set([0]));
  const { violations } = await fleet.judge({ crashes: false });
  expect(violations).toEqual([]);
});

test('on SQLite this release goes on with the file of the first, which then refuses it in words', {
  timeout: 120_000,
}, async () => {
  await using fleet = await Fleet.start({ programs: { routers: first.program } });
  const { key } = await fleet.office.customer('SQLite', 100n * PICO_PER_USD);
  const router = fleet.router(0);
  const ask = async () => {
    const prompt = 'Write exactly 20 tokens.';
    return (await fleet.log.ask({ base: router.base, key, model: MODEL, maxTokens: 50, prompt }))
      .ending;
  };
  expect(await ask()).toBe('complete');
  expect(await router.process.stop(STOP_MS_MAX)).toBe(0);
  router.process.program = PENSTOCK;
  await router.start();
  await fleet.serving();
  expect(await ask()).toBe('complete');
  expect(await router.process.stop(STOP_MS_MAX)).toBe(0);
  const starting = promisify(execFile)(first.program, router.process.args);
  await expect(starting).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the store was written by a later version of Penstock'),
  });
  const { violations } = await fleet.judge({ crashes: false });
  expect(violations).toEqual([]);
});
