/** The body that reaches the engine: listed fields, and nothing else. */
import { expect, test } from 'vitest';
import { limits } from '../../shared/limits.ts';
import { MODEL } from './support/fake-router.ts';
import { HELLO, startRig } from './support/rig.ts';

const SALT = '0123456789abcdef0123456789abcdef';
const ADDED = {
  model: 'Test/Plain-7B',
  stream: true,
  stream_options: { include_usage: true, continuous_usage_stats: true },
  cache_salt: SALT,
  max_tokens: 100,
};

/** Returns the body that the engine receives for a client's body. */
async function bodyFor(client: unknown, options: object = {}) {
  await using rig = await startRig();
  const call = rig.session.open(client, options);
  const ask = await rig.engine.ask();
  call.cancel();
  await call.ended();
  return { body: ask.body, headers: ask.headers };
}

test('a chat is its messages and its sampling, and what the agent adds', async () => {
  const parameters = { type: 'object', properties: { anything: { goes: 1 } } };
  const listed = {
    messages: [
      { role: 'system', content: 'be kind', name: 'sys' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'assistant',
        reasoning: 'hm',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', content: 'done', tool_call_id: 'c1' },
    ],
    temperature: 0.5,
    top_p: 0.9,
    top_k: 40,
    min_p: 0.05,
    frequency_penalty: 0.1,
    presence_penalty: -0.1,
    stop: ['a', 'b'],
    seed: 7,
    response_format: { type: 'json_object' },
    tools: [
      { type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
  };
  const { body } = await bodyFor({ model: 'test/plain', ...listed });
  expect(body).toEqual({ ...listed, ...ADDED });
});

test('a length that fills the context of the engine is left out, so that a prompt fits', async () => {
  const models = [{ id: MODEL.hubModelId, max_model_len: 8_192 }];
  await using rig = await startRig({ engine: { models } });
  const lengths = [];
  for (const [nth, maxTokens] of [32_768, 8_192, 8_191].entries()) {
    rig.session.open(HELLO, { maxTokens });
    lengths.push((await rig.engine.ask(nth + 1)).body['max_tokens']);
  }
  expect(lengths).toEqual([undefined, undefined, 8_191]);
});

test('what is not on the list does not exist for the engine, however deep it stands', async () => {
  const client = `{
    "__proto__": {"priority": 9}, "constructor": {"prototype": {"x": 1}},
    "model": "x", "stream": false, "n": 1, "user": "me", "logprobs": true, "logit_bias": {"1": 1},
    "cache_salt": "theirs", "priority": 1, "kv_transfer_params": {"remote": 1}, "request_id": "r",
    "chat_template_kwargs": {"enable_thinking": true}, "chat_template": "{{ evil }}", "max_tokens": 5,
    "structured_outputs": {"json": {}}, "stop_token_ids": [1], "ignore_eos": true, "min_tokens": 9,
    "stream_options": {"include_usage": false}, "max_completion_tokens": 5,
    "messages": [{"role": "user", "cache_control": {"type": "x"}, "__proto__": {"a": 1}, "content": [
      {"type": "text", "text": "hi", "cache_control": 1},
      {"type": "image_url", "image_url": {"url": "data:,", "detail": "high", "uuid": "u"}, "uuid": "u"},
      {"type": "video_url", "video_url": {"url": "file:///etc/passwd"}}, {"type": "image_url"}, 7, null]},
      {"role": "assistant", "content": null, "audio": 1, "tool_calls": [
        {"id": "c", "type": "function", "index": 0, "x": 1,
         "function": {"name": "f", "arguments": "{}", "x": 1}}]}],
    "response_format": {"type": "text", "json_schema": {"a": 1}},
    "tools": [{"type": "function", "x": 1, "function": {"name": "f", "x": 1, "parameters": null}}],
    "tool_choice": {"type": "function", "x": 1, "function": {"name": "f", "x": 1}}
  }`;
  const { body } = await bodyFor(client);
  expect(body).toEqual({
    ...ADDED,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image_url', image_url: { url: 'data:,' } },
          { type: 'image_url', image_url: {} },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ],
    response_format: { type: 'text' },
    tools: [{ type: 'function', function: { name: 'f' } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
  });
  expect(JSON.stringify(body)).not.toMatch(/proto|evil|passwd|theirs/);
});

test('a call without arguments has an object of none', async () => {
  const call = (text: string) => ({
    id: 'c',
    type: 'function',
    function: { name: 'f', arguments: text },
  });
  const messages = (text: string) => [{ role: 'assistant', tool_calls: [call(text)] }];
  for (const text of ['', ' ']) {
    const { body } = await bodyFor({ ...HELLO, messages: messages(text) });
    expect(body).toMatchObject({ messages: messages('{}') });
  }
});

test('nulls, an empty list of tools and a choice among none are left out', async () => {
  const { body } = await bodyFor(
    { ...HELLO, temperature: null, stop: null, tools: [], tool_choice: 'none', seed: 0 },
    { maxTokens: null },
  );
  const { max_tokens: _absent, ...added } = ADDED;
  expect(body).toEqual({ ...added, messages: HELLO.messages, seed: 0 });
});

test('a text completion is its prompt and its sampling', async () => {
  const client = {
    model: 'x',
    prompt: 'Once',
    temperature: 1,
    messages: [],
    tools: [1],
    echo: true,
  };
  const { body } = await bodyFor(client, { endpoint: 'completions' });
  expect(body).toEqual({ ...ADDED, prompt: 'Once', temperature: 1 });
});

test('a list of one prompt is the prompt', async () => {
  const { body } = await bodyFor({ model: 'x', prompt: ['Once'] }, { endpoint: 'completions' });
  expect(body).toEqual({ ...ADDED, prompt: 'Once' });
});

test('a text completion without a length has one that fits: vLLM would stop at 16 tokens', async () => {
  const lengthOf = async (prompt: string, listed: object = {}) => {
    const client = { model: 'x', prompt };
    await using rig = await startRig({
      engine: { models: [{ id: MODEL.hubModelId, ...listed }] },
    });
    const call = rig.session.open(client, { endpoint: 'completions', maxTokens: null });
    const ask = await rig.engine.ask();
    call.cancel();
    await call.ended();
    return [ask.body['max_tokens'], Buffer.byteLength(JSON.stringify(client))];
  };
  const [length, bytes] = await lengthOf('Once');
  expect(length).toBe(MODEL.contextLength - (bytes as number));
  // The engine may have been started with a shorter context than the catalog has.
  const [shorter] = await lengthOf('Once', { max_model_len: 8_192 });
  expect(shorter).toBe(8_192 - (bytes as number));
  const [least] = await lengthOf('Once '.repeat(40_000));
  expect(least).toBe(1_024);
});

test("the engine knows the request by the completion's own id, and the agent by its key", async () => {
  const { headers } = await bodyFor(HELLO, { completionId: 'chatcmpl-abc123' });
  expect(headers['x-request-id']).toBe('abc123');
  expect(headers.authorization).toBeUndefined();
  await using rig = await startRig({ apiKey: 'sk-engine' });
  const call = rig.session.open(HELLO, { completionId: 'cmpl-x\r\ny: z' });
  const ask = await rig.engine.ask();
  expect(ask.headers.authorization).toBe('Bearer sk-engine');
  expect(ask.headers['x-request-id']).toBe('x__y__z');
  call.cancel();
  await call.ended();
});

test('a large body comes in pieces, is acknowledged as it comes, and arrives whole', async () => {
  await using rig = await startRig();
  const content = 'ü'.repeat(1_000_000);
  const call = rig.session.open({ model: 'x', messages: [{ role: 'user', content }] });
  const ask = await rig.engine.ask();
  expect(ask.body['messages']).toEqual([{ role: 'user', content }]);
  await rig.session.until(() => rig.session.acknowledged > 2_000_000 - limits.linkPieceBytes);
  expect(rig.session.acknowledged).toBeLessThan(2_000_100);
  call.cancel();
  await call.ended();
});
