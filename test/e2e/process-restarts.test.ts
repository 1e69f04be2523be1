/** A router that is several processes replaces them one after another. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { PersistentLoad } from '../support/persistent-load.ts';
import { until } from '../support/up.ts';
import { ask, childrenOf, open, PROCESSES, STORES } from './processes-rig.ts';

const STOP_MS_MAX = 60_000;

test('a child that dies while all are replaced leaves neither a gap nor one too many', {
  timeout: 120_000,
}, async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const [victim = 0] = await childrenOf(fleet);
  process.kill(router.pid, 'SIGUSR2');
  await pause(250);
  process.kill(victim, 'SIGKILL');
  await until(() => router.output.includes('rolling restart of the processes ended'), 'the end');
  await until(async () => (await childrenOf(fleet)).length === PROCESSES, 'the old ones to end');
  await pause(1_500);
  expect(await childrenOf(fleet)).toHaveLength(PROCESSES);
  await fleet.serving();
});

test('a router that is told to stop while its processes are replaced starts no more of them', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const started = () => router.output.split('"msg":"router ready"').length;
  const before = started();
  process.kill(router.pid, 'SIGUSR2');
  await pause(300);
  expect(await router.stop(STOP_MS_MAX)).toBe(0);
  expect(started()).toBeLessThanOrEqual(before + 1);
  expect(router.output).not.toContain('is not running');
});

test('a restart with other listeners is refused, and the processes go on', async () => {
  await using undo = new AsyncDisposableStack();
  const fleet = await (await open('sqlite', undo)).fleet();
  const { process: router } = fleet.router(0);
  const { key } = await fleet.office.customer('Same', PICO_PER_USD);
  const before = await childrenOf(fleet);
  const file = join(fleet.folder, 'router-0.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('region: global', 'region: eu'));
  process.kill(router.pid, 'SIGUSR2');
  await until(() => router.output.includes('rolling restart stopped'), 'the refusal');
  expect(router.output).toContain('`listeners` and `store` cannot change');
  expect(await childrenOf(fleet)).toEqual(before);
  expect((await ask(fleet, key)).ending).toBe('complete');
  await writeFile(file, text);
});

test.each(STORES)(
  'on %s, SIGUSR2 replaces the processes one after another, and no stream is cut',
  { timeout: 240_000 },
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const { fleet: start } = await open(store, undo);
    const fleet = await start({ agents: 2, engines: 2, tokenMs: 10, drainGraceMs: 300 });
    const { key } = await fleet.office.customer('Rolling', 100n * PICO_PER_USD);
    await using load = new PersistentLoad({
      log: fleet.log,
      clients: 24,
      key,
      random: seededRandom(1),
      bases: () => [fleet.router(0).base],
    });
    const { process: router } = fleet.router(0);
    for (let round = 1; round <= 2; round++) {
      const before = await childrenOf(fleet);
      process.kill(router.pid, 'SIGUSR2');
      await until(
        async () => {
          const now = await childrenOf(fleet);
          return now.length === PROCESSES && now.every((pid) => !before.includes(pid));
        },
        'the processes to be replaced',
        60_000,
      );
      await fleet.serving();
    }
    await load.stop();
    process.stdout.write(`${load.whole} answers whole in ${load.tries} tries\n`);
    expect(load.truncated).toEqual([]);
    expect(load.turnedAway).toEqual([]);
    // No request was even refused once: each process serves its connections to the end.
    expect(fleet.log.count('refused')).toBe(0);
    expect(load.whole).toBeGreaterThan(24);
    expect(await router.stop(STOP_MS_MAX)).toBe(0);
    await fleet.router(0).start();
    await fleet.serving();
    const { violations } = await fleet.judge({ crashes: false });
    expect(violations).toEqual([]);
  },
);
