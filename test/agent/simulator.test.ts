/** The agent with the simulated vLLM: its chunks, quirks and faults. */
import { expect, test } from 'vitest';
import { AMPLE } from './support/fake-router.ts';
import { chatOf as chat, startSimulated as start } from './support/simulated.ts';

const PLAIN = 'qwen/qwen3-235b-a22b-instruct-2507';
const SWITCHED = 'qwen/qwen3.5-397b-a17b';
const ALWAYS = 'moonshotai/kimi-k2-thinking';

test('it serves the whole catalog, and names the build', async () => {
  await using rig = await start();
  const load = rig.session.load();
  expect(load?.models).toContain(PLAIN);
  expect(load?.models.length).toBe(6);
  expect(load?.engine).toMatch(/^vllm \d/);
});

test('a streamed and a whole answer are the same, and count the same', async () => {
  await using rig = await start({ tokensPerChunk: 3 });
  const body = chat(PLAIN, { seed: 5 });
  const streamed = rig.session.open(body, { model: PLAIN });
  const one = await streamed.ended();
  const whole = rig.session.open(body, { model: PLAIN, streamed: false });
  const other = await whole.ended();
  expect(streamed.content).not.toBe('');
  expect(whole.content).toBe(streamed.content);
  expect(whole.records.length).toBeLessThan(streamed.records.length);
  expect([other.prompt, other.completion]).toEqual([one.prompt, one.completion]);
  expect(one.prompt).toBeGreaterThan(5);
  expect(streamed.records[0]?.prompt).toBe(one.prompt);
  expect(one.end).toMatchObject({ cached: 0 });
});

test('a repeated prompt is cached under its salt, and not under another', async () => {
  await using rig = await start();
  const body = chat(PLAIN, { messages: [{ role: 'user', content: 'water '.repeat(200) }] });
  const cached = [];
  for (const salt of ['a', 'a', 'b']) {
    const options = { model: PLAIN, salt: salt.repeat(32), maxTokens: 4 };
    const { end } = await rig.session.open(body, options).ended();
    cached.push(end.outcome === 'finished' ? end.cached : null);
  }
  expect(cached[0]).toBe(0);
  expect(cached[1]).toBeGreaterThan(100);
  expect(cached[2]).toBe(0);
});

test('reasoning is there by default, gone when turned off, and withheld where it cannot be', async () => {
  await using rig = await start();
  const ask = async (model: string, reasoning?: object) => {
    const call = rig.session.open(chat(model, reasoning && { reasoning }), {
      model,
      maxTokens: 400,
    });
    const { end } = await call.ended();
    return {
      text: call.reasoning,
      tokens: end.outcome === 'finished' ? end.reasoning : null,
    };
  };
  const on = await ask(SWITCHED);
  expect(on.text).not.toBe('');
  expect(on.tokens).toBeGreaterThan(0);
  expect(await ask(SWITCHED, { enabled: false })).toEqual({ text: '', tokens: 0 });
  const kept = await ask(ALWAYS, { effort: 'none' });
  expect(kept.text).toBe('');
  expect(kept.tokens).toBeGreaterThan(0);
});

test('a tool call, by choice and by name, ends with tool_calls', async () => {
  await using rig = await start();
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  const tools = [{ type: 'function', function: { name: 'weather', parameters } }];
  const named = { type: 'function', function: { name: 'weather' } };
  for (const choice of ['required', named]) {
    const body = chat(PLAIN, { tools, tool_choice: choice });
    const call = rig.session.open(body, { model: PLAIN, streamed: false });
    expect((await call.ended()).end).toMatchObject({ finish: 'tool_calls' });
    expect(call.content).toBe('');
    expect(call.calls).toMatchObject([{ name: 'weather' }]);
    expect(JSON.parse(call.calls[0]?.arguments ?? '')).toHaveProperty('city');
  }
});

test('a text completion streams its text', async () => {
  await using rig = await start();
  const call = rig.session.open(
    { model: PLAIN, prompt: 'Once upon a time' },
    { model: PLAIN, endpoint: 'completions', maxTokens: 20 },
  );
  const { completion, end } = await call.ended();
  expect(completion).toBeLessThanOrEqual(20);
  expect(end).toMatchObject({ outcome: 'finished' });
  expect(call.content).not.toBe('');
});

