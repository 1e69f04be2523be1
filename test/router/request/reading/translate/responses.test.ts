/** A body of the Responses API as the chat that the agent gets. */
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../shared/limits.ts';
import * as as from './translated.ts';

const MODEL = { model: 'm' };
const PNG = 'data:image/png;base64,AAAA';
const chatOf = (body: object) => as.translated('responses', { ...MODEL, ...body }).chat;
const messagesOf = (...input: object[]) => (chatOf({ input }) as { messages: object[] }).messages;
const faultOf = (body: object) => as.faultOf('responses', { ...MODEL, input: 'Hi.', ...body });

test('a text is a message of the user, and instructions are a system message before it', () => {
  expect(chatOf({ input: 'Hi.', instructions: 'Be brief.', stream: true })).toEqual({
    ...MODEL,
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi.' },
    ],
  });
});

test('instructions begin the conversation, and later ones stay where they are', () => {
  const { messages } = chatOf({
    instructions: 'one',
    input: [
      { role: 'developer', content: 'two' },
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'three' }] },
      { role: 'user', content: 'Hi.' },
      { role: 'developer', content: 'four' },
      { role: 'user', content: 'Go on.' },
    ],
  }) as { messages: object[] };
  expect(messages).toEqual([
    { role: 'system', content: 'one' },
    { role: 'system', content: 'two' },
    { role: 'system', content: 'three' },
    { role: 'user', content: 'Hi.' },
    { role: 'system', content: 'four' },
    { role: 'user', content: 'Go on.' },
  ]);
});

test('reasoning, text and calls of one turn are one message of the assistant', () => {
  expect(
    messagesOf(
      { role: 'user', content: 'Read both.' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'hm' }],
      },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [
          { type: 'output_text', text: 'I ', annotations: [] },
          { type: 'output_text', text: 'read.', annotations: [] },
        ],
      },
      { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"file":"a"}' },
      { type: 'function_call', call_id: 'b', name: 'read', arguments: '' },
      { type: 'function_call_output', call_id: 'a', output: 'A' },
      { type: 'function_call_output', call_id: 'b', output: [{ type: 'input_text', text: 'B' }] },
      { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
    ),
  ).toEqual([
    { role: 'user', content: 'Read both.' },
    {
      role: 'assistant',
      reasoning: 'hm',
      content: 'I read.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"file":"a"}' } },
        { id: 'b', type: 'function', function: { name: 'read', arguments: '' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
  ]);
});

test('text and reasoning after a call are of its message, which the results follow at once', () => {
  const call = (id: string) => ({
    type: 'function_call',
    call_id: id,
    name: 'read',
    arguments: '{}',
  });
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: id });
  const thought = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] };
  const said = (content: string) => ({ role: 'assistant', content });
  const called = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: '{}' },
  });
  const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: id });
  const user = { role: 'user', content: 'Read.' };
  expect(messagesOf(user, call('a'), said('I read.'), output('a'), said('Done.'))).toEqual([
    user,
    { ...said('I read.'), tool_calls: [called('a')] },
    tool('a'),
    said('Done.'),
  ]);
  expect(
    messagesOf(
      user,
      thought,
      said('I read'),
      call('a'),
      thought,
      said('both.'),
      call('b'),
      output('a'),
      output('b'),
    ),
  ).toEqual([
    user,
    {
      ...said('I read\nboth.'),
      reasoning: 'hmhm',
      tool_calls: [called('a'), called('b')],
    },
    tool('a'),
    tool('b'),
  ]);
  const twice = [said('One.'), said('Two.')];
  expect(messagesOf(user, ...twice, user)).toEqual([user, ...twice, user]);
});

test('reasoning comes back as text or as our encrypted content, and that of others is left out', () => {
  const turn = (reasoning: object) =>
    messagesOf(
      { role: 'user', content: 'Hi.' },
      { type: 'reasoning', summary: [], ...reasoning },
      { role: 'assistant', content: 'Hello.' },
    )[1];
  const said = { role: 'assistant', content: 'Hello.' };
  expect(turn({ encrypted_content: 'reasoning:hm' })).toEqual({ ...said, reasoning: 'hm' });
  expect(turn({ encrypted_content: 'gAAAAABo' })).toEqual(said);
  expect(turn({})).toEqual(said);
});

test('reasoning that no message or call follows is left out', () => {
  const cut = { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] };
  const user = { role: 'user', content: 'Hi.' };
  expect(messagesOf(user, cut, user)).toEqual([user, user]);
});

