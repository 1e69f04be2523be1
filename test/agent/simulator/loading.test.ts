import { expect, test } from 'vitest';
import { startSimulator } from '../../../agent/simulator/main.ts';
import type { DialectName } from '../../../agent/simulator/options.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';

/** A clock whose waits end when the test says so. */
function makeStepClock() {
  const waits: (() => void)[] = [];
  const asked: (() => void)[] = [];
  return {
    clock: {
      ...systemClock,
      after(_ms: number, run: () => void) {
        waits.push(run);
        asked.shift()?.();
        return { cancel: () => {} };
      },
    },
    /** Ends the current wait, or the next one. */
    async step() {
      if (waits.length === 0) await new Promise<void>((resolve) => asked.push(resolve));
      waits.shift()?.();
    },
  };
}

function start(dialect: DialectName, clock = makeStepClock()) {
  const lines: string[] = [];
  const starting = startSimulator(
    { port: 0, model: ['m'], dialect, loadSeconds: 60 },
    {
      clock: clock.clock,
      random: seededRandom(1),
      log: makeLog('test', 'silent'),
      say: (line) => lines.push(line),
    },
  );
  return { starting, lines, clock };
}

test('llama.cpp listens at once, and says 503 to everything until its model is there', async () => {
  const { starting, lines, clock } = start('llamacpp');
  await using simulator = await starting;
  const ask = (path: string) => fetch(simulator.url + path);
  for (const path of ['/health', '/v1/models', '/props']) {
    const response = await ask(path);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({
      error: { code: 503, message: 'Loading model', type: 'unavailable_error' },
    });
  }
  for (let step = 0; step < 8; step++) await clock.step();
  await simulator.loaded;
  expect((await ask('/health')).status).toBe(200);
  const dots = lines.filter((line) => line.startsWith('load_tensors')).map((line) => line.length);
  expect(dots).toEqual(dots.toSorted((a, b) => a - b));
  expect(dots).toHaveLength(7);
});

test.each(['vllm', 'sglang'] as const)('%s listens only when everything is there', async (name) => {
  const { starting, lines, clock } = start(name);
  let isListening = false;
  void starting.then(() => (isListening = true));
  for (let step = 0; step < 7; step++) await clock.step();
  expect(isListening).toBe(false);
  await clock.step();
  await using simulator = await starting;
  expect((await fetch(`${simulator.url}/health`)).status).toBe(200);
  const shares = lines.flatMap((line) => /shards: +(\d+)% Completed/.exec(line)?.[1] ?? []);
  expect(shares).toEqual(['0', '13', '25', '38', '50', '63', '75', '88']);
});
