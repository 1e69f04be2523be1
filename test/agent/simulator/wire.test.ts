import { expect, test } from 'vitest';
import { z } from 'zod';
import { startSimulator } from '../../../agent/simulator/main.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { systemRandom } from '../../../shared/random.ts';
import {
  chatBody,
  contentOf,
  finishOf,
  PLAIN,
  reasoningOf,
  startRig,
  streamBody,
  THINKS_BY_DEFAULT,
  usageOf,
} from './rig.ts';

/** Parses the events. The ids are fixed by the tests, and the creation time is ignored. */
function parsedEvents(events: readonly string[]): unknown[] {
  return events.map((data) =>
    data === '[DONE]' ? data : { ...JSON.parse(data), created: expect.any(Number) },
  );
}

test('a stream has role, deltas, finish, usage and [DONE], with every null', async () => {
  await using rig = await startRig();
  const body = streamBody('Write exactly 3 tokens.');
  const answer = await rig.send('/v1/chat/completions', body, { 'x-request-id': 'req_1' });
  expect(answer.status).toBe(200);
  const head = {
    id: 'chatcmpl-req_1',
    object: 'chat.completion.chunk',
    created: expect.any(Number),
    model: PLAIN,
  };
  const delta = (content: unknown) => ({
    ...head,
    choices: [
      { index: 0, delta: { content }, logprobs: null, finish_reason: null, token_ids: null },
    ],
  });
  const [role, ...rest] = parsedEvents(answer.events);
  expect(role).toEqual({
    ...head,
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', content: '' },
        logprobs: null,
        finish_reason: null,
      },
    ],
    prompt_token_ids: null,
    prompt_text: null,
  });
  expect(rest).toEqual([
    delta(expect.any(String)),
    delta(expect.any(String)),
    {
      ...head,
      choices: [
        {
          index: 0,
          delta: { content: '' },
          logprobs: null,
          finish_reason: 'stop',
          stop_reason: null,
          token_ids: null,
        },
      ],
    },
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: expect.any(Number),
        total_tokens: expect.any(Number),
        completion_tokens: 3,
        prompt_tokens_details: { cached_tokens: 0 },
      },
      system_fingerprint: expect.any(String),
    },
    '[DONE]',
  ]);
});

test('running usage stands on every chunk, cached_tokens on the last alone', async () => {
  await using rig = await startRig();
  const answer = await rig.stream('Write exactly 5 tokens.', {
    model: THINKS_BY_DEFAULT,
    chat_template_kwargs: { enable_thinking: false },
    stream_options: { include_usage: true, continuous_usage_stats: true },
  });
  const usages = answer.chunks().map(({ usage }) => usage);
  expect(usages.map((usage) => usage?.completion_tokens)).toEqual([0, 1, 2, 3, 4, 5, 5]);
  expect(usages.map((usage) => usage?.prompt_tokens_details?.cached_tokens)).toEqual([
    ...Array<undefined>(6).fill(undefined),
    0,
  ]);
  expect(usages.every((usage) => usage?.completion_tokens_details?.reasoning_tokens === 0)).toBe(
    true,
  );
});

test('no usage is sent that was not asked for, and no cached_tokens without the flag', async () => {
  await using rig = await startRig({ promptTokensDetails: false });
  const silent = await rig.stream('Write exactly 3 tokens.', { stream_options: null });
  expect(usageOf(silent.chunks())).toBeUndefined();
  const bare = await rig.stream('Write exactly 3 tokens.');
  expect(usageOf(bare.chunks())?.prompt_tokens_details).toBeUndefined();
  expect(usageOf(bare.chunks())?.completion_tokens_details).toBeUndefined();
});

test('the second time the prefix is cached, unless the salt is another', async () => {
  await using rig = await startRig();
  const cached = async (cache_salt: string) => {
    const answer = await rig.chat(`${'The same long beginning. '.repeat(40)} In 5 words.`, {
      cache_salt,
    });
    return answer.whole().usage?.prompt_tokens_details?.cached_tokens;
  };
  expect(await cached('a')).toBe(0);
  expect(await cached('a')).toBeGreaterThan(100);
  expect(await cached('b')).toBe(0);
});

