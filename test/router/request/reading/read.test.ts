/** The checks of a request body that do not depend on the model. */
import { describe, expect, test } from 'vitest';
import { checkChat } from '../../../../router/request/reading/check.ts';
import { isFault } from '../../../../router/request/reading/fault.ts';
import type { Endpoint } from '../../../../router/request/api.ts';
import { readRequest } from '../../../../router/request/reading/read.ts';
import { limits } from '../../../../shared/limits.ts';

const HELLO = { role: 'user', content: 'Hello.' };
const CALL = { id: 'c', type: 'function' };

function read(body: string | Uint8Array, api: Endpoint = 'chat') {
  const bytes = typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body);
  const request = readRequest({ bytes, api, salt: 'salt' });
  return isFault(request) ? request : request.facts;
}

/** The code and the field of the fault, or null if there is none. */
function faultOf(body: string | Uint8Array, api?: Endpoint) {
  const facts = read(body, api);
  return isFault(facts) ? [facts.code, facts.param] : null;
}

const chat = (fields: object) => JSON.stringify({ model: 'm', messages: [HELLO], ...fields });
const repeat = (count: number, item: string) => Array(count).fill(item).join(',');
const called = (argumentsText: unknown) => ({
  messages: [
    HELLO,
    {
      role: 'assistant',
      tool_calls: [{ ...CALL, function: { name: 'f', arguments: argumentsText } }],
    },
  ],
});

test('only a body whose answer is not streamed gets a digest, by which a repeat is recognized', () => {
  const digestOf = (fields: object) => {
    const bytes = new TextEncoder().encode(chat(fields));
    const request = readRequest({ bytes, api: 'chat', salt: 'salt', wantsDigest: true });
    return isFault(request) ? request : request.facts.bodyDigest;
  };
  expect(digestOf({})).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf({ stream: true })).toBeNull();
});

describe('a body that is small in bytes and large in work is refused before it is parsed or checked', () => {
  test.each([
    ['values that nobody reads', `{"x":[${repeat(limits.jsonNodesMax, '[]')}]}`],
    ['messages of nothing', `{"messages":[${repeat(limits.jsonNodesMax, '{}')}]}`],
    ['levels', `{"x":${'['.repeat(60_000)}`],
  ])('too many %s', (_what, body) => {
    expect(faultOf(body)).toEqual(['invalid_json', null]);
  });

  const text = '{"type":"text","text":"a"}';
  const message = (content: string) => `{"role":"user","content":${content}}`;
  const full = message(`[${repeat(limits.partsPerMessageMax, text)}]`);
  test.each([
    ['messages', `{"messages":[${repeat(limits.messagesMax + 1, '{}')}]}`],
    [
      'messages[1].content',
      `{"model":"m","messages":[${message('"a"')},${message(`[${repeat(limits.partsPerMessageMax + 1, '{}')}]`)}]}`,
    ],
    [
      'messages',
      `{"model":"m","messages":[${repeat(limits.partsMax / limits.partsPerMessageMax + 1, full)}]}`,
    ],
    ['tools', chat({}).replace(/}$/, `,"tools":[${repeat(limits.toolsMax + 1, '{}')}]}`)],
    ['stop', chat({}).replace(/}$/, `,"stop":[${repeat(100_000, '1')}]}`)],
    [
      'messages[1].tool_calls',
      `{"model":"m","messages":[${message('"a"')},{"role":"assistant","tool_calls":[${repeat(limits.toolCallsPerMessageMax + 1, '{}')}]}]}`,
    ],
  ])('too many elements in %s', (param, body) => {
    expect(faultOf(body)).toEqual(['invalid_value', param]);
  });

  test('as many as there may be are no fault', () => {
    expect(
      faultOf(`{"model":"m","messages":[${repeat(limits.messagesMax, message('"a"'))}]}`),
    ).toBeNull();
    expect(faultOf(`{"model":"m","messages":[${full}]}`)).toBeNull();
  });

  test.each(['messages', 'tools'])('nothing is looked at behind the first fault in %s', (name) => {
    const behind = new Proxy(
      {},
      {
        get: () => expect.fail('was read'),
        has: () => expect.fail('was asked'),
        ownKeys: () => expect.fail('was listed'),
      },
    );
    const checked = checkChat(
      { model: 'm', messages: [HELLO], [name]: [{}, behind] },
      { nodesLeft: 1_000, depthMax: 10 },
    );
    expect(isFault(checked) && checked.param).toBe(
      name === 'messages' ? 'messages[0].role' : 'tools[0].type',
    );
  });

  test('parts and tool calls, too, are checked up to the first fault', () => {
    const behind = new Proxy({}, { get: () => expect.fail('was read') });
    for (const [first, param] of [
      [{ role: 'user', content: [{ type: 'text' }, behind] }, 'messages[0].content[0].text'],
      [{ role: 'assistant', tool_calls: [{ id: 1 }, behind] }, 'messages[0].tool_calls[0].id'],
    ] as const) {
      const checked = checkChat(
        { model: 'm', messages: [first] },
        { nodesLeft: 1_000, depthMax: 10 },
      );
      expect(isFault(checked) && checked.param).toBe(param);
    }
  });
});

