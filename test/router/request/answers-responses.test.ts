/** The answers of the Responses API, event by event. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { ask, cut, streamed } from './events.ts';
import { type Customer, MODEL } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PROMPT = 20;
const USAGE = {
  input_tokens: PROMPT,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 6,
  output_tokens_details: { reasoning_tokens: 1 },
  total_tokens: PROMPT + 6,
};

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.rejoin());

/** Reasoning, text and two calls whose arguments alternate. */
function everything(stream: AgentStream): void {
  stream.reasoning(PROMPT, 1, 'hm');
  stream.content(PROMPT, 2, 'I “');
  stream.content(PROMPT, 2, 'read”\n');
  stream.call(PROMPT, 3, 0, 'call_"1"', 'read');
  stream.arguments(PROMPT, 4, 0, '{"file"');
  stream.call(PROMPT, 4, 1, 'call_2', 'list');
  stream.arguments(PROMPT, 5, 1, '{}');
  stream.arguments(PROMPT, 6, 0, ':"a"}');
  stream.finish(PROMPT, 6, { finish: 'tool_calls', reasoning: 1 });
}

const output = (id: string) => [
  {
    id: `rs_${id}_0`,
    type: 'reasoning',
    status: 'completed',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'hm' }],
  },
  {
    id: `msg_${id}_1`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'I “read”\n' }],
  },
  {
    id: `fc_${id}_2`,
    type: 'function_call',
    status: 'completed',
    call_id: 'call_"1"',
    name: 'read',
    arguments: '{"file":"a"}',
  },
  {
    id: `fc_${id}_3`,
    type: 'function_call',
    status: 'completed',
    call_id: 'call_2',
    name: 'list',
    arguments: '{}',
  },
];

test('a stream has the typed events of each item, numbered, and the whole response at its end', async () => {
  const { events, requestId, ended } = await streamed(customer, 'responses', everything);
  expect(ended).toBe('end');
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
  const at = (event: object) => ('output_index' in event ? ` ${String(event.output_index)}` : '');
  expect(events.map((event) => `${event.type.slice('response.'.length)}${at(event)}`)).toEqual([
    'created',
    'in_progress',
    'output_item.added 0',
    'content_part.added 0',
    'reasoning_text.delta 0',
    'reasoning_text.done 0',
    'content_part.done 0',
    'output_item.done 0',
    'output_item.added 1',
    'content_part.added 1',
    'output_text.delta 1',
    'output_text.delta 1',
    'output_text.done 1',
    'content_part.done 1',
    'output_item.done 1',
    'output_item.added 2',
    'function_call_arguments.delta 2',
    'output_item.added 3',
    'function_call_arguments.delta 3',
    'function_call_arguments.delta 2',
    'function_call_arguments.done 2',
    'output_item.done 2',
    'function_call_arguments.done 3',
    'output_item.done 3',
    'completed',
  ]);
  const id = (requestId as string).slice('req_'.length);
  const items = output(id);
  const place = { item_id: `msg_${id}_1`, output_index: 1, content_index: 0 };
  expect(events[10]).toEqual({
    type: 'response.output_text.delta',
    ...place,
    logprobs: [],
    delta: 'I “',
    sequence_number: 10,
  });
  expect(events[13]).toMatchObject({ ...place, part: items[1]?.content?.[0] });
  expect(events[8]).toMatchObject({ item: { ...items[1], status: 'in_progress', content: [] } });
  expect(events[15]).toMatchObject({ item: { ...items[2], status: 'in_progress', arguments: '' } });
  expect(events[20]).toMatchObject({
    item_id: `fc_${id}_2`,
    name: 'read',
    arguments: '{"file":"a"}',
  });
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  expect(done.map(({ item }) => item)).toEqual(items);
  const head = { id: `resp_${id}`, object: 'response', model: MODEL, store: false, error: null };
  expect(events[0]).toMatchObject({
    response: { ...head, status: 'in_progress', completed_at: null, output: [], usage: null },
  });
  expect(events.at(-1)).toMatchObject({
    response: { ...head, status: 'completed', output: items, usage: USAGE },
  });
});

