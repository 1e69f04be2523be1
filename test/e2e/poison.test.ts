/**
 * One customer's requests must not affect others: requests that the engine fails, one every 0.7 s,
 * and more requests than it has room for. Routers, agents and engines are separate processes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { PICO_PER_USD } from '../../shared/money.ts';
import { Fleet, type FleetOptions } from '../torture/fleet.ts';
import { MODEL } from '../torture/load.ts';

const POISON = 'xyzzy';
const POISON_EVERY_MS = 700;

let fleet: Fleet;
afterEach(() => fleet?.[Symbol.asyncDispose]());

async function start(options: FleetOptions): Promise<{ good: string; bad: string }> {
  fleet = await Fleet.start({ models: [MODEL], tokenMs: 2, ...options });
  const good = await fleet.office.customer('Good', 5n * PICO_PER_USD);
  const bad = await fleet.office.customer('Bad', 5n * PICO_PER_USD);
  return { good: good.key, bad: bad.key };
}

function ask(key: string, prompt: string, maxTokens = 20) {
  return fleet.log.ask({ base: fleet.router(0).base, key, model: MODEL, prompt, maxTokens });
}

/**
 * Sends requests that the engines fail, one every 0.7 s, until it is aborted. Returns the result of
 * each.
 */
async function poison(key: string, calledOff: AbortSignal): Promise<string[]> {
  const endings: Promise<string>[] = [];
  while (!calledOff.aborted) {
    endings.push(ask(key, `Say ${POISON}.`).then(({ status, code }) => `${status} ${code}`));
    await pause(POISON_EVERY_MS);
  }
  return await Promise.all(endings);
}

test.each([
  ['one worker', 1],
  ['three workers', 3],
] as const)(
  'a request that the engine fails, each 0.7 s, takes %s from nobody',
  {
    timeout: 120_000,
  },
  async (_name, workers) => {
    const { good, bad } = await start({ agents: workers, engines: workers });
    for (let nth = 0; nth < workers; nth++) {
      await fleet.fault({ request_500: { containing: POISON, message: 'Internal error' } }, nth);
    }
    const calledOff = new AbortController();
    const poisoning = poison(bad, calledOff.signal);
    // Enough failures in a row to have opened a breaker.
    await pause(4 * POISON_EVERY_MS);
    const endings: (string | null)[] = [];
    for (let request = 0; request < 8; request++) {
      endings.push((await ask(good, 'Write 10 words.')).ending);
      await pause(POISON_EVERY_MS);
    }
    calledOff.abort();
    expect(endings).toEqual(endings.map(() => 'complete'));
    const poisoned = await poisoning;
    expect(poisoned.length).toBeGreaterThan(8);
    expect(new Set(poisoned)).toEqual(new Set(['502 engine_failed']));
  },
);

test('what the engine says is wrong with a request is a 400 for its customer, and tried on no other worker', async () => {
  const { bad } = await start({ agents: 2, engines: 2 });
  for (const nth of [0, 1]) await fleet.fault({ request_500: { containing: POISON } }, nth);
  expect(await ask(bad, `Say ${POISON}.`)).toMatchObject({ status: 400, code: 'invalid_value' });
  const taken = await Promise.all([fleet.faults(0), fleet.faults(1)]);
  const counts = taken.map((state) => state.taken['request_500'] ?? 0);
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1]);
});

test('an engine whose queue is full has failed nobody: all are served in turn', {
  timeout: 120_000,
}, async () => {
  const { good, bad } = await start({ agents: 1, maxRunning: 4, maxQueued: 4, tokenMs: 10 });
  const keys = [good, bad];
  const calls = await Promise.all(
    Array.from({ length: 40 }, (_, nth) => ask(keys[nth % 2] as string, 'Write 60 words.', 80)),
  );
  expect(calls.map(({ ending, code }) => code ?? ending)).toEqual(calls.map(() => 'complete'));
  const { data } = await fleet.office.call<{ data: { breaker: string }[] }>('GET', '/workers');
  expect(data.map(({ breaker }) => breaker)).toEqual(['closed']);
});

test('and with a second worker they go there', { timeout: 120_000 }, async () => {
  const { good } = await start({ agents: 2, engines: 2, maxRunning: 4, maxQueued: 4, tokenMs: 10 });
  const calls = await Promise.all(
    Array.from({ length: 60 }, () => ask(good, 'Write 60 words.', 80)),
  );
  expect(calls.map(({ ending, code }) => code ?? ending)).toEqual(calls.map(() => 'complete'));
});