describe('an error is small, whatever the client has written', () => {
  const long = 'k'.repeat(100_000);
  test.each([
    ['a key of a reasoning object', chat({ reasoning: { [long]: 1 } })],
    ['a key above a text that is not well-formed', chat({ x: { [long]: '\ud83d' } })],
    ['a model', chat({ model: long })],
  ])('%s is not quoted whole', (_what, body) => {
    const fault = read(body);
    expect(isFault(fault)).toBe(true);
    expect(JSON.stringify(fault).length).toBeLessThan(1_000);
  });

  test('a body that has the fields of an error is none', () => {
    expect(faultOf(chat({ code: 'invalid_json', param: 'x', message: 'y' }))).toBeNull();
  });
});

describe('every text that reaches an engine is well-formed', () => {
  const half = '\ud83d';
  test.each<[param: string, fields: object]>([
    ['stop[0]', { stop: [half] }],
    ['stop', { stop: half }],
    ['messages[0].content', { messages: [{ role: 'user', content: `a${half}b` }] }],
    [
      'messages[0].content[0].text',
      { messages: [{ role: 'user', content: [{ type: 'text', text: half }] }] },
    ],
    ['messages[0].name', { messages: [{ ...HELLO, name: half }] }],
    [
      'messages[1].reasoning',
      { messages: [HELLO, { role: 'assistant', content: '', reasoning: half }] },
    ],
    [
      'messages[1].tool_call_id',
      { messages: [HELLO, { role: 'tool', content: '', tool_call_id: half }] },
    ],
    [
      'tools[0].function.description',
      { tools: [{ type: 'function', function: { name: 'f', description: half } }] },
    ],
    [
      'tools[0].function.parameters.properties',
      {
        tools: [
          { type: 'function', function: { name: 'f', parameters: { properties: { [half]: {} } } } },
        ],
      },
    ],
  ])('half of a surrogate pair in %s', (param, fields) => {
    expect(faultOf(chat(fields))).toEqual(['invalid_value', param]);
  });

  test('in the prompt of a completion', () => {
    const body = JSON.stringify({ model: 'm', prompt: half });
    expect(faultOf(body, 'completions')).toEqual(['invalid_value', 'prompt']);
  });

  test('a whole pair, as an escape or as bytes, is a text like any other', () => {
    expect(faultOf(chat({ stop: ['\u{1f600}'] }))).toBeNull();
    expect(faultOf(chat({ stop: ['x'] }).replace('"x"', String.raw`"\ud83d\ude00"`))).toBeNull();
  });

  test('bytes that are not UTF-8 are not JSON', () => {
    const bytes = Buffer.from(chat({ user: 'xx' }), 'latin1');
    bytes[bytes.indexOf('xx')] = 0xff;
    expect(faultOf(bytes)).toEqual(['invalid_json', null]);
  });
});

