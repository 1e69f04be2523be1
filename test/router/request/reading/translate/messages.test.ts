/** A body of the Messages API as the chat that the agent gets. */
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../shared/limits.ts';
import * as as from './translated.ts';

const BASE = { model: 'm', max_tokens: 100 };
const USER = { role: 'user', content: 'Hi.' };
const translated = (body: object) =>
  as.translated('messages', { ...BASE, messages: [USER], ...body });
const messagesOf = (...messages: object[]) =>
  (translated({ messages }).chat as { messages: object[] }).messages;
const faultOf = (body: object) => as.faultOf('messages', { ...BASE, messages: [USER], ...body });

test('a conversation keeps its order, and its system blocks are messages at its start', () => {
  const { chat } = translated({
    system: [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2; cch=1f;' },
      { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'two' },
    ],
    messages: [USER, { role: 'assistant', content: 'Hello.' }, { role: 'user', content: 'Go on.' }],
    stream: true,
  });
  expect(chat).toEqual({
    ...BASE,
    stream: true,
    reasoning: { enabled: false },
    messages: [
      { role: 'system', content: 'one' },
      { role: 'system', content: 'two' },
      USER,
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Go on.' },
    ],
  });
});

test('of instructions, only the line about the billing of Claude Code is left out', () => {
  const line = 'x-anthropic-billing-header: a';
  const text = 'You are a bank.\nx-anthropic-billing-header: is what I say.';
  const systemOf = (system: unknown) =>
    (translated({ system }).chat as { messages: object[] }).messages.slice(0, -1);
  const instructions = [{ role: 'system', content: text }];
  expect(systemOf(`${line}\n${text}`)).toEqual(instructions);
  expect(systemOf([{ type: 'text', text: `${line}\n${text}` }])).toEqual(instructions);
  expect(systemOf(line)).toEqual([]);
  expect(systemOf([{ type: 'text', text: `${line}\n` }])).toEqual([]);
});

test('thinking, text and tool uses are one message, and each result is a message of the tool', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
  };
  expect(
    messagesOf(
      USER,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: '' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'I read.' },
          { type: 'tool_use', id: 'a', name: 'read', input: { file: 'a"' } },
          { type: 'tool_use', id: 'b', name: 'read', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'A' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [{ type: 'text', text: 'B' }, image],
            is_error: true,
          },
          { type: 'text', text: 'Go on.', cache_control: { type: 'ephemeral' } },
        ],
      },
    ),
  ).toEqual([
    USER,
    {
      role: 'assistant',
      content: 'I read.',
      reasoning: 'hm',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"file":"a\\""}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'Error:\nB' },
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'text', text: 'Go on.' },
      ],
    },
  ]);
});

test.each([
  '{"id":12345678901234567890}',
  '{"price":1.10,"list":[7,-0,1e3,{"deep":0.12345678901234567890}]}',
  '{"far":1e400}',
  '{"__proto__":{"a":1}}',
  '{"__proto__":{"a":1.0},"text":"1.10, 2.50"}',
])('the input of a tool keeps its numbers and its keys: %s', (input) => {
  const call = `{"type":"tool_use","id":"a","name":"f","input":${input}}`;
  const turn = `{"role":"assistant","content":[{"type":"text","text":"I call."},${call}]}`;
  const user = JSON.stringify(USER);
  const body = `{"model":"m","temperature":1.0,"max_tokens":100,"messages":[${user},${turn},${user}]}`;
  const { chat } = as.translated('messages', body);
  expect(chat).toMatchObject({
    temperature: 1,
    messages: [USER, { tool_calls: [{ function: { arguments: input } }] }, USER],
  });
});

test('the input of a tool is counted once, however large it is', () => {
  const numbers = Array.from({ length: limits.jsonNodesMax - 100 }, () => 1);
  const call = { type: 'tool_use', id: 'a', name: 'f', input: { numbers } };
  const messages = [USER, { role: 'assistant', content: [call] }, USER];
  const [, called] = messagesOf(...messages) as { tool_calls: { function: object }[] }[];
  expect(called?.tool_calls[0]?.function).toEqual({
    name: 'f',
    arguments: JSON.stringify({ numbers }),
  });
});

test('a part of a result that is no text or image is replaced by a line that says so', () => {
  const left = (type: string) =>
    `[A part of the type ${type} is left out: it is no text or image.]`;
  const content = [
    { type: 'text', text: 'A' },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
    { type: 'From the\nclient' },
    7,
  ];
  const result = { type: 'tool_result', tool_use_id: 'a', content, is_error: null };
  const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  const messages = [
    USER,
    { role: 'assistant', content: [call] },
    { role: 'user', content: [result] },
  ];
  expect(messagesOf(...messages)[2]).toEqual({
    role: 'tool',
    tool_call_id: 'a',
    content: ['A', left('document'), left('unknown'), left('unknown')].join('\n'),
  });
});

test('a message that only has results of tools adds no message of the user', () => {
  const result = { type: 'tool_result', tool_use_id: 'a' };
  const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  expect(
    messagesOf(USER, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }),
  ).toHaveLength(3);
});