test('a text completion is streamed as text, and whole it has the same text', async () => {
  await using rig = await startRig();
  const body = { model: PLAIN, prompt: 'Once upon a time', max_tokens: 12 };
  const whole = await rig.send('/v1/completions', body, { 'x-request-id': 'req_2' });
  expect(whole.whole()).toMatchObject({ id: 'cmpl-req_2', object: 'text_completion' });
  const [choice] = whole.whole().choices;
  expect(choice?.finish_reason).toBe('length');
  const streamed = await rig.send('/v1/completions', {
    ...body,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(contentOf(streamed.chunks())).toBe(choice?.text);
  expect(finishOf(streamed.chunks())).toBe('length');
  expect(streamed.events.at(-1)).toBe('[DONE]');
  expect(usageOf(streamed.chunks())).toMatchObject({ completion_tokens: 12, prompt_tokens: 4 });
});

test('a text completion without a length, or with null, ends after 16 tokens', async () => {
  await using rig = await startRig();
  const body = { model: PLAIN, prompt: 'Write exactly 40 tokens.' };
  for (const more of [{}, { max_tokens: null }]) {
    const answer = await rig.send('/v1/completions', { ...body, ...more });
    expect(answer.whole().usage?.completion_tokens).toBe(16);
  }
});

test('without a tool parser, tools are refused unless no call is wanted', async () => {
  await using rig = await startRig({ toolCallParser: false });
  const tools = [{ type: 'function', function: { name: 'open_gate' } }];
  const refused = await rig.chat('Open it.', { tools });
  expect(refused.status).toBe(400);
  expect(refused.error().message).toContain('--tool-call-parser');
  expect((await rig.chat('Open it.', { tools, tool_choice: 'none' })).status).toBe(200);
});

test('without a reasoning parser, reasoning is text up to the tag that ends it', async () => {
  await using rig = await startRig({ reasoningParser: false });
  const answer = await rig.stream('Why is water wet?', { model: THINKS_BY_DEFAULT });
  expect(reasoningOf(answer.chunks())).toBe('');
  expect(contentOf(answer.chunks())).toMatch(/^\S[^]*<\/think>[^]*\S/);
});

test('a server that only resembles vLLM has no version, and one cache for all salts', async () => {
  await using rig = await startRig({ vllmLike: true });
  expect((await rig.send('/version', undefined)).status).toBe(404);
  const long = 'All the boats of the harbour lie still. '.repeat(20);
  await rig.chat(long, { cache_salt: 'a', max_tokens: 1 });
  const other = await rig.chat(long, { cache_salt: 'b', max_tokens: 1 });
  expect(other.whole().usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(50);
});

test('models go by their hub names, health is empty, and there is a version', async () => {
  await using rig = await startRig();
  const models: unknown = JSON.parse((await rig.send('/v1/models', undefined)).text);
  const plain = {
    id: PLAIN,
    root: 'qwen/qwen3-235b-a22b-instruct-2507',
    max_model_len: 8_192 * 16,
  };
  expect(models).toMatchObject({ object: 'list', data: [plain, {}, {}, {}, {}, {}] });
  expect(await rig.send('/health', undefined)).toMatchObject({ status: 200, text: '' });
  expect((await rig.send('/version', undefined)).text).toContain('version');
});

test('named models are served alone, a name outside the catalog as a plain model', async () => {
  await using rig = await startRig({ model: ['moonshotai/kimi-k2.5', 'acme/none'] });
  const { text } = await rig.send('/v1/models', undefined);
  expect(text).toContain('"id":"moonshotai/Kimi-K2.5"');
  expect(text).toContain('"id":"acme/none"');
  expect((await rig.chat('Hello', { model: PLAIN })).status).toBe(404);
  expect((await rig.chat('Hello', { model: 'acme/none' })).status).toBe(200);
});

const Tokens = z.object({
  count: z.number(),
  tokens: z.array(z.number()),
  max_model_len: z.number(),
});

test('/tokenize counts what the usage will say', async () => {
  await using rig = await startRig();
  const prompt = {
    model: PLAIN,
    messages: [
      { role: 'system', content: 'Be brief, please.' },
      { role: 'user', content: 'What is the weather in Zürich? 🙂' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'x', type: 'function', function: { name: 'w', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'x', content: 'rain' },
    ],
    tools: [{ type: 'function', function: { name: 'w', parameters: { type: 'object' } } }],
  };
  const { text } = await rig.send('/tokenize', prompt);
  const counted = Tokens.parse(JSON.parse(text));
  const answer = await rig.send('/v1/chat/completions', { ...prompt, max_tokens: 1 });
  expect(counted.count).toBe(answer.whole().usage?.prompt_tokens);
  expect(counted.tokens).toHaveLength(counted.count);
  const raw = await rig.send('/tokenize', { model: PLAIN, prompt: 'Once upon a time' });
  expect(JSON.parse(raw.text)).toMatchObject({ count: 4, max_model_len: counted.max_model_len });
});

test.each([
  [
    'a stream option without a stream',
    { stream_options: { include_usage: true } },
    'stream_options',
  ],
  ['no tools in tools', { tools: [] }, 'tools'],
  ['a salt with a slash', { cache_salt: 'a/b' }, 'cache_salt'],
  ['a salt that is too long', { cache_salt: 'x'.repeat(129) }, 'cache_salt'],
  ['no tokens at all', { max_tokens: 0 }, 'max_tokens'],
  ['two choices', { n: 2 }, 'n'],
  ['a tool choice without tools', { tool_choice: 'required' }, 'tool_choice'],
  ['more than the context', { stream: true, max_tokens: 131_072 }, 'input_tokens'],
])('%s is a plain 400 that names the field', async (_name, more, param) => {
  await using rig = await startRig();
  const answer = await rig.chat('Hello', more);
  expect(answer.status).toBe(400);
  expect(answer.error()).toMatchObject({ type: 'BadRequestError', code: 400, param });
});

test('the context is refused in the words that clients look for', async () => {
  await using rig = await startRig({ kvBlocks: 64 });
  const answer = await rig.chat('word '.repeat(1_100));
  expect(answer.error().message).toMatch(
    /^This model's maximum context length is 1024 tokens\. However, you requested/,
  );
});

test('an unknown model or path is a 404, and garbage a 400', async () => {
  await using rig = await startRig();
  const answer = await rig.chat('Hello', { model: 'nobody/nothing' });
  expect(answer.status).toBe(404);
  expect(answer.error()).toEqual({
    message: 'The model `nobody/nothing` does not exist.',
    type: 'NotFoundError',
    param: 'model',
    code: 404,
  });
  expect((await rig.send('/v1/embeddings', {})).status).toBe(404);
  const garbage = await fetch(`${rig.url}/v1/chat/completions`, {
    method: 'POST',
    body: '{"model"',
  });
  expect(garbage.status).toBe(400);
});

test('fields that vLLM does not know are ignored', async () => {
  await using rig = await startRig();
  const answer = await rig.chat('Write exactly 4 tokens.', {
    reasoning: { enabled: true },
    foo: 1,
  });
  expect(answer.status).toBe(200);
  expect(answer.whole().choices[0]?.message?.reasoning).toBeNull();
});

test('a chunk may hold many tokens: fewer chunks, the same text, the same counts', async () => {
  await using rig = await startRig();
  const one = await rig.stream('Write exactly 41 tokens.');
  const many = await rig.stream('Write exactly 41 tokens.', { stream_interval: 8 });
  expect(contentOf(many.chunks())).toBe(contentOf(one.chunks()));
  expect(usageOf(many.chunks())?.completion_tokens).toBe(41);
  expect(many.chunks().length).toBeLessThan(one.chunks().length / 4);
});

test('many requests go over one connection', async () => {
  await using rig = await startRig();
  // undici, under `fetch`, reuses its connections, so hand-written framing must leave them intact.
  for (let round = 0; round < 5; round++) {
    const response = await fetch(`${rig.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(streamBody('Write exactly 20 tokens.')),
    });
    expect(await response.text()).toMatch(/data: \[DONE\]\n\n$/);
  }
});

test('options at fault are refused by name', async () => {
  const parts = { clock: systemClock, random: systemRandom, log: makeLog('test', 'silent') };
  await expect(startSimulator({ port: 0 }, parts)).rejects.toThrow('nothing to serve');
  await expect(startSimulator({ port: 0, model: ['m'], tokenBudget: 8 }, parts)).rejects.toThrow(
    'maxRunning',
  );
  await expect(startSimulator({ port: 'x', model: ['m'] }, parts)).rejects.toThrow('port');
});

test('a request body may hold a million tokens', async () => {
  await using rig = await startRig({ kvBlocks: 1 << 17, prefillUs: 0.0001 });
  const content = 'The river keeps a steady rhythm. '.repeat(110_000);
  const body = chatBody(content, { model: 'deepseek-ai/DeepSeek-V4-Flash', max_tokens: 2 });
  const answer = await rig.send('/v1/chat/completions', body);
  expect(answer.whole().usage?.prompt_tokens).toBeGreaterThan(750_000);
});
