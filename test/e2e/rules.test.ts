/**
 * The rules for the parameters of chats and text completions, and hostile HTTP, on a real `penstock
 * up` over real sockets. `refusals.test.ts` has what every API refuses.
 */
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';

const PLAIN = 'qwen/qwen3-235b-a22b-instruct-2507';
const THINKER = 'qwen/qwen3.5-397b-a17b';
const NO_JSON = 'moonshotai/kimi-k2-thinking';
const NO_MIN_P = 'moonshotai/kimi-k2.5';
const messages = [{ role: 'user', content: 'Say yes.' }];
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type ErrorAnswer = {
  error: { message: string; type: string; param: string | null; code: string };
  request_id: string;
};

async function refused(response: Response, status: number): Promise<ErrorAnswer['error']> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  const body = JSON.parse(text) as ErrorAnswer;
  expect(body.request_id).toMatch(/^req_/);
  expect(response.headers.get('x-request-id')).toBe(body.request_id);
  return body.error;
}

const chat = (fields: object) =>
  up.post('/chat/completions', { model: PLAIN, messages, ...fields });
const completion = (fields: object) =>
  up.post('/completions', { model: PLAIN, prompt: 'Yes', max_tokens: 5, ...fields });
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const image = (url: unknown) => user([{ type: 'image_url', image_url: { url } }]);

