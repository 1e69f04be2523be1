/** The answers and errors of the Messages API, event by event. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { readStream } from '../../support/sse.ts';
import { ask, cut, eventsOf, type NamedEvent, streamed } from './events.ts';
import { type Customer, MODEL } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PROMPT = 20;
/** A prompt that is as long as the waived work of a minute. */
const LONG = 200_000;
const USAGE = {
  input_tokens: PROMPT,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 6,
  output_tokens_details: null,
  server_tool_use: null,
};
/** Members that the published types require, and that say nothing here. */
const NO_TIERS = { cache_creation: null, inference_geo: null, service_tier: null, speed: null };
const CALL = { type: 'tool_use', caller: { type: 'direct' } };

/** An object with lone surrogates in keys and values, a pair, and an escaped backslash. */
const KEYS = '{"\\uDC00":"\\ud83c\\udf0a","\\\\ud83d":"a\\ud83d\\ud83d","n":12345678901234567890}';

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.rejoin());

function everything(stream: AgentStream): void {
  stream.reasoning(PROMPT, 1, 'hm');
  stream.content(PROMPT, 2, 'I “');
  stream.content(PROMPT, 2, 'read”\n');
  stream.call(PROMPT, 3, 0, 'call_"1"', 'read');
  stream.arguments(PROMPT, 4, 0, '{"file"');
  stream.arguments(PROMPT, 5, 0, ':"a"}');
  stream.call(PROMPT, 5, 1, 'call_2', 'list');
  stream.finish(PROMPT, 6, { finish: 'tool_calls' });
}

const messageOf = (id: string) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: MODEL,
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_sequence: null,
});
const stop = (index: number) => ({ type: 'content_block_stop', index });
const start = (index: number, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, more: object) => ({
  type: 'content_block_delta',
  index,
  delta: more,
});

test('a stream is its message, each block from start to stop, the usage and the end', async () => {
  const { events, requestId, ended } = await streamed(customer, 'messages', everything);
  expect(ended).toBe('end');
  expect(events).toEqual([
    {
      type: 'message_start',
      message: {
        ...messageOf((requestId as string).slice('req_'.length)),
        content: [],
        stop_reason: null,
        usage: { ...USAGE, ...NO_TIERS, output_tokens: 0 },
      },
    },
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'hm' }),
    stop(0),
    start(1, { type: 'text', text: '', citations: null }),
    delta(1, { type: 'text_delta', text: 'I “' }),
    delta(1, { type: 'text_delta', text: 'read”\n' }),
    stop(1),
    start(2, { ...CALL, id: 'call_"1"', name: 'read', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"file"' }),
    delta(2, { type: 'input_json_delta', partial_json: ':"a"}' }),
    stop(2),
    start(3, { ...CALL, id: 'call_2', name: 'list', input: {} }),
    stop(3),
    {
      type: 'message_delta',
      delta: {
        container: null,
        stop_reason: 'tool_use',
        stop_sequence: null,
        stop_details: null,
      },
      usage: USAGE,
    },
    { type: 'message_stop' },
  ]);
});

test('a whole message has the same blocks, with the input of tools as objects', async () => {
  const response = ask(customer, 'messages');
  everything(await rig.agent.next());
  const answer = await response;
  const id = answer.headers.get('request-id') as string;
  expect(await answer.json()).toEqual({
    ...messageOf(id.slice('req_'.length)),
    content: [
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: 'I “read”\n', citations: null },
      { ...CALL, id: 'call_"1"', name: 'read', input: { file: 'a' } },
      { ...CALL, id: 'call_2', name: 'list', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { ...USAGE, ...NO_TIERS },
  });
});

test('the input of a tool is an object, whatever a host sends', async () => {
  const sent = ['{"a":12345678901234567890}', '{"a', '[1]', '"a"', '', '{"a":"\\ud83d"}', KEYS];
  const response = ask(customer, 'messages');
  const stream = await rig.agent.next();
  for (const [index, text] of sent.entries()) {
    stream.call(PROMPT, 1, index, `call_${index}`, 'f');
    if (text !== '') stream.arguments(PROMPT, 2, index, text);
  }
  stream.finish(PROMPT, 2, { finish: 'tool_calls' });
  const raw = await (await response).text();
  const { content } = JSON.parse(raw) as { content: { input: unknown }[] };
  expect(raw).toContain('"input":{"a":12345678901234567890}');
  const fixed = { a: '\ufffd' };
  const keys = {
    n: expect.any(Number) as number,
    '\ufffd': '\u{1f30a}',
    '\\ud83d': 'a\ufffd\ufffd',
  };
  expect(content.slice(1).map(({ input }) => input)).toEqual([{}, {}, {}, {}, fixed, keys]);
  expect(raw).toContain('"n":12345678901234567890');
});

test('the inputs of all tools of a whole answer are limited: a final refusal, at no fault of the worker', async () => {
  const messages = [{ role: 'user', content: 'word '.repeat(60_000) }];
  const response = ask(customer, 'messages', { messages });
  const stream = await rig.agent.next();
  const text = `{"a":"${'x'.repeat(200_000)}`;
  for (let index = 0, sent = 0; index < 6; index++) {
    stream.call(LONG, 1, index, `call_${index}`, 'f');
    sent += text.length + 1_000;
    if (sent > stream.grant.bytes) await stream.granted(({ bytes }) => bytes >= sent);
    stream.arguments(LONG, 2, index, text);
  }
  const answer = await response;
  expect(answer.status).toBe(400);
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining('stream it') as string },
  });
  // MONEY 15: free, and counted as waived work.
  expect(await rig.rows(customer.organization)).toMatchObject([{ cost: 0n, status: 400 }]);
  expect((await ask(customer, 'messages')).status).toBe(429);
  expect(rig.answers.bytes).toBe(0);
  expect([...rig.fleet.workers].every(({ breaker }) => breaker.share === 1)).toBe(true);
});

