import OpenAI from 'openai';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { Engine } from '../../../agent/simulator/engine.ts';
import { BlockPool } from '../../../agent/simulator/kv/block-pool.ts';
import { Scheduler } from '../../../agent/simulator/scheduler.ts';
import type { Generation } from '../../../agent/simulator/sequence.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { chatBody, contentOf, PLAIN, startRig, streamBody, usageOf } from './rig.ts';

test('a client that leaves mid-stream stops the engine at once and frees its KV', async () => {
  await using rig = await startRig();
  const long = `${'word '.repeat(50_000)} Write exactly 50000 tokens.`;
  const call = rig.open('/v1/chat/completions', streamBody(long));
  await call.received(1_000);
  expect(await rig.metric('vllm:num_requests_running', PLAIN)).toBe(1);
  expect(await rig.metric('vllm:kv_cache_usage_perc', PLAIN)).toBeGreaterThan(0.3);
  call.abort();
  const view = await rig.until(({ running }) => running === 0);
  expect(view).toMatchObject({ started: 1, finished: 0, aborted: 1 });
  expect(await rig.metric('vllm:kv_cache_usage_perc', PLAIN)).toBe(0);
  const aborted = 'finished_reason="abort"';
  expect(await rig.metric('vllm:request_success_total', PLAIN, aborted)).toBe(1);
});

test('a client that waits for a whole answer can leave too', async () => {
  await using rig = await startRig();
  const call = rig.open('/v1/chat/completions', chatBody('Write exactly 50000 tokens.'));
  await rig.until(({ running }) => running === 1);
  call.abort();
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
});

test('requests wait for their KV, and a full queue is a 503', async () => {
  await using rig = await startRig({ kvBlocks: 640, maxQueued: 1 });
  const long = (word: string) =>
    streamBody(`${`${word} `.repeat(6_000)} Write exactly 4000 tokens.`);
  const running = rig.open('/v1/chat/completions', long('one'));
  await running.received(100);
  const waiting = rig.open('/v1/chat/completions', long('two'));
  await rig.until((view) => view.running === 1 && view.waiting === 1);
  expect(await rig.metric('vllm:num_requests_waiting', PLAIN)).toBe(1);
  const refused = await rig.stream('Hello');
  expect(refused.status).toBe(503);
  expect(refused.error().code).toBe(503);
  running.abort();
  await waiting.received(100);
  expect(await rig.requests()).toMatchObject({ running: 1, waiting: 0 });
});

test('a preempted answer is the same to its client, and so is its usage', async () => {
  const run = async (kvBlocks: number) => {
    await using rig = await startRig({ kvBlocks });
    const asks = ['one', 'two', 'three'].map((word) =>
      rig.stream(`${`${word} `.repeat(100)} Write exactly 300 tokens.`),
    );
    const answers = (await Promise.all(asks)).map((answer) => answer.chunks());
    const preemptions = await rig.metric('vllm:num_preemptions_total', PLAIN);
    return { preemptions, answers: answers.map((all) => [contentOf(all), usageOf(all)]) };
  };
  const [roomy, tight] = [await run(8_192), await run(50)];
  expect(roomy.preemptions).toBe(0);
  expect(tight.preemptions).toBeGreaterThan(0);
  expect(tight.answers).toEqual(roomy.answers);
});

test('the metrics add up to what was served', async () => {
  await using rig = await startRig();
  const prompt = `${'A long beginning to be shared. '.repeat(20)} Write exactly 10 tokens.`;
  const usages: ReturnType<typeof usageOf>[] = [];
  for (let i = 0; i < 2; i++) usages.push(usageOf((await rig.stream(prompt)).chunks()));
  const sum = (of: (usage: (typeof usages)[number]) => number | undefined) =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0);
  const metric = (name: string) => rig.metric(`vllm:${name}`, PLAIN, 'engine="0"');
  expect(await metric('prompt_tokens_total')).toBe(sum((usage) => usage?.prompt_tokens));
  expect(await metric('generation_tokens_total')).toBe(20);
  expect(await metric('prefix_cache_queries_total')).toBe(sum((usage) => usage?.prompt_tokens));
  const cached = sum((usage) => usage?.prompt_tokens_details?.cached_tokens);
  expect(cached).toBeGreaterThan(0);
  expect(await metric('prefix_cache_hits_total')).toBe(cached);
  expect(await metric('num_preemptions_total')).toBe(0);
  expect(await metric('time_to_first_token_seconds_count')).toBe(2);
  expect(await metric('inter_token_latency_seconds_count')).toBe(18);
  expect(await metric('request_queue_time_seconds_count')).toBe(2);
  expect(await metric('e2e_request_latency_seconds_count')).toBe(2);
  expect(
    await rig.metric('vllm:cache_config_info', 'block_size="16"', 'num_gpu_blocks="8192"'),
  ).toBe(1);
});