test('images are parts of messages of the user, and those that tools return follow their results', () => {
  const image = { type: 'input_image', image_url: PNG, detail: 'auto' };
  const part = { type: 'image_url', image_url: { url: PNG } };
  expect(
    messagesOf(
      { role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, image] },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: [image] },
    ).filter((message) => !('tool_calls' in message)),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'What is it?' }, part] },
    { role: 'tool', tool_call_id: 'a', content: '' },
    { role: 'user', content: [part] },
  ]);
});

test('the settings of a response are those of a chat', () => {
  const tool = { name: 'f', description: 'F.', parameters: { type: 'object' }, strict: true };
  const { chat, facts } = as.translated('responses', {
    ...MODEL,
    input: 'Hi.',
    max_output_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    tools: [{ type: 'function', ...tool }],
    tool_choice: { type: 'function', name: 'f' },
    parallel_tool_calls: false,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_object' }, verbosity: 'low' },
    include: ['reasoning.encrypted_content'],
    store: true,
    metadata: { run: '7' },
    prompt_cache_key: 'k',
    truncation: 'auto',
  });
  expect(chat).toMatchObject({
    max_tokens: 9,
    temperature: 0.5,
    top_p: 0.9,
    tools: [{ type: 'function', function: tool }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
    reasoning: { effort: 'low' },
    response_format: { type: 'json_object' },
  });
  expect(chat).not.toHaveProperty('store');
  expect(facts.asked).toMatchObject({ maxTokens: 9, wantsJson: true, wantsReasoning: true });
  expect(facts.settings?.returnsReasoning).toBe(true);
  expect(JSON.parse(`{${facts.settings?.members}}`)).toMatchObject({
    store: false,
    max_output_tokens: 9,
    temperature: 0.5,
    tool_choice: { type: 'function', name: 'f' },
    metadata: { run: '7' },
    instructions: null,
    tools: [],
  });
});

test('reasoning has the members of a chat, and those of OpenAI that change nothing', () => {
  const reasoningOf = (reasoning: object) =>
    (chatOf({ input: 'Hi.', reasoning }) as { reasoning?: object }).reasoning;
  expect(reasoningOf({ enabled: false })).toEqual({ enabled: false });
  expect(reasoningOf({ exclude: true, max_tokens: 50, effort: null })).toEqual({
    exclude: true,
    max_tokens: 50,
  });
  expect(reasoningOf({ summary: 'auto' })).toBeUndefined();
  expect(faultOf({ reasoning: { max_tokens: 0 } })?.param).toBe('reasoning.max_tokens');
});

test('functions of a group get the name of the group, in the tools and in earlier calls', () => {
  const close = { type: 'function', name: 'close_agent', parameters: { type: 'object' } };
  const { chat, facts } = as.translated('responses', {
    ...MODEL,
    input: [
      { role: 'user', content: 'Close it.' },
      {
        type: 'function_call',
        call_id: 'a',
        name: 'close_agent',
        namespace: 'agents',
        arguments: '{}',
      },
      { type: 'function_call_output', call_id: 'a', output: 'closed' },
    ],
    tools: [
      { type: 'function', name: 'exec_command' },
      { type: 'namespace', name: 'agents', description: 'Agents.', tools: [close] },
      { type: 'namespace', name: 'empty', tools: [] },
    ],
  });
  expect(chat).toMatchObject({
    messages: [{}, { tool_calls: [{ function: { name: 'agents__close_agent' } }] }, {}],
    tools: [
      { function: { name: 'exec_command' } },
      { function: { name: 'agents__close_agent', parameters: { type: 'object' } } },
    ],
  });
  expect([...(facts.settings?.grouped ?? [])]).toEqual([
    ['agents__close_agent', { namespace: 'agents', name: 'close_agent' }],
  ]);
});

test('two functions that a chat would know by one name are refused', () => {
  const fn = (name: string) => ({ type: 'function', name });
  const group = (name: string, ...tools: object[]) => ({ type: 'namespace', name, tools });
  const fault = (...tools: object[]) => faultOf({ tools });
  expect(fault(group('a', fn('b__c')), group('a__b', fn('c')))).toMatchObject({
    code: 'invalid_value',
    param: 'tools[1].tools[0].name',
  });
  expect(fault(group('a', fn('c')), fn('a__c'))?.param).toBe('tools[1].name');
  // Nothing is unclear about a function that is offered twice.
  expect(fault(group('a', fn('c')), group('a', fn('c')), fn('d'), fn('d'))).toBeNull();
});

test('a web search beside functions is left out, and named as other parameters that are ignored', () => {
  const { chat, facts } = as.translated('responses', {
    ...MODEL,
    input: 'Hi.',
    logit_bias: { 7: 1 },
    tools: [
      { type: 'web_search', external_web_access: false },
      { type: 'function', name: 'f' },
    ],
  });
  expect(chat).toMatchObject({ tools: [{ type: 'function', function: { name: 'f' } }] });
  expect(facts.ignored).toEqual(['logit_bias', 'tools.web_search']);
});

describe('what is not offered is refused with what to do instead', () => {
  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }, /whole conversation/],
    ['conversation', { conversation: 'conv_1' }, /whole conversation/],
    ['background', { background: true }, /stream/],
    ['prompt', { prompt: { id: 'pmpt_1' } }, /instructions and input/],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }, /hosted/],
    ['tools[1].type', { tools: [{ type: 'function', name: 'f' }, { type: 'mcp' }] }, /hosted/],
    [
      'tools[0].tools[1].type',
      {
        tools: [
          {
            type: 'namespace',
            name: 'g',
            tools: [
              { type: 'function', name: 'f' },
              { type: 'custom', name: 'c' },
            ],
          },
        ],
      },
      /type function/,
    ],
    ['n', { n: 5 }, /one answer/],
    ['best_of', { best_of: 5 }, /one answer/],
    ['include', { include: ['message.output_text.logprobs'] }, /log/],
    ['reasoning_effort', { reasoning_effort: 'low' }, /reasoning object/],
    ['input[0].type', { input: [{ type: 'item_reference', id: 'msg_1' }] }, /item itself/],
    ['input[0].type', { input: [{ type: 'computer_call' }] }, /function calls/],
    [
      'input[0].content[0].type',
      { input: [{ role: 'user', content: [{ type: 'input_file' }] }] },
      /input_text/,
    ],
  ])('%s', (param, fields, advice) => {
    const fault = faultOf(fields);
    expect(fault).toMatchObject({ code: 'unsupported_parameter', param });
    expect(fault?.message).toMatch(advice);
  });

  test('what is off is as good as absent', () => {
    expect(
      faultOf({ previous_response_id: null, background: false, top_logprobs: 0, n: 1 }),
    ).toBeNull();
  });
});