test('the settings of a message are those of a chat', () => {
  const { chat } = translated({
    temperature: 0.5,
    top_k: 5,
    stop_sequences: ['a', 'b'],
    tools: [{ name: 'f', description: 'F.', input_schema: { type: 'object' }, strict: true }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    metadata: { user_id: 'u' },
    context_management: { edits: [] },
    service_tier: 'auto',
  });
  expect(chat).toMatchObject({
    max_tokens: 100,
    temperature: 0.5,
    top_k: 5,
    stop: ['a', 'b'],
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'F.', parameters: { type: 'object' }, strict: true },
      },
    ],
    tool_choice: 'required',
    parallel_tool_calls: false,
  });
  expect(chat).not.toHaveProperty('metadata');
  const named = translated({
    tools: [{ name: 'f', input_schema: {} }],
    tool_choice: { type: 'tool', name: 'f' },
  });
  expect(named.chat).toMatchObject({ tool_choice: { type: 'function', function: { name: 'f' } } });
});

test('the name of a tool has up to 128 characters', () => {
  const named = (length: number) => ({ tools: [{ name: 'f'.repeat(length), input_schema: {} }] });
  expect(faultOf(named(128))).toBeNull();
  expect(faultOf(named(129))?.param).toBe('tools[0].name');
});

test('a deferred tool is offered when a result names it', () => {
  const tool = (name: string) => ({ name, input_schema: {}, defer_loading: true });
  const tools = [{ name: 'ToolSearch', input_schema: {} }, tool('fetch'), tool('other')];
  const search = [
    { role: 'user', content: 'Fetch it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'tool_reference', tool_name: 'fetch' }],
        },
      ],
    },
  ];
  const namesOf = ({ chat }: { chat: object }) =>
    (chat as { tools: { function: { name: string } }[] }).tools.map((one) => one.function.name);
  expect(namesOf(translated({ tools }))).toEqual(['ToolSearch']);
  const found = translated({ tools, messages: search });
  expect(namesOf(found)).toEqual(['ToolSearch', 'fetch']);
  expect(found.chat).toMatchObject({
    messages: [{}, {}, { role: 'tool', content: 'The tool fetch is available now.' }],
  });
});

test('thinking is the reasoning of the model: off unless asked for, with a budget or an effort', () => {
  const reasoningOf = (body: object) => (translated(body).chat as { reasoning: object }).reasoning;
  expect(reasoningOf({})).toEqual({ enabled: false });
  expect(reasoningOf({ thinking: { type: 'disabled' } })).toEqual({ enabled: false });
  expect(reasoningOf({ thinking: { type: 'enabled', budget_tokens: 50 } })).toEqual({
    enabled: true,
    max_tokens: 50,
  });
  expect(
    reasoningOf({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
  ).toEqual({ enabled: true, effort: 'high' });
  // A model that does not reason answers without thinking.
  const { facts } = translated({ thinking: { type: 'adaptive' } });
  expect(facts.asked.wantsReasoning).toBe(false);
});

test('parameters that are ignored although they would change the answer are named', () => {
  const { facts } = translated({ ignore_eos: true, logit_bias: { 7: 1 }, min_tokens: 0, n: 1 });
  expect(facts.ignored).toEqual(['ignore_eos', 'logit_bias']);
});

describe('what is not offered is refused with what to do instead', () => {
  const tool = { type: 'web_search_20250305', name: 'web_search' };
  test.each([
    ['tools[0].type', { tools: [tool] }, /input_schema/],
    ['mcp_servers', { mcp_servers: [{ url: 'https://x' }] }, /client/],
    ['n', { n: 5 }, /one answer/],
    ['best_of', { best_of: 5 }, /one answer/],
    ['container', { container: 'c' }, /hosted/],
    ['output_config.format', { output_config: { format: { type: 'json_schema' } } }, /prompt/],
    [
      'chat_template_kwargs.enable_thinking',
      { chat_template_kwargs: { enable_thinking: true } },
      /thinking/,
    ],
    [
      'messages[1].role',
      { messages: [USER, { role: 'assistant', content: '{' }] },
      /end with a message of the user/,
    ],
    [
      'messages[0].content[0].type',
      { messages: [{ role: 'user', content: [{ type: 'document', source: {} }] }] },
      /text or image/,
    ],
  ])('%s', (param, fields, advice) => {
    const fault = faultOf(fields);
    expect(fault).toMatchObject({ code: 'unsupported_parameter', param });
    expect(fault?.message).toMatch(advice);
  });
});

test.each([
  ['thinking', 'enabled, adaptive, between_tools or disabled'],
  ['tool_choice', 'auto, any, none or tool'],
])('an unknown type of %s is told the types that there are', (field, types) => {
  const message = `${field}.type: must be ${types}`;
  expect(faultOf({ [field]: { type: 'robot' } })).toMatchObject({ code: 'invalid_value', message });
});

describe('a fault names the field of the message', () => {
  const url = { type: 'image', source: { type: 'url', url: 'https://x/y.png' } };
  test.each([
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'robot', content: '' }] }],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages[0].content[0].source.type', { messages: [{ role: 'user', content: [url] }] }],
    ['system[0].text', { system: [{ type: 'text' }] }],
    ['stop_sequences', { stop_sequences: ['a', 'b', 'c', 'd', 'e'] }],
    ['tools[0].name', { tools: [{ name: 'no spaces', input_schema: {} }] }],
    ['tools[0].input_schema', { tools: [{ name: 'f' }] }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 0 } }],
    ['temperature', { temperature: 3 }],
  ])('%s', (param, fields) => {
    const fault = faultOf(fields);
    expect(fault?.param).toBe(param);
    expect(fault?.message).toContain(param);
  });
});