test('what reached the engine is shown by its keys, its body only when recorded', async () => {
  await using rig = await startRig();
  const headers = { authorization: 'Bearer secret' };
  await rig.send('/v1/chat/completions', chatBody('my secret', { max_tokens: 1 }), headers);
  const { last } = await rig.requests();
  expect(last?.keys).toEqual(['model', 'messages', 'max_tokens']);
  expect(last?.header_names).toContain('authorization');
  expect(JSON.stringify(last)).not.toContain('secret');
  await using recording = await startRig({ recordBodies: true });
  await recording.chat('hello', { max_tokens: 1 });
  expect((await recording.requests()).last?.body).toMatchObject({ max_tokens: 1 });
});

test('a reader who does not read gets the rest in fewer, larger chunks', async () => {
  await using rig = await startRig();
  // More than the sockets' buffers hold, so nothing more can be written from there on.
  await rig.faults({ giant_chunk: { after_tokens: 20, bytes: 32 << 20 } });
  const body = JSON.stringify(streamBody('Write exactly 300 tokens.'));
  const socket = connect(Number(new URL(rig.url).port), '127.0.0.1');
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await rig.until(({ finished }) => finished === 1);
  let text = '';
  for await (const piece of socket) text += String(piece);
  expect(text).toContain('data: [DONE]');
  expect(text).toContain('"completion_tokens":300');
  expect(text.split('data: ').length).toBeLessThan(40);
});

test('the OpenAI client reads its streams and its tool calls', async () => {
  await using rig = await startRig();
  const client = new OpenAI({ baseURL: `${rig.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const stream = client.chat.completions.stream({
    model: PLAIN,
    messages: [{ role: 'user', content: 'What is the weather in Lisbon?' }],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          parameters: {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
          },
        },
      },
    ],
  });
  const final = await stream.finalChatCompletion();
  const call = final.choices[0]?.message.tool_calls?.[0];
  expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' } });
  const text = await client.completions.create({ model: PLAIN, prompt: 'Once', max_tokens: 5 });
  expect(text.usage?.completion_tokens).toBe(5);
});

/** A generation of this many tokens that records when each was sampled. */
function timed(tokens: number): Generation & { readonly times: number[] } {
  const times: number[] = [];
  return {
    times,
    model: 'm',
    root: 1,
    salt: null,
    prompt: new Int32Array(20),
    get finished() {
      return times.length === tokens;
    },
    admitted: () => {},
    sample: (now) => times.push(now),
    cut: () => {},
    holdMs: () => 0,
  };
}

function manualEngine(): { clock: ManualClock; engine: Engine } {
  const clock = new ManualClock();
  const timing = { tokenMs: 10, decodeSlopeUs: 0, prefillUs: 50 };
  const limits = { tokenBudget: 2_048, runningMax: 1_024 };
  return { clock, engine: new Engine(new Scheduler(new BlockPool(1_000), timing, limits), clock) };
}

test('all requests share one timer, and a token comes each ten milliseconds', () => {
  const { clock, engine } = manualEngine();
  const generations = Array.from({ length: 50 }, () => timed(4));
  for (const generation of generations) {
    engine.submit(generation);
    expect(clock.timers).toBe(1);
  }
  clock.advance(1_000);
  expect(generations[0]?.times[0]).toBe(1);
  expect(generations.every(({ times }) => times.length === 4)).toBe(true);
  const [, second = 0, third = 0, fourth = 0] = generations[49]?.times ?? [];
  expect(third - second).toBeCloseTo(10);
  expect(fourth - third).toBeCloseTo(10);
  expect(clock.timers).toBe(0);
});

test('late timers do not slow the engine down', () => {
  const { clock, engine } = manualEngine();
  // Every timer fires two milliseconds late, as on a busy machine.
  const lateEngine = new Engine(engine.scheduler, {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    every: (ms, run) => clock.every(ms, run),
    after: (ms, run) => clock.after(ms + 2, run),
  });
  const generation = timed(101);
  lateEngine.submit(generation);
  clock.advance(1_010);
  expect(generation.times.length).toBeGreaterThanOrEqual(100);
});

test('text has multi-byte characters, so that a careless reader is found out', async () => {
  await using rig = await startRig();
  const answer = await rig.stream('Write 400 words.');
  expect(contentOf(answer.chunks())).toMatch(/\P{ASCII}/u);
});