describe('a fault names the field of the response', () => {
  const user = { role: 'user', content: 'Hi.' };
  const call = { type: 'function_call', call_id: 'a', name: 'f' };
  test.each([
    ['input', { input: 7 }],
    ['input', { input: Array.from({ length: limits.messagesMax + 1 }, () => user) }],
    ['input[1].role', { input: [user, { role: 'robot', content: '' }] }],
    ['input[1].content', { input: [user, { role: 'user' }] }],
    [
      'input[1].content[0].text',
      { input: [user, { role: 'user', content: [{ type: 'input_text' }] }] },
    ],
    ['input[1].call_id', { input: [user, { type: 'function_call', name: 'f', arguments: '{}' }] }],
    ['input[1].arguments', { input: [user, { ...call, arguments: '{"a' }] }],
    [
      'input[2].arguments',
      { input: [user, { ...call, arguments: '{}' }, { ...call, arguments: '7' }] },
    ],
    ['max_output_tokens', { max_output_tokens: 0 }],
    ['temperature', { temperature: 3 }],
    ['text.format.type', { text: { format: { type: 'json_schema', name: 'x', schema: {} } } }],
    ['tools[0].name', { tools: [{ type: 'function', name: 'no spaces' }] }],
    ['tools[1].name', { tools: [{ type: 'web_search' }, { type: 'function', name: 'a b' }] }],
    [
      'tools[0].tools[0].name',
      { tools: [{ type: 'namespace', name: 'a b', tools: [{ type: 'function', name: 'f' }] }] },
    ],
    ['tools[0].tools', { tools: [{ type: 'namespace', name: 'g' }] }],
    ['metadata.k', { metadata: { k: 7 } }],
    ['tool_choice.type', { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }],
  ])('%s', (param, fields) => {
    const fault = faultOf(fields);
    expect(fault?.param).toBe(param);
    expect(fault?.message?.startsWith(param)).toBe(true);
  });

  test('an image and a choice that the model decides on are named where the client sent them', () => {
    const image = { type: 'input_image', image_url: 'https://x/y.png' };
    const { facts } = as.translated('responses', {
      ...MODEL,
      input: [user, { role: 'user', content: [image] }],
      tool_choice: { type: 'function', name: 'g' },
    });
    expect(facts.asked.images.notTaken).toBe('input[1].content[0].image_url');
    expect(facts.asked.toolChoice?.param).toBe('tool_choice.name');
  });
});

test('ten thousand calls in a row are translated in linear time', () => {
  const call = { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' };
  const input = Array.from({ length: 10_000 }, () => call);
  expect(faultOf({ input })).toMatchObject({ code: 'invalid_value', param: 'input[0]' });
});
