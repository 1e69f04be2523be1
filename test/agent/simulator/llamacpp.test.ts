import { expect, test } from 'vitest';
import { chatBody, PLAIN, type Rig, startRig, streamBody, THINKS_BY_DEFAULT } from './rig.ts';

const ASK = 'Write exactly 3 tokens.';
const LONG = `${'All the boats of the harbour lie still. '.repeat(20)} Write exactly 3 tokens.`;

const llama = (more: object = {}): Promise<Rig> => startRig({ dialect: 'llamacpp', ...more });

interface Event {
  choices: { delta: { reasoning_content?: string }; finish_reason: string | null }[];
  usage?: Record<string, unknown>;
  timings?: { cache_n: number; prompt_n: number; predicted_n: number };
}

function jsonEvents(events: readonly string[]): Event[] {
  return events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data));
}

test('a stream has choices first, no nulls in its deltas, usage and timings on the last event', async () => {
  await using rig = await llama();
  const answer = await rig.stream(ASK);
  expect(answer.events[0]).toMatch(/^\{"choices":\[\{"finish_reason":null,"index":0,"delta"/);
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ finish_reason, index: 0, delta }],
    created: expect.any(Number),
    id: expect.stringMatching(/^chatcmpl-/),
    model: PLAIN,
    system_fingerprint: expect.stringMatching(/^b\d+/),
    object: 'chat.completion.chunk',
  });
  const content = chunk({ content: expect.any(String) });
  expect(jsonEvents(answer.events)).toEqual([
    chunk({ role: 'assistant', content: null }),
    content,
    content,
    chunk({}, 'stop'),
    {
      ...chunk({}),
      choices: [],
      usage: {
        completion_tokens: 3,
        prompt_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        prompt_tokens_details: { cached_tokens: 0 },
      },
      timings: expect.objectContaining({ cache_n: 0, predicted_n: 3 }),
    },
  ]);
  expect(answer.events.at(-1)).toBe('[DONE]');
});

test('without a usage asked for, the finish chunk has the timings', async () => {
  await using rig = await llama();
  const answer = await rig.chat(ASK, { stream: true });
  const last = jsonEvents(answer.events).at(-1);
  expect(last?.choices[0]?.finish_reason).toBe('stop');
  expect(last?.usage).toBeUndefined();
  expect(last?.timings?.predicted_n).toBe(3);
});

test('timings_per_token: every event counts what was found, evaluated and written', async () => {
  await using rig = await llama();
  await rig.chat(LONG);
  const answer = await rig.stream(LONG, { timings_per_token: true });
  const timings = jsonEvents(answer.events).map((event) => event.timings);
  expect(timings.map((each) => each?.predicted_n)).toEqual([0, 1, 2, 3, 3]);
  const total = jsonEvents(answer.events).at(-1)?.usage?.['prompt_tokens'];
  for (const each of timings) {
    expect(each?.cache_n).toBeGreaterThan(0);
    expect((each?.cache_n ?? 0) + (each?.prompt_n ?? 0)).toBe(total);
  }
});

test('it knows no salt: what one sends is found by all', async () => {
  await using rig = await llama();
  const cached = async (cache_salt: string) =>
    JSON.parse((await rig.chat(LONG, { cache_salt })).text).timings.cache_n;
  expect(await cached('a')).toBe(0);
  expect(await cached('b')).toBeGreaterThan(0);
});

test('thoughts come as reasoning_content, in deltas and as a whole', async () => {
  await using rig = await llama();
  const body = { model: THINKS_BY_DEFAULT, max_tokens: 200 };
  const events = jsonEvents((await rig.stream('How far is the moon?', body)).events);
  const thoughts = events
    .map(({ choices: [choice] }) => choice?.delta.reasoning_content ?? '')
    .join('');
  const whole = JSON.parse((await rig.chat('How far is the moon?', body)).text);
  expect(whole.choices[0].message.reasoning_content).toBe(thoughts);
  expect(thoughts).toMatch(/^The user asks/);
});

test('a silent stream sends comments', async () => {
  await using rig = await llama();
  await rig.faults({ stall: { after_tokens: 0 } });
  const call = rig.open('/v1/chat/completions', streamBody(ASK, { sse_ping_interval: 0.01 }));
  await call.received(6);
  await rig.clearFaults();
  const answer = await call.answer;
  expect(answer.text.startsWith(':\n\n:\n\n')).toBe(true);
  expect(jsonEvents(answer.events).at(-1)?.usage?.['completion_tokens']).toBe(3);
});