describe('chat completions refuse with 400, naming the field', () => {
  const cases: [param: string, fields: object][] = [
    ['model', { model: undefined }],
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: 'hello' }],
    ['messages[0].role', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['max_tokens', { max_tokens: '5' }],
    ['max_tokens', { max_tokens: 65_537 }],
    ['max_completion_tokens', { max_completion_tokens: 65_537 }],
    ['temperature', { temperature: 2.1 }],
    ['temperature', { temperature: -0.1 }],
    ['top_p', { top_p: 1.01 }],
    ['top_k', { top_k: 1025 }],
    ['top_k', { top_k: 1.5 }],
    ['min_p', { min_p: -0.01 }],
    ['min_p', { model: NO_MIN_P, min_p: 0.1 }],
    ['frequency_penalty', { frequency_penalty: 2.5 }],
    ['presence_penalty', { presence_penalty: -2.5 }],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
    ['stop', { stop: [''] }],
    ['stop', { stop: '' }],
    ['seed', { seed: 1.5 }],
    ['stream', { stream: 'yes' }],
    ['n', { n: 2 }],
    ['best_of', { best_of: 2 }],
    ['echo', { echo: true }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['logprobs', { logprobs: true, top_logprobs: 3 }],
    ['response_format.type', { response_format: { type: 'json_schema', json_schema: {} } }],
    ['response_format', { model: NO_JSON, response_format: { type: 'json_object' } }],
    ['reasoning', { reasoning: { effort: 'low' } }],
    ['reasoning.effort', { model: THINKER, reasoning: { effort: 'extreme' } }],
    ['reasoning.max_tokens', { model: THINKER, reasoning: { max_tokens: 0 } }],
    ['tools[0].type', { tools: [{ type: 'retrieval' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: { name: 'a b' } }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['messages[0].content[0].image_url.url', image(PIXEL)],
    ['messages[0].content[0].image_url.url', { model: THINKER, ...image('https://x/y.png') }],
    ['messages[0].content[0].image_url.url', { model: THINKER, ...image('file:///etc/passwd') }],
    ['messages[0].content[0].image_url.url', { model: THINKER, ...image(`${PIXEL}=!`) }],
    [
      'messages[0].content[0].image_url.url',
      { model: THINKER, ...image('data:text/html;base64,AAAA') },
    ],
    ['messages[0].content[0].image_url.url', { model: THINKER, ...image(5) }],
  ];
  test.each(cases)('%s in %j', async (param, fields) => {
    expect((await refused(await chat(fields), 400)).param).toBe(param);
  });

  const switches: [string, object][] = [
    'reasoning_effort',
    'thinking',
    'enable_thinking',
    'thinking_budget',
    'include_reasoning',
  ].map((name) => [name, { [name]: null }]);
  test.each([
    ...switches,
    ['chat_template_kwargs.enable_thinking', { chat_template_kwargs: { enable_thinking: false } }],
    ['chat_template_kwargs.thinking', { chat_template_kwargs: { thinking: null } }],
  ] as [string, object][])(
    'the provider-native switch %s, whatever its value',
    async (param, fields) => {
      for (const model of [PLAIN, THINKER]) {
        expect((await refused(await chat({ model, ...fields }), 400)).param).toBe(param);
      }
      expect((await refused(await completion(fields), 400)).param).toBe(param);
    },
  );
});

describe('text completions', () => {
  test.each<[string, object]>([
    ['prompt', { prompt: undefined }],
    ['prompt', { prompt: ['a', 'b'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['n', { n: 3 }],
    ['best_of', { best_of: 3 }],
    ['echo', { echo: true }],
    ['temperature', { temperature: 5 }],
    ['max_completion_tokens', { max_completion_tokens: 'x' }],
    ['max_completion_tokens', { max_completion_tokens: -5 }],
    ['max_completion_tokens', { max_completion_tokens: 1.5 }],
    ['stop', { stop: ['1', '2', '3', '4', '5'] }],
  ])('refuse a wrong %s with 400', async (param, fields) => {
    expect((await refused(await completion(fields), 400)).param).toBe(param);
  });
});

describe('what is harmless is accepted', () => {
  test.each<[string, object]>([
    [
      'null for every optional',
      {
        max_tokens: null,
        temperature: null,
        stop: null,
        tools: null,
        reasoning: null,
        response_format: null,
        stream: null,
        n: null,
      },
    ],
    ['a single stop string', { stop: 'zzz' }],
    ['four stops', { stop: ['a1', 'b2', 'c3', 'd4'] }],
    ['a top_p of nothing', { top_p: 0 }],
    [
      'the bounds themselves',
      {
        temperature: 2,
        top_p: 1,
        top_k: 1024,
        min_p: 0,
        frequency_penalty: -2,
        presence_penalty: 2,
      },
    ],
    [
      'OpenAI extras',
      {
        n: 1,
        user: 'u',
        metadata: { a: 'b' },
        store: true,
        logprobs: false,
        functions: [],
        parallel_tool_calls: true,
        tool_choice: 'none',
      },
    ],
    ['max_completion_tokens', { max_completion_tokens: 3 }],
    ['text parts on a text model', user([{ type: 'text', text: 'Say yes.' }])],
    [
      'unknown parameters',
      {
        frobnicate: { deep: [1] },
        cache_salt: 'mine',
        priority: 1,
        request_id: 'x',
        kv_transfer_params: {},
      },
    ],
    ['empty tools', { tools: [] }],
    ['an image where there is sight', { model: THINKER, ...image(PIXEL) }],
    [
      'an image in lines',
      { model: THINKER, ...image(PIXEL.replace(/,.{60}/, (line) => `${line}\n`)) },
    ],
    ['reasoning that is off where there is none', { reasoning: { enabled: false } }],
    ['reasoning that is not shown', { model: THINKER, reasoning: { exclude: true } }],
    [
      'the role developer, beside a system message',
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'developer', content: 'Be short.' },
          ...messages,
        ],
      },
    ],
    [
      'messages without content',
      {
        messages: [
          ...messages,
          { role: 'assistant', content: null },
          {
            role: 'assistant',
            reasoning_content: 'hm',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c' },
        ],
      },
    ],
  ])('%s', async (_what, fields) => {
    const response = await chat({ max_tokens: 8, ...fields });
    expect(response.status, await response.text()).toBe(200);
  });
});

describe('hostile requests get a clear error', () => {
  test.each([
    ['POST', '/nothing'],
    ['DELETE', '/models'],
  ])('%s %s is a 404', async (method, path) => {
    const headers = { authorization: `Bearer ${up.first.api_key}` };
    const response = await fetch(up.ready.base_url + path, { method, headers });
    expect((await refused(response, 404)).code).toBe('not_found');
  });

  test.each([
    ['no header', undefined],
    ['another scheme', 'Basic abc'],
    ['rubbish', 'Bearer sk-rubbish'],
  ])('the list of models without a key, %s, is a 401', async (_what, authorization) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    await refused(await fetch(`${up.ready.base_url}/models`, { headers }), 401);
  });

  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(up.origin);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let answer = '';
      socket.on('data', (data) => {
        answer += data.toString();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  test('two Host headers are refused', async () => {
    const answer = await raw(
      'GET /v1/models HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('both Content-Length and Transfer-Encoding are refused', async () => {
    const answer = await raw(
      'POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('bad_request');
  });

  test('headers that are too large are refused', async () => {
    const answer = await raw(
      `GET /v1/models HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test('a request without Host, and one with an unknown Expect, are refused in our words', async () => {
    for (const header of ['', 'Host: a\r\nExpect: miracles\r\n']) {
      const answer = await raw(`GET /v1/models HTTP/1.1\r\n${header}Connection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"request_id":"req_');
    }
  });

  test('an offer to upgrade to h2c is declined, and the request served', async () => {
    const { authorization } = { authorization: `Bearer ${up.first.api_key}` };
    const answer = await raw(
      `GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n` +
        'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('after all of this, a good request is served', async () => {
    expect((await chat({ max_tokens: 5 })).status).toBe(200);
  });
});

test('GET /models is the catalog, field for field, and needs a key but no credit', async () => {
  const { id, key } = await up.customer('Broke');
  await up.admin('credit', 'adjust', '--organization', id, '--amount', '-5', '--reason', 'test');
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${up.ready.base_url}/models`, { headers });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: Record<string, unknown>[] };
  expect(Object.keys(data[0] ?? {}).toSorted()).toEqual([
    'context_length',
    'created',
    'description',
    'hub_model_id',
    'id',
    'input_modalities',
    'max_output_length',
    'name',
    'object',
    'output_modalities',
    'owned_by',
    'pricing',
    'quantization',
    'supported_features',
    'supported_sampling_parameters',
  ]);
  const chatting = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: PLAIN, messages }),
  });
  expect((await refused(chatting, 402)).code).toBe('insufficient_credit');
});