test('a prompt that does not fit is context_length, by the words of vLLM', async () => {
  await using rig = await start({ kvBlocks: 64 });
  const call = rig.session.open(
    chat(PLAIN, { messages: [{ role: 'user', content: 'water '.repeat(5_000) }] }),
    { model: PLAIN },
  );
  const failed = { outcome: 'failed', reason: 'context_length', contextLength: 1_024 };
  expect((await call.ended()).end).toEqual(failed);
});

const FAULTS: readonly [string, object, string][] = [
  ['an error event and [DONE]', { error_event: {} }, 'engine'],
  ['an end of file', { eof: {} }, 'engine'],
  ['a reset', { reset: {} }, 'engine'],
  ['[DONE] without a finish_reason', { no_finish: {} }, 'engine'],
  ['bad JSON', { bad_json: {} }, 'engine'],
  ['no usage at all', { no_usage: {} }, 'engine'],
  ['usage that is no number', { wrong_usage: { completion_tokens: 'nan' } }, 'engine'],
  ['a 503', { http_503: {} }, 'busy'],
  ['a 500', { http_500: {} }, 'engine'],
  ['death', { death: { for_ms: 200 } }, 'engine_died'],
];

test.each(FAULTS)('%s fails the answer', async (_name, faults, reason) => {
  await using rig = await start();
  await rig.faults(faults);
  const call = rig.session.open(chat(PLAIN), { model: PLAIN });
  expect((await call.ended()).end).toEqual({ outcome: 'failed', reason });
});

const QUIRKS: readonly [string, object][] = [
  ['a character split over two reads', { split_utf8: {} }],
  ['comments', { comments: {} }],
  ['content on the finish chunk', { content_on_finish: {} }],
  ['a slow drip', { slow_drip: { ms: 2 } }],
];

test.each(QUIRKS)('%s does no harm', async (_name, faults) => {
  await using rig = await start();
  const body = chat(PLAIN, { seed: 3 });
  const read = async () => {
    const call = rig.session.open(body, { model: PLAIN, maxTokens: 30, streamed: false });
    const { completion, end } = await call.ended();
    expect(end.outcome).toBe('finished');
    return { completion, content: call.content };
  };
  const before = await read();
  await rig.faults(faults);
  const after = await read();
  expect(after.completion).toBe(before.completion);
  expect(after.content).not.toContain('\ufffd');
});

test('a giant chunk passes through a small window', async () => {
  await using rig = await start();
  await rig.faults({ giant_chunk: { bytes: 1 << 20 } });
  const call = rig.session.open(chat(PLAIN), {
    model: PLAIN,
    maxTokens: 20,
    grant: { ...AMPLE, bytes: 10_000 },
  });
  await call.until(() => call.bytes === 10_000);
  for (let bytes = 200_000; call.ends.length === 0; bytes += 200_000) {
    call.grant({ bytes });
    await call.until(() => call.bytes === bytes || call.ends.length > 0);
  }
  expect(call.ends[0]?.end.outcome).toBe('finished');
  expect(call.bytes).toBeGreaterThan(1 << 20);
});

test('with several tokens a chunk, a grant is never crossed, and cuts the answer', async () => {
  await using rig = await start({ tokensPerChunk: 7 });
  const call = rig.session.open(chat(PLAIN), {
    model: PLAIN,
    maxTokens: 1_000,
    grant: { ...AMPLE, tokens: 20, final: true },
  });
  const { completion, end } = await call.ended();
  expect(end).toMatchObject({ finish: 'length' });
  expect(completion).toBeLessThanOrEqual(20);
  expect(completion).toBeGreaterThan(10);
  while ((await rig.requests()).running > 0);
  expect((await rig.requests()).aborted).toBe(1);
});

test('a client that leaves before the first token pays the prompt that the tokenizer counts', async () => {
  await using rig = await start({ prefillUs: 50_000 });
  const messages = [{ role: 'user', content: 'water '.repeat(100) }];
  const call = rig.session.open(chat(PLAIN, { messages }), { model: PLAIN });
  while ((await rig.requests()).running === 0);
  call.cancel();
  const { prompt, completion, end } = await call.ended();
  expect(end).toEqual({ outcome: 'cancelled', accepted: true });
  expect(prompt).toBeGreaterThan(100);
  expect(completion).toBe(0);
});
