import { expect, test } from 'vitest';
import { PLAIN, type Rig, startRig, streamBody, THINKS_BY_DEFAULT } from './rig.ts';

const ASK = 'Write exactly 3 tokens.';
const LONG = `${'All the boats of the harbour lie still. '.repeat(20)} Write exactly 3 tokens.`;
const NO_DELTA = { role: null, content: null, reasoning_content: null, tool_calls: null };

const sglang = (more: object = {}): Promise<Rig> => startRig({ dialect: 'sglang', ...more });

function jsonEvents(
  events: readonly string[],
): { choices: Choice[]; usage: unknown; id: string }[] {
  return events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data));
}
interface Choice {
  delta: Record<string, unknown>;
  finish_reason: string | null;
}

test('a stream has role, deltas, an empty finish chunk, usage and [DONE], and its rid for an id', async () => {
  await using rig = await sglang();
  const answer = await rig.stream(ASK, { rid: 'req_7' });
  const chunk = (delta: object, more: object = {}) => ({
    id: 'req_7',
    object: 'chat.completion.chunk',
    created: expect.any(Number),
    model: PLAIN,
    choices: [
      { index: 0, delta, logprobs: null, finish_reason: null, matched_stop: null, ...more },
    ],
    usage: null,
  });
  const content = chunk({ ...NO_DELTA, content: expect.any(String) });
  expect(jsonEvents(answer.events)).toEqual([
    chunk({ ...NO_DELTA, role: 'assistant', content: '' }),
    content,
    content,
    chunk(NO_DELTA, { finish_reason: 'stop', matched_stop: expect.any(Number) }),
    {
      ...chunk({}),
      choices: [],
      usage: {
        prompt_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        completion_tokens: 3,
        prompt_tokens_details: null,
        reasoning_tokens: 0,
      },
    },
  ]);
  expect(answer.events.at(-1)).toBe('[DONE]');
});

test('thoughts come as reasoning_content and are counted at the top of the usage', async () => {
  await using rig = await sglang();
  const body = { model: THINKS_BY_DEFAULT, max_tokens: 200 };
  const events = jsonEvents((await rig.stream('How far is the moon?', body)).events);
  const thoughts = events.filter(({ choices: [choice] }) => choice?.delta['reasoning_content']);
  expect(thoughts.length).toBeGreaterThan(10);
  // One more reasoning token is the end marker, which is not part of the text.
  expect(events.at(-1)?.usage).toMatchObject({ reasoning_tokens: thoughts.length });
  const whole = JSON.parse((await rig.chat('How far is the moon?', body)).text);
  expect(whole.choices[0].message.reasoning_content).toMatch(/^The user asks/);
  expect(whole.usage.reasoning_tokens).toBe(thoughts.length);
});

test('cached tokens are told with --enable-cache-report alone, and never when there are none', async () => {
  const details = async (enableCacheReport: boolean) => {
    await using rig = await sglang({ enableCacheReport });
    const usages = [await rig.chat(LONG), await rig.chat(LONG)];
    return usages.map(({ text }) => JSON.parse(text).usage.prompt_tokens_details);
  };
  expect(await details(false)).toEqual([null, null]);
  expect(await details(true)).toEqual([null, { cached_tokens: expect.any(Number) }]);
});

test('running usage stands on every chunk but the role, and has no cached tokens', async () => {
  await using rig = await sglang({ enableCacheReport: true });
  await rig.chat(LONG);
  const stream_options = { include_usage: true, continuous_usage_stats: true };
  const events = jsonEvents((await rig.stream(LONG, { stream_options })).events);
  const usages = events.map(({ usage }) => usage);
  expect(usages[0]).toBeNull();
  expect(usages[1]).toMatchObject({ completion_tokens: 1, prompt_tokens_details: null });
  expect(usages.at(-1)).toMatchObject({
    prompt_tokens_details: { cached_tokens: expect.any(Number) },
  });
});

test.each(['cache_salt', 'extra_key'])('another %s finds nothing in the cache', async (name) => {
  await using rig = await sglang({ enableCacheReport: true });
  const cached = async (salt: string) => {
    const { text } = await rig.chat(LONG, { [name]: salt });
    return JSON.parse(text).usage.prompt_tokens_details?.cached_tokens ?? 0;
  };
  expect(await cached('a')).toBe(0);
  expect(await cached('a')).toBeGreaterThan(0);
  expect(await cached('b')).toBe(0);
});