test('a whole response is what a stream ends with', async () => {
  const response = ask(customer, 'responses', { temperature: 0.5, metadata: { run: '7' } });
  everything(await rig.agent.next());
  const answer = await response;
  const id = (answer.headers.get('x-request-id') as string).slice('req_'.length);
  expect(await answer.json()).toMatchObject({
    id: `resp_${id}`,
    object: 'response',
    status: 'completed',
    incomplete_details: null,
    model: MODEL,
    temperature: 0.5,
    metadata: { run: '7' },
    store: false,
    output: output(id),
    usage: USAGE,
  });
});

test('a response has every member that Open Responses requires, with what was asked in it', async () => {
  const response = ask(customer, 'responses', { presence_penalty: 0.5, max_output_tokens: 9 });
  everything(await rig.agent.next());
  const answer = (await (await response).json()) as { created_at: number; completed_at: number };
  expect(answer).toMatchObject({
    top_logprobs: 0,
    presence_penalty: 0.5,
    frequency_penalty: 0,
    // The engine chooses them.
    temperature: null,
    top_p: null,
    max_output_tokens: 9,
    max_tool_calls: null,
    service_tier: 'default',
    safety_identifier: null,
    prompt_cache_key: null,
  });
  expect(answer.completed_at).toBeGreaterThanOrEqual(answer.created_at);
});

test('an answer that reached its limit is incomplete, streamed and whole', async () => {
  const give = (stream: AgentStream) => {
    stream.content(PROMPT, 1, 'cut');
    stream.finish(PROMPT, 1, { finish: 'length' });
  };
  const incomplete = {
    status: 'incomplete',
    completed_at: null,
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ type: 'message', status: 'incomplete', content: [{ text: 'cut' }] }],
  };
  const { events } = await streamed(customer, 'responses', give);
  expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: incomplete });
  const response = ask(customer, 'responses');
  give(await rig.agent.next());
  expect(await (await response).json()).toMatchObject(incomplete);
});

test('of texts and thoughts that alternate without end, each goes on in the last of its kind', async () => {
  const deltas = 400;
  const { events, raw } = await streamed(customer, 'responses', (stream) => {
    for (let nth = 1; nth <= deltas; nth++) {
      if (nth % 2 === 0) stream.content(PROMPT, nth, `${nth} `);
      else stream.reasoning(PROMPT, nth, `${nth} `);
      if (nth === deltas / 2) stream.call(PROMPT, nth, 0, 'call_1', 'read');
    }
    stream.finish(PROMPT, deltas, { finish: 'tool_calls' });
  });
  expect(raw.length).toBeLessThan(deltas * 500);
  expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index));
  const { output: items } = (
    events.at(-1) as unknown as {
      response: { output: { type: string; content?: { text: string }[] }[] };
    }
  ).response;
  expect(items.length).toBeLessThan(100);
  const wordsOf = (type: string) =>
    items.map((item) => (item.type === type ? (item.content?.[0]?.text ?? '') : '')).join('');
  const numbers = Array.from({ length: deltas }, (_, index) => index + 1);
  const said = (rest: number) => numbers.filter((nth) => nth % 2 === rest).join(' ');
  expect([wordsOf('reasoning').trim(), wordsOf('message').trim()]).toEqual([said(1), said(0)]);
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  expect(done.map(({ item }) => item)).toHaveLength(items.length);
  expect(done.map(({ item }) => item)).toEqual(expect.arrayContaining(items));
  const texts = new Map<unknown, string>();
  for (const { type, item_id: id, delta } of events) {
    if (type.endsWith('.delta')) texts.set(id, (texts.get(id) ?? '') + String(delta));
  }
  expect([...texts.values()]).toEqual(items.flatMap(({ content }) => content?.[0]?.text ?? []));
});

