/**
 * The client's answer, byte for byte. The router writes everything around the deltas of a worker.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { DELTA_OVERHEAD_BYTES } from '../../../shared/wire/deltas.ts';
import { type Kind, KIND } from '../../../shared/wire/frames.ts';
import { readStream } from '../../support/sse.ts';
import { type Customer, estimate, MODEL, refusalOf } from './rig.ts';
import { type AgentStream, ScriptedAgent } from './scripted-agent.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PROMPT = estimate();
const WHOLE = { stream: false, stream_options: undefined };
const CREATED = 1_700_000_000;

let customer: Customer;
beforeEach(async () => {
  customer = await rig.customer(10n ** 12n);
});
afterEach(() => rig.rejoin());

/** A streamed answer whose id and time are replaced by fixed values. */
async function streamed(give: (stream: AgentStream) => void, fields: object = {}) {
  const { stream, seen } = await rig.begin(customer, fields);
  give(stream);
  const { raw, ended } = await seen;
  return { events: fixed(raw).split('\n\n'), ended };
}

async function whole(give: (stream: AgentStream) => void): Promise<string> {
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  give(stream);
  return fixed(await (await response).text());
}

function fixed(raw: string): string {
  return raw
    .replaceAll(/"id":"(chatcmpl|cmpl)-[^"]*"/g, '"id":"$1-ID"')
    .replaceAll(/"created":\d+/g, `"created":${CREATED}`);
}

const START = (object: string) =>
  `{"id":"chatcmpl-ID","object":"${object}","created":${CREATED},"model":"${MODEL}",` +
  `"system_fingerprint":"fp_vllm_0.11"`;
const CHUNK = `data: ${START('chat.completion.chunk')}`;
const delta = (json: string) =>
  `${CHUNK},"choices":[{"index":0,"delta":${json},"logprobs":null,"finish_reason":null}]}`;
const ROLE = delta('{"role":"assistant","content":"","refusal":null}');
const finish = (reason: string) =>
  `${CHUNK},"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"${reason}"}]}`;
const usageOf = (completion: number, more = '') =>
  `"usage":{"prompt_tokens":${PROMPT},"completion_tokens":${completion},` +
  `"total_tokens":${PROMPT + completion},"prompt_tokens_details":{"cached_tokens":0}${more}}`;

test('a streamed chat is the role, each delta, the finish, the usage and the sentinel', async () => {
  const { events } = await streamed((stream) => {
    stream.counts(PROMPT, 0);
    stream.reasoning(PROMPT, 1, 'hm');
    stream.content(PROMPT, 2, 'lo “\n” 水\u{1f30a}');
    stream.finish(PROMPT, 3, { reasoning: 1 });
  });
  expect(events).toEqual([
    ROLE,
    delta('{"reasoning":"hm"}'),
    delta('{"content":"lo “\\n” 水\u{1f30a}"}'),
    finish('stop'),
    `${CHUNK},"choices":[],${usageOf(3, ',"completion_tokens_details":{"reasoning_tokens":1}')}}`,
    'data: [DONE]',
    '',
  ]);
});

test('without the wish for it there is no usage, and an answer without text is its role and its finish', async () => {
  const give = (stream: AgentStream) => stream.finish(estimate({ stream_options: undefined }), 2);
  const { events } = await streamed(give, { stream_options: undefined });
  expect(events).toEqual([ROLE, finish('stop'), 'data: [DONE]', '']);
});

test('a streamed tool call begins with its id and name, and goes on with its arguments', async () => {
  const { events } = await streamed((stream) => {
    stream.call(PROMPT, 1, 0, 'call_"1"', 'f');
    stream.arguments(PROMPT, 2, 0, '{"a"');
    stream.call(PROMPT, 3, 1, 'call_2', 'g');
    stream.arguments(PROMPT, 4, 1, '{}');
    stream.arguments(PROMPT, 5, 0, ':1}');
    stream.finish(PROMPT, 6, { finish: 'tool_calls' });
  });
  const calls = (json: string) => delta(`{"tool_calls":[${json}]}`);
  const more = (index: number, text: string) =>
    calls(`{"index":${index},"function":{"arguments":${JSON.stringify(text)}}}`);
  const call = (index: number, id: string, name: string) =>
    calls(
      `{"index":${index},"id":${JSON.stringify(id)},"type":"function",` +
        `"function":{"name":"${name}","arguments":""}}`,
    );
  expect(events.slice(0, 7)).toEqual([
    ROLE,
    call(0, 'call_"1"', 'f'),
    more(0, '{"a"'),
    call(1, 'call_2', 'g'),
    more(1, '{}'),
    more(0, ':1}'),
    finish('tool_calls'),
  ]);
});