test('/abort_request ends a stream in good order with finish_reason abort', async () => {
  await using rig = await sglang();
  await rig.faults({ stall: { after_tokens: 2 } });
  const body = streamBody('Write exactly 50 tokens.', { rid: 'mine' });
  const call = rig.open('/v1/chat/completions', body);
  await rig.until(({ running }) => running === 1);
  expect((await rig.send('/abort_request', { rid: 'of nobody' })).status).toBe(200);
  expect(await rig.requests()).toMatchObject({ running: 1 });
  expect((await rig.send('/abort_request', { rid: 'mine' })).status).toBe(200);
  const answer = await call.answer;
  const events = jsonEvents(answer.events);
  expect(events.at(-2)?.choices[0]?.finish_reason).toBe('abort');
  expect(events.at(-1)?.usage).toMatchObject({ completion_tokens: expect.any(Number) });
  expect(answer.events.at(-1)).toBe('[DONE]');
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
});

test('a zombie runs on without its client, until it is stopped by name', async () => {
  await using rig = await sglang();
  await rig.faults({ zombie: {}, stall: { after_tokens: 2 } });
  const call = rig.open('/v1/chat/completions', streamBody(ASK, { rid: 'undead' }));
  await rig.until(({ running }) => running === 1);
  await call.received(1);
  call.abort();
  await expect(call.answer.then(({ complete }) => complete)).resolves.toBe(false);
  expect(await rig.requests()).toMatchObject({ running: 1, aborted: 0 });
  await rig.send('/abort_request', { rid: 'undead' });
  await rig.until(({ running, aborted }) => running === 0 && aborted === 1);
});

test('errors are flat, in a stream they have a shell, and [DONE] comes after them', async () => {
  await using rig = await sglang();
  const refused = await rig.chat(ASK, { max_tokens: 9_000_000 });
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toEqual({
    object: 'error',
    message: expect.stringContaining('maximum context length'),
    type: 'BadRequestError',
    param: expect.any(String),
    code: 400,
  });
  await rig.faults({ error_event: { after_tokens: 1 } });
  const answer = await rig.stream(ASK);
  const [error, done] = answer.events.slice(-2);
  expect(JSON.parse(error ?? '')).toMatchObject({ error: { object: 'error', code: 500 } });
  expect(done).toBe('[DONE]');
});

test('it says how it was started, and what it holds', async () => {
  await using rig = await sglang({ enableCacheReport: true });
  const get = async (path: string) => JSON.parse((await rig.send(path, undefined)).text);
  for (const path of ['/get_server_info', '/server_info']) {
    expect(await get(path)).toMatchObject({
      tokenizer_path: expect.any(String),
      enable_cache_report: true,
      max_total_num_tokens: 8_192 * 16,
      version: expect.any(String),
    });
  }
  expect(await get('/get_model_info')).toMatchObject({ is_generation: true });
  expect((await get('/v1/models')).data[0]).toMatchObject({ owned_by: 'sglang' });
  expect((await rig.send('/health', undefined)).status).toBe(200);
  expect((await rig.send('/version', undefined)).status).toBe(404);
});

test('its metrics have its names, and are not there unless switched on', async () => {
  await using rig = await sglang();
  await rig.chat(LONG, { model: PLAIN });
  await rig.chat(LONG, { model: PLAIN });
  const of = (name: string) => rig.metric(`sglang:${name}`, `model_name="${PLAIN}"`);
  expect(await of('num_running_reqs')).toBe(0);
  expect(await of('generation_tokens_total')).toBe(6);
  const cached = await of('cached_tokens_total');
  expect(cached).toBeGreaterThan(0);
  expect((await of('cache_hit_rate')) * (await of('prompt_tokens_total'))).toBeCloseTo(cached);
  await using without = await sglang({ metrics: false });
  expect((await without.send('/metrics', undefined)).status).toBe(404);
});

test('a model that it does not know is taken for its own, under the name that was given', async () => {
  await using rig = await sglang();
  const { status, text } = await rig.chat(ASK, { model: 'nobody/nothing' });
  expect([status, JSON.parse(text).model]).toEqual([200, 'nobody/nothing']);
});

test('/tokenize counts what the usage counts', async () => {
  await using rig = await sglang();
  const messages = [{ role: 'user', content: ASK }];
  const counted = JSON.parse((await rig.send('/tokenize', { messages })).text).count;
  expect(JSON.parse((await rig.chat(ASK)).text).usage.prompt_tokens).toBe(counted);
});
