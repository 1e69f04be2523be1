/** An agent's follower and `penstock sim` as a separate process, which is killed and started again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { readBatch } from '../../../agent/engine/kv-events/batch.ts';
import { Evictions } from '../../../agent/engine/kv-events/evictions.ts';
import { Subscription } from '../../../agent/engine/kv-events/subscription.ts';
import { systemClock } from '../../../shared/clock.ts';

const PENSTOCK = new URL('../../../bin/penstock.ts', import.meta.url).pathname;

/** An engine with 64 blocks that publishes its KV events. */
async function startEngine(endpoint: string) {
  const flags = ['--port', '0', '--model', 'm', '--kv-blocks', '64', '--kv-events-endpoint'];
  const child = spawn(process.execPath, [PENSTOCK, 'sim', ...flags, endpoint], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let started: { url: string; kvEventsEndpoint: string } | null = null;
  for await (const line of createInterface(child.stderr)) {
    if (!line.includes('simulated engine started')) continue;
    started = JSON.parse(line);
    break;
  }
  if (!started) throw new Error('it did not start');
  const { url, kvEventsEndpoint } = started;
  let sent = 0;
  return {
    kvEventsEndpoint,
    async chat(): Promise<void> {
      const prompt = `${sent++} ${'All the boats of the harbour lie still. '.repeat(60)}`;
      const body = JSON.stringify({ model: 'm', prompt, max_tokens: 1 });
      expect((await fetch(`${url}/v1/completions`, { method: 'POST', body })).status).toBe(200);
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

test('the events of a process that is killed and started again are followed on', async () => {
  const evictions = new Evictions();
  let restarts = 0;
  const reader = {
    batch(payload: Buffer) {
      const now = systemClock.monotonic();
      evictions.record(readBatch(payload).events, { at: now, now });
    },
    restarted: () => {
      restarts += 1;
      evictions.restarted();
    },
    missed: () => expect.unreachable(),
  };
  const horizon = () => {
    const now = systemClock.monotonic();
    const evictedMs = evictions.report(now)?.evictedMs ?? null;
    return evictedMs === null ? Number.NEGATIVE_INFINITY : now - evictedMs;
  };
  const first = await startEngine('tcp://127.0.0.1:0');
  const subscription = new Subscription({ endpoint: first.kvEventsEndpoint }, reader, systemClock);
  const stop = new AbortController();
  const ended = subscription.run(stop.signal);
  while (horizon() === Number.NEGATIVE_INFINITY) await first.chat();
  // Its number is then above the first that the next process has.
  await first.chat();
  const before = horizon();
  await first[Symbol.asyncDispose]();
  await ended;
  await using second = await startEngine(first.kvEventsEndpoint);
  const running = subscription.run(stop.signal);
  while (horizon() <= before || restarts === 0) await second.chat();
  expect(restarts).toBe(1);
  stop.abort();
  await running;
});