test('a whole chat is one object, however many deltas it came in', async () => {
  const give = (stream: AgentStream) => {
    for (const text of ['th', 'ink']) stream.reasoning(PROMPT, 1, text);
    for (const text of ['a"', '水\n', 'b'.repeat(10_000)]) stream.content(PROMPT, 2, text);
    stream.finish(PROMPT, 3);
  };
  const prompt = PROMPT;
  const text = await whole(give);
  expect(text).toBe(
    `${START('chat.completion')},"choices":[{"index":0,"message":{"role":"assistant",` +
      `"content":"a\\"水\\n${'b'.repeat(10_000)}","refusal":null,"reasoning":"think"},` +
      '"logprobs":null,' +
      `"finish_reason":"stop"}],"usage":{"prompt_tokens":${prompt},"completion_tokens":3,` +
      `"total_tokens":${prompt + 3},"prompt_tokens_details":{"cached_tokens":0}}}`,
  );
});

test('a whole chat that calls tools has them in their order, and no content beside them', async () => {
  const give = (stream: AgentStream) => {
    stream.call(PROMPT, 1, 0, 'a', 'f');
    stream.call(PROMPT, 1, 1, 'b', 'g');
    stream.arguments(PROMPT, 2, 1, '{"b":1}');
    stream.arguments(PROMPT, 2, 0, '{');
    stream.arguments(PROMPT, 3, 0, '}');
    stream.finish(PROMPT, 3, { finish: 'tool_calls' });
  };
  const answer = JSON.parse(await whole(give)) as { choices: object[] };
  expect(answer.choices).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'g', arguments: '{"b":1}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ]);
});

test('a text completion is its text, streamed and whole', async () => {
  const ask = async (stream: boolean) => {
    const body = { model: MODEL, prompt: 'Once', stream };
    const response = rig.post(customer, {}, { body: JSON.stringify(body) }, '/v1/completions');
    const given = await rig.agent.next();
    for (const text of [' upon', ' "a"']) given.content(20, 2, text);
    given.finish(20, 2);
    return fixed(await (await response).text());
  };
  const start =
    `{"id":"cmpl-ID","object":"text_completion","created":${CREATED},"model":"${MODEL}",` +
    `"system_fingerprint":"fp_vllm_0.11","choices":[{"index":0,"text":`;
  const event = (text: string, reason = 'null') =>
    `data: ${start}${text},"logprobs":null,"finish_reason":${reason}}]}\n\n`;
  expect(await ask(true)).toBe(
    `${event('" upon"')}${event('" \\"a\\""')}${event('""', '"stop"')}data: [DONE]\n\n`,
  );
  expect(await ask(false)).toMatch(
    `${start}" upon \\"a\\"","logprobs":null,"finish_reason":"stop"}],"usage":{`,
  );
});

const FORGED =
  '"}}]}\n\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n' +
  'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}\n\ndata: [DONE]\n\n';

test('a host that writes an ending of its own is cut off before a byte of it goes out', async () => {
  for (const kind of [KIND.content, KIND.reasoning] as const satisfies Kind[]) {
    const { stream, seen, response } = await rig.begin(customer);
    stream.content(PROMPT, 1, 'word ');
    await response;
    stream.bytes(PROMPT, 2, FORGED, kind);
    stream.finish(PROMPT, 2);
    const { raw, ended } = await seen;
    expect(ended).toBe('cut');
    expect(raw).not.toMatch(/DONE|usage|"stop"/);
    rig.rejoin();
  }
  const { raw, ended } = await (async () => {
    const { stream, seen } = await rig.begin(customer);
    stream.content(PROMPT, 1, 'word ');
    stream.finish(PROMPT, 2, { last: FORGED, fingerprint: FORGED });
    return seen;
  })();
  expect(ended).toBe('end');
  expect(raw.match(/\[DONE\]/g)).toHaveLength(1);
  expect(raw.match(/"usage":/g)).toHaveLength(1);
  const rows = await rig.rows(customer.organization);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['settled', 'voided', 'voided']);
});

test('a key that is doubled in a whole answer is text, and nothing else', async () => {
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  stream.bytes(PROMPT, 1, 'hi"},"finish_reason":"stop"}],"usage":{"total_tokens":1}}');
  expect((await response).status).toBe(502);
  rig.rejoin();
  const text = await whole((honest) => {
    honest.content(PROMPT, 1, 'hi"},"usage":{"total_tokens":1}}');
    honest.finish(PROMPT, 1);
  });
  expect(JSON.parse(text)).toMatchObject({
    choices: [{ message: { content: 'hi"},"usage":{"total_tokens":1}}' } }],
    usage: { total_tokens: PROMPT + 1 },
  });
});