test('cached tokens are a part of the input tokens', async () => {
  const input = 'a'.repeat(6_000);
  const usageOf = async (cached: number) => {
    const response = ask(customer, 'responses', { input });
    const stream = await rig.agent.next();
    stream.content(2_000, 1, 'word');
    stream.finish(2_000, 1, { cached });
    return ((await (await response).json()) as { usage: object }).usage;
  };
  await usageOf(0);
  expect(await usageOf(1_990)).toMatchObject({
    input_tokens: 2_000,
    input_tokens_details: { cached_tokens: 1_990 },
  });
});

test('an answer without text has an empty message', async () => {
  const { events } = await streamed(customer, 'responses', (stream) => stream.finish(PROMPT, 1));
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: [{ type: 'message', content: [{ text: '' }] }] },
  });
});

test('reasoning comes with encrypted content for clients that ask for it', async () => {
  const { events } = await streamed(
    customer,
    'responses',
    (stream) => {
      stream.reasoning(PROMPT, 1, 'h"m');
      stream.content(PROMPT, 2, 'Hi.');
      stream.finish(PROMPT, 2);
    },
    { include: ['reasoning.encrypted_content'] },
  );
  const done = events.find(({ type }) => type === 'response.output_item.done');
  expect(done).toMatchObject({ item: { encrypted_content: 'reasoning:h"m' } });
});

test('a call of a function of a group names the group, and no other call does', async () => {
  const tools = [
    { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'close' }] },
    { type: 'function', name: 'agents__read' },
  ];
  const calls = (stream: AgentStream): void => {
    stream.call(PROMPT, 1, 0, 'call_1', 'agents__close');
    stream.arguments(PROMPT, 2, 0, '{}');
    stream.call(PROMPT, 3, 1, 'call_2', 'agents__read');
    stream.arguments(PROMPT, 4, 1, '{}');
    stream.finish(PROMPT, 4, { finish: 'tool_calls' });
  };
  const items = [
    { type: 'function_call', name: 'close', namespace: 'agents' },
    { type: 'function_call', name: 'agents__read' },
  ];
  const { events } = await streamed(customer, 'responses', calls, { tools });
  const added = events.filter(({ type }) => type === 'response.output_item.added');
  expect(added.map(({ item }) => item)).toMatchObject(items);
  expect(added[1]?.['item']).not.toHaveProperty('namespace');
  expect(events.at(-1)).toMatchObject({ response: { output: items } });
  const response = ask(customer, 'responses', { tools });
  calls(await rig.agent.next());
  expect(await (await response).json()).toMatchObject({ output: items });
});

test('a stream that is cut has completed no call and no response, and is free', async () => {
  const { events, ended } = await cut(customer, 'responses', (stream) => {
    stream.call(PROMPT, 1, 0, 'call_1', 'read');
    stream.arguments(PROMPT, 2, 0, '{}');
  });
  expect(ended).toBe('cut');
  expect(events.at(-1)).toMatchObject({ type: 'response.function_call_arguments.delta' });
  const rows = await rig.rows(customer.organization);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['voided']);
});

test('a stream for which there is no memory is refused, and its worker is not to blame', async () => {
  const others = rig.answers.lease('agt_one' as AgentId);
  expect(others.take(limits.answersPerAgentBytesMax - 100)).toBe(true);
  const response = ask(customer, 'responses', { stream: true });
  (await rig.agent.next()).content(PROMPT, 1, 'word');
  const answer = await response;
  others[Symbol.dispose]();
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await answer.json()).toMatchObject({ error: { code: 'overloaded' } });
  expect([...rig.fleet.workers].every(({ breaker }) => breaker.share === 1)).toBe(true);
});

test('errors have the shape of OpenAI', async () => {
  const response = await ask(customer, 'responses', { previous_response_id: 'resp_1' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: {
      type: 'invalid_request_error',
      code: 'unsupported_parameter',
      param: 'previous_response_id',
    },
    request_id: response.headers.get('x-request-id'),
  });
  const long = await ask(customer, 'responses', { max_output_tokens: 10_000_000 });
  expect(await long.json()).toMatchObject({ error: { param: 'max_output_tokens' } });
});
