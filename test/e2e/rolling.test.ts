/** Promise 14: a deploy cuts no stream. Real processes are stopped and restarted under load. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { PersistentLoad } from '../support/persistent-load.ts';
import { Fleet } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

/** `ROLLING_ROUNDS=10 vitest run …` runs a longer form. */
const ROUNDS = Number(process.env['ROLLING_ROUNDS'] ?? 1);
const CLIENTS = Number(process.env['ROLLING_CLIENTS'] ?? 24);
/** Generous, for a busy machine: a router that is killed for being late would cut its streams. */
const STOP_MS_MAX = 120_000;

test('two routers and four hosts are restarted one after the other under load, and no stream is cut', {
  timeout: 300_000 * ROUNDS,
}, async () => {
  await using server = await PostgresServer.create();
  await using fleet = await Fleet.start({
    postgres: server,
    routers: 2,
    agents: 4,
    engines: 4,
    addresses: 1,
    tokenMs: 10,
    drainGraceMs: 300,
  });
  const { key } = await fleet.office.customer('Rolling', 100n * PICO_PER_USD);
  const statuses: (number | null)[] = [];
  await using load = new PersistentLoad({
    log: fleet.log,
    clients: CLIENTS,
    key,
    random: seededRandom(1),
    bases: (client) => [fleet.router(client).base, fleet.router(client + 1).base],
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (let host = 0; host < 4; host++) {
      statuses.push(await fleet.restartHost(host, STOP_MS_MAX));
      await fleet.serving();
    }
    for (const router of fleet.routers) {
      statuses.push(await router.process.stop(STOP_MS_MAX));
      await router.start();
      await fleet.serving();
    }
  }
  await load.stop();
  process.stdout.write(
    `rolling restart: ${load.whole} answers whole in ${load.tries} tries, ` +
      `${load.truncated.length} truncated, ${load.turnedAway.length} turned away\n`,
  );
  expect(load.truncated.map(({ requestId }) => requestId)).toEqual([]);
  expect(load.turnedAway).toEqual([]);
  expect(load.whole).toBeGreaterThan(CLIENTS);
  expect(new Set(statuses)).toEqual(new Set([0]));
  const { violations } = await fleet.judge({ crashes: false });
  expect(violations).toEqual([]);
});

test('T24: told to stop under load a router is unready, then refuses, ends every stream whole, and exits 0', {
  timeout: 240_000,
}, async () => {
  await using fleet = await Fleet.start({ agents: 2, tokenMs: 10, drainGraceMs: 1_500 });
  const { key } = await fleet.office.customer('T24', 100n * PICO_PER_USD);
  const { origin, base, process: router } = fleet.router(0);
  const ask = (prompt: string) =>
    fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 1_000 });
  let begun = 0;
  const streams = Array.from({ length: 100 }, (_, n) =>
    fleet.log.ask({
      base,
      key,
      model: MODEL,
      prompt: `Write exactly 500 tokens about ${n}.`,
      maxTokens: 1_000,
      onEvent: ({ events }) => {
        if (events === 1) begun += 1;
      },
    }),
  );
  while (begun < streams.length) await pause(20);

  const stopped = router.stop(STOP_MS_MAX);
  const readiness = async () => (await fetch(`${origin}/readyz`)).status;
  while ((await readiness()) === 200) await pause(10);
  // Lame duck mode: load balancers see that the router is not ready, and requests that still arrive
  // are served.
  const late = await ask('Write exactly 5 tokens.');
  expect(late.ending).toBe('complete');
  let refusal = await ask('Write exactly 5 tokens.');
  while (refusal.status === 200) refusal = await ask('Write exactly 5 tokens.');
  expect(refusal).toMatchObject({ status: 503, code: 'shutting_down' });
  const said = await fetch(`${base}/models`, { headers: { authorization: `Bearer ${key}` } });
  expect(said.status).toBe(503);
  expect(said.headers.get('connection')).toBe('close');
  expect(said.headers.get('retry-after')).toBe('1');
  await said.text();

  const ended = await Promise.all(streams);
  expect(ended.filter(({ ending }) => ending !== 'complete')).toEqual([]);
  expect(await stopped).toBe(0);
  await router.start();
  const { violations } = await fleet.judge({ crashes: false });
  expect(violations).toEqual([]);
});