test('errors have its types; one in a stream ends it without [DONE]', async () => {
  await using rig = await llama({ kvBlocks: 256 });
  const refused = await rig.chat('word '.repeat(9_000));
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text).error).toEqual({
    code: 400,
    message: expect.stringContaining('context'),
    type: 'exceed_context_size_error',
    n_prompt_tokens: expect.any(Number),
    n_ctx: 4_096,
  });
  const unread = await rig.send('/v1/chat/completions', { messages: 'none' });
  expect(JSON.parse(unread.text).error).toMatchObject({ type: 'invalid_request_error', code: 400 });
  await rig.faults({ error_event: { after_tokens: 1 } });
  const answer = await rig.stream(ASK);
  expect(JSON.parse(answer.events.at(-1) ?? '')).toMatchObject({ error: { type: 'server_error' } });
});

test('a length that does not fit is cut to what does', async () => {
  const total = async (more: object) => {
    await using rig = await llama({ kvBlocks: 64, ...more });
    const { status, text } = await rig.chat('Go on.', { max_tokens: 5_000, ignore_eos: true });
    expect(status).toBe(200);
    const { choices, usage } = JSON.parse(text);
    expect(choices[0].finish_reason).toBe('length');
    return usage.total_tokens;
  };
  // Four slots share the cache's 1,024 tokens, or each of them has its part.
  expect(await total({})).toBe(1_024);
  expect(await total({ divideKv: true })).toBe(256);
});

test('four long answers that fill the shared cache are all cut, and the engine goes on', async () => {
  await using rig = await llama({ kvBlocks: 64 });
  const asked = ['One.', 'Two.', 'Three.', 'Four.'].map((text) =>
    rig.stream(text, { ignore_eos: true }),
  );
  for (const { events } of await Promise.all(asked)) {
    expect(JSON.parse(events.at(-1) ?? '')).toEqual({
      error: { code: 500, message: 'Context size has been exceeded.', type: 'server_error' },
    });
  }
  expect((await rig.chat(ASK)).status).toBe(200);
});

test('it says what it is: /props, /slots, /v1/models, /health', async () => {
  await using rig = await llama();
  const get = async (path: string) => JSON.parse((await rig.send(path, undefined)).text);
  expect(await get('/props')).toMatchObject({
    default_generation_settings: { n_ctx: 8_192 * 16 },
    total_slots: 4,
    build_info: expect.stringMatching(/^b\d+/),
  });
  expect(await get('/slots')).toHaveLength(4);
  expect((await get('/v1/models')).data[0]).toMatchObject({ owned_by: 'llamacpp' });
  expect(await get('/health')).toEqual({ status: 'ok' });
  expect((await rig.send('/version', undefined)).status).toBe(404);
});

test('its metrics have its names and no labels, and are a 501 unless switched on', async () => {
  await using rig = await llama();
  await rig.chat(ASK);
  const page = (await rig.send('/metrics', undefined)).text;
  expect(page).toContain('\nllamacpp:tokens_predicted_total 3\n');
  expect(page).toContain('\nllamacpp:requests_processing 0\n');
  expect(page).toContain('\nllamacpp:prompt_tokens_cached_total 0\n');
  expect(page).not.toContain('kv_cache_usage_ratio');
  await using without = await llama({ metrics: false });
  const { status, text } = await without.send('/metrics', undefined);
  expect([status, JSON.parse(text).error.type]).toEqual([501, 'not_supported_error']);
});

test('a rendered template, tokenized, has as many tokens as the request', async () => {
  await using rig = await llama();
  const content = [
    { type: 'text', text: 'One pa' },
    { type: 'text', text: 'rt and another, with <|marks|> in it.' },
  ];
  const body = { ...chatBody(''), messages: [{ role: 'user', content }] };
  const { prompt } = JSON.parse((await rig.send('/apply-template', body)).text);
  const { tokens } = JSON.parse((await rig.send('/tokenize', { content: prompt })).text);
  const { usage } = JSON.parse((await rig.send('/v1/chat/completions', body)).text);
  expect(usage.prompt_tokens).toBe(tokens.length);
});