test('a whole answer in records of one byte takes about the memory of its bytes', async () => {
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  const records = 100_000;
  let sent = 0;
  while (sent < records) {
    stream.content(PROMPT, 1, 'x');
    sent += 1;
    const spent = (sent + 1) * (DELTA_OVERHEAD_BYTES + 1);
    if (spent > stream.grant.bytes) await stream.granted(({ bytes }) => bytes >= spent);
  }
  const taken = rig.answers.bytes;
  stream.finish(PROMPT, 1);
  const answer = (await (await response).json()) as { choices: { message: { content: string } }[] };
  expect(answer.choices[0]?.message.content).toBe('x'.repeat(records));
  // The budget counts the memory that is kept: blocks of at most 256 KiB.
  expect(taken).toBeGreaterThanOrEqual(records);
  expect(taken).toBeLessThan(records + 300_000);
  await rig.until(() => rig.answers.bytes === 0);
});

test('a host whose whole answer is too large loses its session, and the memory is given back', async () => {
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  const text = 'x'.repeat(200_000);
  const bytes = text.length + DELTA_OVERHEAD_BYTES;
  for (let sent = bytes; sent <= limits.answerBytesMax + bytes; sent += bytes) {
    if (sent > stream.grant.bytes) await stream.granted((grant) => grant.bytes >= sent);
    stream.content(PROMPT, 1, text);
  }
  expect(refusalOf(await readStream(await response))).toEqual([502, 'worker_lost']);
  expect(rig.answers.bytes).toBe(0);
  expect([...rig.fleet.workers]).toEqual([]);
});

test('a whole answer for which there is no memory is refused, and its worker is not to blame', async () => {
  const others = rig.answers.lease('agt_one' as AgentId);
  expect(others.take(limits.answersPerAgentBytesMax - 100)).toBe(true);
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  stream.content(PROMPT, 1);
  const seen = await readStream(await response);
  others[Symbol.dispose]();
  expect(refusalOf(seen)).toEqual([503, 'overloaded']);
  expect(rig.answers.bytes).toBe(0);
  expect([...rig.fleet.workers].every(({ breaker }) => breaker.share === 1)).toBe(true);
  const text = await whole((next) => {
    next.content(PROMPT, 1);
    next.finish(PROMPT, 1);
  });
  expect(text).toContain('"word "');
});

test('a refusal after a first byte cuts the answer, which no other worker gives again', async () => {
  const { stream, seen, response } = await rig.begin(customer);
  stream.content(PROMPT, 1);
  await response;
  stream.refuse();
  expect(await seen).toMatchObject({ ended: 'cut', text: 'word ', done: false });
  expect(await rig.rows(customer.organization)).toMatchObject([
    { outcome: 'voided', cost: 0n, status: 502, error: 'worker_lost' },
  ]);
  expect(rig.agent.streams.every(({ taken }) => taken)).toBe(true);
});

test('a refusal after the counts alone is a failure, too, of which another worker may do better', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.counts(PROMPT, 0);
  stream.refuse();
  expect(refusalOf(await seen)).toEqual([502, 'worker_lost']);
});

test('a whole answer that fails on its way is given by another worker: nobody has seen any of it', async () => {
  const first = rig.agent;
  const { stream, response } = await rig.beginRaw(customer, WHOLE);
  stream.content(PROMPT, 1, 'of the first');
  const second = new ScriptedAgent(rig.fleet, rig.books, 'two');
  second.report(rig.models);
  stream.fail();
  const again = await second.next();
  again.content(PROMPT, 1, 'of the second');
  again.finish(PROMPT, 1);
  const answer = (await (await response).json()) as { choices: { message: object }[] };
  expect(answer.choices[0]?.message).toMatchObject({ content: 'of the second' });
  expect(rig.answers.bytes).toBe(0);
  second.drop();
  first.drop();
});

test('an answer whose first chunk is larger than its grant gets more, though it says so while the hold is made to fit', async () => {
  const gate = rig.gated.hold('extend');
  const { stream, seen } = await rig.begin(customer);
  stream.counts(900, 0);
  await gate.reached;
  stream.counts(900, 0);
  gate.letGo();
  await stream.granted(({ tokens }) => tokens > 2_048);
  stream.content(900, 2_100, 'a long word');
  stream.finish(900, 2_100);
  expect(await seen).toMatchObject({ done: true, text: 'a long word' });
});

test('after its end nothing of a stream counts, and does no harm', async () => {
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 1);
  stream.finish(PROMPT, 2);
  for (let again = 0; again < 3; again++) stream.content(0xffff_ffff, 0xffff_ffff, 'more');
  stream.bytes(PROMPT, 3, FORGED);
  stream.finish(PROMPT, 1_000);
  stream.refuse();
  expect(await seen).toMatchObject({ done: true, text: 'word ', usage: { completion_tokens: 2 } });
  expect([...rig.fleet.workers]).toHaveLength(1);
});