describe('the arguments of the calls in a history are JSON objects', () => {
  const param = 'messages[1].tool_calls[0].function.arguments';
  test.each([
    ['a call that was cut', '{"city": "Zür'],
    ['no JSON at all', 'city: Zürich'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a number that JSON does not have', '{"a":NaN}'],
    ['half of a surrogate pair', String.raw`{"a":"\ud83d"}`],
    ['more levels than a body may have', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['more values than a body may have', `{"a":[${repeat(limits.jsonNodesMax, '1')}]}`],
  ])('%s is refused', (_what, text) => {
    expect(faultOf(chat(called(text)))).toEqual(['invalid_value', param]);
  });

  test.each(['{}', '', ' ', '{"city":"Zürich","days":[1,2]}'])('%j is taken', (text) => {
    expect(faultOf(chat(called(text)))).toBeNull();
  });

  test('the values of all calls count together', () => {
    const half = `{"a":[${repeat(limits.jsonNodesMax / 2, '1')}]}`;
    const { messages } = called(half);
    expect(faultOf(chat({ messages }))).toBeNull();
    expect(faultOf(chat({ messages: [...messages, messages[1]] }))?.[1]).toBe(
      'messages[2].tool_calls[0].function.arguments',
    );
  });
});

describe('what clients write in their own ways is taken', () => {
  const call = { ...CALL, function: { name: 'f', arguments: '{}' } };
  test.each<[what: string, fields: object]>([
    ['the role developer', { messages: [{ role: 'developer', content: 'Be kind.' }, HELLO] }],
    ['a tool without content', { messages: [HELLO, { role: 'tool', tool_call_id: 'c' }] }],
    [
      'an assistant without content or calls',
      { messages: [HELLO, { role: 'assistant' }, { role: 'assistant', content: null }] },
    ],
    ['an empty list of parts', { messages: [HELLO, { role: 'assistant', content: [] }] }],
    [
      'reasoning under the names of others',
      {
        messages: [
          HELLO,
          { role: 'assistant', reasoning_content: 'hm', tool_calls: [call] },
          { role: 'assistant', content: '', reasoning_details: [{ type: 'reasoning.text' }] },
        ],
      },
    ],
    ['storing, which does not happen', { store: true }],
    ['no functions', { functions: [], function_call: 'none' }],
    ['what is off', { echo: false, best_of: 1 }],
    ['reasoning that is excluded', { reasoning: { exclude: true } }],
  ])('%s', (_what, fields) => {
    expect(faultOf(chat(fields))).toBeNull();
  });

  test('a list of one prompt, and what is off', () => {
    const body = { model: 'm', prompt: ['Once'], echo: false, best_of: 1, n: 1, suffix: '' };
    const [listed, plain] = [body, { model: 'm', prompt: 'Once' }].map((one) =>
      read(JSON.stringify(one), 'completions'),
    );
    expect(listed).toEqual(plain);
  });

  test.each([[['a', 'b']], [[1, 2, 3]], [[]], [['']], [[['a']]]])('but no prompt %j', (prompt) => {
    const fault = read(JSON.stringify({ model: 'm', prompt }), 'completions');
    expect(isFault(fault) && fault.param).toMatch(/^prompt/);
  });

  test('base64 in lines is an image, and its line breaks are no text', () => {
    const images = (data: string) => {
      const part = { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } };
      const body = chat({ messages: [{ role: 'user', content: [part] }] });
      const facts = read(body);
      if (isFault(facts)) throw new Error(facts.message ?? facts.code);
      return { ...facts.asked.images, rest: body.length - facts.asked.images.bytes };
    };
    const [lines, line] = [images('AAAA\r\nBBBB\n'), images('AAAABBBB')];
    expect(lines).toMatchObject({ count: 1, notTaken: null, rest: line.rest });
    expect(images('AAAA BBBB').notTaken).toBe('messages[0].content[0].image_url.url');
  });
});

describe('an error lists what is allowed', () => {
  test.each<[param: string, allowed: string, fields: object]>([
    ['tool_choice', 'must be none, auto, required', { tool_choice: 'any' }],
    ['stop', 'a text or a list', { stop: 7 }],
    ['messages[0].role', 'must be system, developer, user', { messages: [{ role: 'narrator' }] }],
    ['messages[0].content', 'a text or a list', { messages: [{ ...HELLO, content: 7 }] }],
    [
      'messages[0].content[0].type',
      'text or image_url',
      { messages: [{ ...HELLO, content: [{ type: 'video_url' }] }] },
    ],
    [
      'response_format.type',
      "'response_format' of type 'json_schema' is not supported with this model",
      { response_format: { type: 'json_schema', json_schema: {} } },
    ],
    ['response_format.type', 'must be text or json_object', { response_format: { type: 'xml' } }],
    ['temperature', 'temperature: must be at most 2', { temperature: 3 }],
    ['temperature', 'temperature: must be a number', { temperature: 'hot' }],
    ['max_tokens', 'max_tokens: must be an integer', { max_tokens: 1.5 }],
    [
      'tools[0].function.name',
      'must be a string',
      { tools: [{ type: 'function', function: { name: 1 } }] },
    ],
    [
      'reasoning.effort',
      'must be none, minimal, low, medium, high, xhigh, or max',
      { reasoning: { effort: 'huge' } },
    ],
    [
      'reasoning.depth',
      'reasoning.depth is not a field of this request.',
      { reasoning: { depth: 1 } },
    ],
  ])('of %s: %s', (param, allowed, fields) => {
    const fault = read(chat(fields));
    expect(fault).toMatchObject({ param, message: expect.stringContaining(allowed) });
  });

  test('and the advice is one that the endpoint knows', () => {
    const messageOf = (fields: object, endpoint: Endpoint) => {
      const fault = read(JSON.stringify({ model: 'm', ...fields }), endpoint);
      return isFault(fault) ? fault.message : null;
    };
    expect(messageOf({ thinking: 1 }, 'chat')).toContain('use the reasoning object');
    expect(messageOf({ reasoning: { effort: 'low' } }, 'completions')).not.toContain('use the');
  });
});

describe('what a request asks of its model', () => {
  const asked = (fields: object, endpoint: Endpoint = 'chat') => {
    const body = { model: 'm', prompt: 'Once', messages: [HELLO], ...fields };
    const facts = read(JSON.stringify(body), endpoint);
    if (isFault(facts)) throw new Error(facts.message ?? facts.code);
    return facts;
  };

  test.each([
    [{}, [], null],
    [{ logprobs: false, top_logprobs: 0 }, [], null],
    [{ logprobs: true }, ['logprobs'], 0],
    [{ logprobs: true, top_logprobs: 2 }, ['logprobs', 'top_logprobs'], 2],
    [{ logprobs: false, top_logprobs: 2 }, ['top_logprobs'], null],
  ])('%j asks for %j, with alternatives: %s', (fields, listed, topLogprobs) => {
    expect(asked(fields).asked).toMatchObject({ listed, topLogprobs });
  });

  test('a completion asks for log probabilities with any number', () => {
    const of = (logprobs: number | null) => asked({ logprobs }, 'completions').asked;
    expect(of(0)).toMatchObject({ listed: ['logprobs'], topLogprobs: 0 });
    expect(of(null)).toMatchObject({ listed: [], topLogprobs: null });
  });

  test.each([
    [null, false, null],
    [{}, false, null],
    [{ enabled: false }, false, 'declined'],
    [{ enabled: false, effort: 'high' }, false, 'declined'],
    [{ effort: 'none' }, false, 'declined'],
    [{ effort: 'low' }, true, null],
    [{ max_tokens: 5 }, true, null],
    [{ enabled: true, exclude: true }, true, 'excluded'],
    [{ exclude: true }, false, 'excluded'],
    // What is not generated cannot be withheld, so its bytes need no reason to be missing.
    [{ enabled: false, exclude: true }, false, 'declined'],
  ])('reasoning %j wants it: %s, and hides its text: %s', (reasoning, wants, hidden) => {
    expect(asked({ reasoning }).asked).toMatchObject({
      wantsReasoning: wants,
      hiddenReasoning: hidden,
    });
  });

  test('two spellings of a message are one prompt, and other settings are another whole prompt', () => {
    const long = 'All the boats of the harbour lie still. '.repeat(60);
    const promptOf = (messages: object[], more: object = {}) => asked({ messages, ...more }).prompt;
    const text = promptOf([{ role: 'system', content: long }, HELLO]);
    const parts = [{ type: 'text', text: long, cache_control: { type: 'ephemeral' } }];
    expect(promptOf([{ content: parts, role: 'developer', id: 'x' }, HELLO])).toEqual(text);
    expect(promptOf([{ role: 'system', content: `${long}!` }, HELLO]).whole).not.toBe(text.whole);
    const low = promptOf([{ role: 'system', content: long }, HELLO], {
      reasoning: { effort: 'low' },
    });
    expect(low.chunks).toEqual(text.chunks);
    expect(low.whole).not.toBe(text.whole);
  });

  test('parameters that are ignored are named, unless they change nothing', () => {
    const ignored = (fields: object) => asked(fields).ignored;
    const options = { include_usage: true, continuous_usage_stats: true };
    expect(ignored({ ignore_eos: true, logit_bias: { 1: 2 }, stream_options: options })).toEqual([
      'ignore_eos',
      'logit_bias',
      'stream_options.continuous_usage_stats',
    ]);
    const off = { ignore_eos: false, min_tokens: 0, repetition_penalty: 1, logit_bias: {} };
    expect(ignored({ ...off, frobnicate: 1, stream_options: null })).toEqual([]);
  });
});

test.each<[param: string, fields: object]>([
  ['messages[0].reasoning_content', { messages: [{ role: 'assistant', reasoning_content: 1 }] }],
  ['messages[0].reasoning_details', { messages: [{ role: 'assistant', reasoning_details: {} }] }],
  ['messages[0].name', { messages: [{ ...HELLO, name: { a: 1 } }] }],
  ['messages[0].reasoning', { messages: [{ role: 'assistant', content: '', reasoning: {} }] }],
  ['messages[1].tool_calls[0].function.arguments', called({ a: 1 })],
  [
    'tools[0].function.parameters',
    { tools: [{ type: 'function', function: { name: 'f', parameters: [] } }] },
  ],
  [
    'tools[0].function.strict',
    { tools: [{ type: 'function', function: { name: 'f', strict: 'yes' } }] },
  ],
])('what an engine would fail on has to have its type: %s', (param, fields) => {
  expect(faultOf(chat(fields))).toEqual(['invalid_value', param]);
});