test.each([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
])('the finish %s is the stop reason %s', async (finish, reason) => {
  const give = (stream: AgentStream) => {
    stream.content(PROMPT, 1, 'word');
    stream.finish(PROMPT, 1, { finish });
  };
  const { events } = await streamed(customer, 'messages', give);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: reason } });
  const response = ask(customer, 'messages');
  give(await rig.agent.next());
  expect(await (await response).json()).toMatchObject({ stop_reason: reason });
});

test('the stop sequence that ended the answer is named, where the engine reports it', async () => {
  const stopSequence = 'Human: “\n';
  const give = (stream: AgentStream) => {
    stream.content(PROMPT, 1, 'word');
    stream.finish(PROMPT, 1, { stopSequence });
  };
  const stopped = { stop_reason: 'stop_sequence', stop_sequence: stopSequence };
  const { events } = await streamed(customer, 'messages', give);
  expect(events.at(-2)).toMatchObject({ delta: stopped });
  const response = ask(customer, 'messages');
  give(await rig.agent.next());
  expect(await (await response).json()).toMatchObject(stopped);
});

test('cached tokens are told apart from the other input tokens', async () => {
  const messages = [{ role: 'user', content: 'a'.repeat(6_000) }];
  const usageOf = async (cached: number) => {
    const response = ask(customer, 'messages', { messages });
    const stream = await rig.agent.next();
    stream.content(2_000, 1, 'word');
    stream.finish(2_000, 1, { cached, reasoning: 1 });
    return ((await (await response).json()) as { usage: object }).usage;
  };
  await usageOf(0);
  expect(await usageOf(1_990)).toMatchObject({
    input_tokens: 10,
    cache_read_input_tokens: 1_990,
    output_tokens_details: { thinking_tokens: 1 },
  });
});

test('an answer without text has an empty block of text', async () => {
  const { events } = await streamed(customer, 'messages', (stream) => stream.finish(PROMPT, 1));
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    'content_block_start',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
});

test('a stream that is cut has no stop of its message, and is free', async () => {
  const { events, ended } = await cut(customer, 'messages', (stream) => {
    stream.content(PROMPT, 1, 'word');
  });
  expect(ended).toBe('cut');
  expect(events.at(-1)).toMatchObject({ type: 'content_block_delta' });
  const rows = await rig.rows(customer.organization);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['voided']);
});

/** The blocks of a stream: the type of each, and its text. Throws when blocks overlap. */
function blocksOf(events: readonly NamedEvent[]): [type: string, text: string][] {
  const blocks: [string, string][] = [];
  let open = false;
  for (const { type, ...members } of events) {
    const {
      index,
      content_block,
      delta: more,
    } = members as {
      index: number;
      content_block: { type: string; id?: string };
      delta: { text?: string; thinking?: string; partial_json?: string };
    };
    const last = blocks.at(-1);
    if (!type.startsWith('content_block')) continue;
    if (open === (type === 'content_block_start')) throw new Error(`${type} out of order`);
    open = type !== 'content_block_stop';
    if (type === 'content_block_start') blocks.push([content_block.id ?? content_block.type, '']);
    else if (index !== blocks.length - 1) throw new Error(`${type} of another block`);
    if (type === 'content_block_delta' && last) {
      last[1] += more.text ?? more.thinking ?? more.partial_json ?? '';
    }
  }
  return blocks;
}

test('calls whose arguments alternate, with text between them, are complete: blocks never overlap', async () => {
  const { events, ended } = await streamed(customer, 'messages', (stream) => {
    stream.content(PROMPT, 1, 'I read.');
    stream.call(PROMPT, 2, 0, 'a', 'f');
    stream.arguments(PROMPT, 3, 0, '{"x":');
    stream.content(PROMPT, 4, '\n');
    stream.call(PROMPT, 5, 1, 'b', 'f');
    stream.arguments(PROMPT, 6, 1, '{');
    stream.arguments(PROMPT, 7, 0, '1}');
    stream.reasoning(PROMPT, 8, 'hm');
    stream.arguments(PROMPT, 9, 1, '}');
    stream.finish(PROMPT, 9, { finish: 'tool_calls' });
  });
  expect(ended).toBe('end');
  expect(events.at(-1)).toEqual({ type: 'message_stop' });
  expect(blocksOf(events)).toEqual([
    ['text', 'I read.'],
    ['a', '{"x":1}'],
    ['text', '\n'],
    ['b', '{}'],
    ['thinking', 'hm'],
  ]);
  const [row] = await rig.rows(customer.organization);
  expect(row).toMatchObject({ outcome: 'settled', completionTokens: 9 });
});

