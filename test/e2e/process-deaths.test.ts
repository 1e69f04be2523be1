/** Of a router that is several processes, one is killed. */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { isAlive } from '../support/is-alive.ts';
import { until } from '../support/up.ts';
import { Load } from '../torture/load.ts';
import { conclude } from '../torture/scene.ts';
import { ask, childrenOf, open, PROCESSES, STORES } from './processes-rig.ts';

test.each(STORES)(
  'on %s, a process that is killed under load is replaced, and the books are right',
  { timeout: 180_000 },
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const fleet = await (await open(store, undo)).fleet({ agents: 2 });
    const customer = await fleet.office.customer('Killed', 100n * PICO_PER_USD);
    const random = seededRandom(2);
    await using load = new Load({
      log: fleet.log,
      streams: 40,
      random,
      target: () => ({ base: fleet.router(0).base, key: customer.key }),
    });
    for (let kill = 0; kill < 3; kill++) {
      await pause(500 + random.below(500));
      const before = await childrenOf(fleet);
      const victim = before[random.below(before.length)] ?? 0;
      process.kill(victim, 'SIGKILL');
      await until(async () => {
        const now = await childrenOf(fleet);
        return now.length === PROCESSES && !now.includes(victim);
      }, 'a new process');
      await fleet.serving();
    }
    await load.stop();
    expect(fleet.log.count('cut')).toBeGreaterThan(0);
    expect((await ask(fleet, customer.key)).ending).toBe('complete');
    const { violations } = await conclude({ fleet, from: 0 }, { crashes: true }, {});
    expect(violations).toEqual([]);
  },
);

test('a parent that is killed leaves no process behind, and its router starts again', {
  timeout: 120_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { key } = await fleet.office.customer('Orphans', PICO_PER_USD);
  const children = await childrenOf(fleet);
  expect(children).toHaveLength(PROCESSES);
  const stream = ask(fleet, key, 500);
  await pause(300);
  await fleet.router(0).process.kill();
  expect((await stream).ending).toBe('cut');
  await until(async () => children.every((pid) => !isAlive(pid)), 'the children to end');
  await fleet.router(0).start();
  await fleet.serving();
  expect((await ask(fleet, key)).ending).toBe('complete');
  const { violations } = await conclude({ fleet, from: 0 }, { crashes: true }, {});
  expect(violations).toEqual([]);
});

test('a child that dies while its parent has messages for it does not take the parent with it', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router, metricsUrl } = fleet.router(0);
  const [victim = 0] = await childrenOf(fleet);
  // The parent finds a scrape, whose questions it sends to both children, before the end of one.
  const agent = new Agent({ connections: 1 });
  undo.defer(() => agent.close());
  await (await request(metricsUrl, { dispatcher: agent })).body.text();
  router.pause();
  const page = request(metricsUrl, { dispatcher: agent }).then(({ body }) => body.text());
  process.kill(victim, 'SIGKILL');
  await pause(200);
  router.resume();
  expect(await page).toContain('process="parent"');
  await until(async () => (await childrenOf(fleet)).length === PROCESSES, 'a new process');
  await fleet.serving();
  expect(router.isRunning).toBe(true);
});
