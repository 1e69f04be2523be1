/**
 * A router that is several processes (docs/processes.md): they share the listeners and one store, and
 * each agent serves all of them.
 */
import { expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { seededRandom } from '../../shared/random.ts';
import { until } from '../support/up.ts';
import type { Fleet } from '../torture/fleet.ts';
import { Load } from '../torture/load.ts';
import { conclude } from '../torture/scene.ts';
import { crowd } from '../torture/t2-crowd.ts';
import { revoke } from '../torture/t20-revocation.ts';
import { open, PROCESSES, STORES } from './processes-rig.ts';

const SERVES = /^penstock_router_requests_total\{.*status="200".*process="(\d+)"\} (\d+)$/gm;

/** How many requests each process has answered, by its label. */
async function answered(fleet: Fleet): Promise<Map<string, number>> {
  const page = await (await fetch(fleet.router(0).metricsUrl)).text();
  const counts = new Map<string, number>();
  for (const [, process = '', count] of page.matchAll(SERVES)) {
    counts.set(process, (counts.get(process) ?? 0) + Number(count));
  }
  return counts;
}

test.each(STORES)(
  'on %s, all processes serve, and one metrics page has them all',
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const fleet = await (await open(store, undo)).fleet();
    const { key } = await fleet.office.customer('Both', PICO_PER_USD);
    const random = seededRandom(1);
    await using load = new Load({
      log: fleet.log,
      streams: 16,
      random,
      target: () => ({ base: fleet.router(0).base, key }),
    });
    await until(async () => (await answered(fleet)).size === PROCESSES, 'answers by both');
    await load.stop();
    const counts = await answered(fleet);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(
      fleet.log.count('complete'),
    );
    const page = await (await fetch(fleet.router(0).metricsUrl)).text();
    expect(page).toMatch(/^process_cpu_seconds_total\{process="parent"\} [\d.]+$/m);
    expect(page.match(/^# TYPE penstock_router_requests_total counter$/gm)).toHaveLength(1);
    const { violations } = await conclude({ fleet, from: 0 }, { crashes: false }, {});
    expect(violations).toEqual([]);
  },
);

test.each(STORES)(
  'on %s, no crowd on several processes overdraws a balance (T2)',
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const { stage, fleet: start } = await open(store, undo);
    const fleet = await start({ agents: 2, tokenMs: 1, tokensPerChunk: 4 });
    const { violations } = await crowd({ ...stage, fleet }, { clients: 500, answerTokens: 4_200 });
    expect(violations).toEqual([]);
  },
);

test.each(STORES)('on %s, a revoked key is refused by every process (T20)', async (store) => {
  await using undo = new AsyncDisposableStack();
  const { stage, fleet: start } = await open(store, undo);
  const fleet = await start({ agents: 2, tokenMs: 2 });
  const { violations } = await revoke(
    { ...stage, fleet },
    { afterMs: 1_000, pauseMs: 1_000, streams: 5 },
  );
  expect(violations).toEqual([]);
});