test('what follows a call is held until the charge, and the client gets pings', async () => {
  const response = ask(customer, 'messages', { stream: true });
  const stream = await rig.agent.next();
  stream.call(PROMPT, 1, 0, 'a', 'f');
  stream.arguments(PROMPT, 2, 0, '{}');
  stream.call(PROMPT, 3, 1, 'b', 'f');
  await rig.pass(limits.commentAfterMs + 1_000);
  const seen = readStream(await response);
  stream.fail();
  const types = eventsOf((await seen).raw).map(({ type }) => type);
  expect(types.slice(1)).toEqual(['content_block_start', 'content_block_delta', 'ping']);
});

test('of texts and thoughts that alternate after a call, each goes on in the last of its kind', async () => {
  const give = (stream: AgentStream) => {
    stream.call(PROMPT, 1, 0, 'a', 'f');
    for (let nth = 2; nth <= 400; nth++) {
      if (nth % 2 === 0) stream.content(PROMPT, nth, 'x');
      else stream.reasoning(PROMPT, nth, 'y');
    }
    stream.finish(PROMPT, 400, { finish: 'tool_calls' });
  };
  const { events } = await streamed(customer, 'messages', give, { max_tokens: 1_000 });
  const blocks = blocksOf(events);
  expect(blocks.length).toBeLessThan(100);
  expect(blocks.map(([, text]) => text).join('')).toMatch(/^(xy)+y{100,}x{100,}$/);
});

test('a stream whose held blocks get no memory is cut and free, and its worker is not to blame', async () => {
  const others = rig.answers.lease('agt_one' as AgentId);
  const response = ask(customer, 'messages', { stream: true });
  const stream = await rig.agent.next();
  stream.call(PROMPT, 1, 0, 'a', 'f');
  const seen = readStream(await response);
  expect(others.take(limits.answersPerAgentBytesMax)).toBe(true);
  stream.call(PROMPT, 2, 1, 'b', 'f');
  expect(await seen).toMatchObject({ ended: 'cut' });
  others[Symbol.dispose]();
  const rows = await rig.rows(customer.organization);
  expect(rows.map(({ outcome, error }) => [outcome, error])).toEqual([['voided', 'overloaded']]);
  expect([...rig.fleet.workers].every(({ breaker }) => breaker.share === 1)).toBe(true);
});

test('a long prefill sends pings', async () => {
  const response = ask(customer, 'messages', { stream: true });
  const stream = await rig.agent.next();
  await rig.pass(limits.commentAfterMs + 1_000);
  const answer = await response;
  stream.content(PROMPT, 1, 'word');
  stream.finish(PROMPT, 1);
  const types = eventsOf(await answer.text()).map(({ type }) => type);
  expect(types.slice(0, 2)).toEqual(['ping', 'message_start']);
});

test('the key may come as x-api-key, here and for the models alone', async () => {
  const headers = { 'x-api-key': customer.value, 'content-type': 'application/json' };
  const response = ask(customer, 'messages', {}, { headers });
  const stream = await rig.agent.next();
  stream.content(PROMPT, 1, 'word');
  stream.finish(PROMPT, 1);
  expect((await response).status).toBe(200);
  expect((await ask(customer, 'responses', {}, { headers })).status).toBe(401);
  expect((await fetch(`${rig.origin}/v1/models`, { headers })).status).toBe(200);
});

test('errors have the shape and the statuses of this API', async () => {
  const errorOf = async (response: Response) => {
    const body = (await response.json()) as { error: { type: string }; request_id: string };
    expect(body).toMatchObject({ type: 'error', request_id: response.headers.get('request-id') });
    return [response.status, body.error.type];
  };
  const poor = await rig.customer(0n);
  const headers = { 'x-api-key': 'sk-penstock-infapi-x', 'content-type': 'application/json' };
  const unknown = ask(customer, 'messages', { model: 'no/such' });
  expect(await errorOf(await ask(customer, 'messages', { messages: 7 }))).toEqual([
    400,
    'invalid_request_error',
  ]);
  expect(await errorOf(await ask(customer, 'messages', {}, { headers }))).toEqual([
    401,
    'authentication_error',
  ]);
  expect(await errorOf(await ask(poor, 'messages'))).toEqual([402, 'billing_error']);
  expect(await errorOf(await unknown)).toEqual([404, 'not_found_error']);
  const failed = ask(customer, 'messages');
  (await rig.agent.next()).fail();
  expect(await errorOf(await failed)).toEqual([502, 'api_error']);
});

test('a conversation beyond the context is too long in the words that clients of this API know', async () => {
  const asked = ask(customer, 'messages');
  (await rig.agent.next()).fail('context_length');
  const response = await asked;
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  // LangChain and LiteLLM look for the first words.
  expect(error.message).toMatch(/^prompt is too long: This model's maximum context length is \d+/);
});
