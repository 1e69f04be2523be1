/** What clients are told beside an answer, in the words and headers that they act on. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { RequestMetrics } from '../../../router/request/metrics.ts';
import { refuseCounted } from '../../../router/request/refuse.ts';
import { Reply } from '../../../router/request/reply.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { Refusal, REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { bodyOf, type Customer, estimate, MODEL } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;

type Told = { error: { code: string; param: string | null; message: string } };

async function errorOf(response: Response | Promise<Response>) {
  const answer = await response;
  const { error } = (await answer.json()) as Told;
  return { status: answer.status, ...error };
}

/** The headers of a refusal, as a client receives them. */
async function headersOf(refusal: Refusal): Promise<Headers> {
  const parts = {
    metrics: new RequestMetrics({
      registry: new Registry(),
      now: () => systemClock.now(),
      history: new HistoryRecorder(),
    }),
    log: makeLog('test', 'silent'),
    clock: systemClock,
    dashboard: () => '',
  };
  const server = createServer((request, response) => {
    const reply = new Reply(request, response, {
      requestId: 'req_1' as RequestId,
      api: 'chat',
      clock: systemClock,
    });
    const labels = { region: 'global', model: null, streamed: null } as const;
    refuseCounted(parts, reply, refusal, { labels, organization: null });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await response.text();
  server.closeAllConnections();
  await new Promise<void>((closed) => server.close(() => closed()));
  return response.headers;
}

test.each<[RefusalCode, string]>([
  ['key_limit_reached', 'false'],
  ['workers_died', 'false'],
  ['insufficient_credit', 'false'],
  ['rate_limited', 'true'],
  ['overloaded', 'true'],
])('whether %s is worth a retry: %s', async (code, retry) => {
  expect((await headersOf(new Refusal(code))).get('x-should-retry')).toBe(retry);
  expect(String(REFUSALS[code].retry)).toBe(retry);
});

test('no client is told to wait longer than clients do', async () => {
  const waitOf = async (retryAfterS: number) =>
    (await headersOf(new Refusal('rate_limited', { retryAfterS }))).get('retry-after');
  expect([await waitOf(61), await waitOf(60), await waitOf(1)]).toEqual(['60', '60', '1']);
});

/** What LiteLLM, LangChain (Python, JavaScript) and pi look for in the text. */
const OVERFLOWS = [
  /this model's maximum context length is \d+ tokens/i,
  /please reduce the length of the messages/i,
  /context_length_exceeded/,
];

test('a chat beyond the context says so in the words that clients know', async () => {
  const messages = [{ role: 'user', content: 'word '.repeat(60_000) }];
  const counted = await rig.beginRaw(await rig.customer(RICH), { messages, max_tokens: 60_000 });
  counted.stream.content(250_000, 1);
  const byRouter = await errorOf(counted.response);
  const refused = await rig.beginRaw(await rig.customer(RICH));
  refused.stream.fail('context_length');
  const byEngine = await errorOf(refused.response);
  for (const { status, code, message } of [byRouter, byEngine]) {
    expect([status, code]).toEqual([400, 'context_length_exceeded']);
    for (const words of OVERFLOWS) expect(message).toMatch(words);
  }
  expect(byRouter.message).toContain('You asked for 250000 tokens of messages, and 60000 for the');
});

test('an unknown model is named', async () => {
  const told = await errorOf(rig.post(await rig.customer(RICH), { model: 'qwen/none' }));
  expect([told.status, told.param]).toEqual([404, 'model']);
  expect(told.message).toContain('"qwen/none"');
});

test('a key without the word Bearer is told what is missing', async () => {
  const { value } = await rig.customer(RICH);
  for (const authorization of [value, `Basic ${value}`]) {
    const told = await errorOf(fetch(`${rig.origin}/v1/models`, { headers: { authorization } }));
    expect([told.status, told.code]).toEqual([401, 'invalid_api_key']);
    expect(told.message).toContain('Bearer <API_KEY>');
    expect(told.message).not.toContain(value);
  }
});

const chatWith = (customer: Customer, encoding: string, body: string | Buffer) =>
  rig.post(
    customer,
    {},
    {
      headers: {
        authorization: `Bearer ${customer.value}`,
        'content-encoding': encoding,
        'content-type': 'application/json',
      },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    },
  );

test('a compressed body is not decompressed, and its client is told what to send', async () => {
  const customer = await rig.customer(RICH);
  for (const encoding of ['gzip', 'br']) {
    const told = await errorOf(chatWith(customer, encoding, gzipSync(bodyOf({}))));
    expect([told.status, told.code]).toEqual([400, 'unsupported_encoding']);
    expect(told.message).toContain('plain JSON');
  }
  const plain = chatWith(customer, 'identity', bodyOf({}));
  const stream = await rig.agent.next();
  stream.finish(estimate(), 1);
  expect((await plain).status).toBe(200);
});

test('log probabilities are refused where the model does not list them', async () => {
  const customer = await rig.customer(RICH);
  for (const fields of [{ logprobs: true }, { top_logprobs: 2 }]) {
    const told = await errorOf(rig.post(customer, fields));
    expect([told.status, told.code]).toEqual([400, 'unsupported_parameter']);
    expect(told.param).toBe(Object.keys(fields)[0]);
  }
});

test('reasoning that is declined is no fault where there is none', async () => {
  const { stream, response } = await rig.begin(await rig.customer(RICH), {
    reasoning: { enabled: false },
  });
  stream.finish(estimate({ reasoning: { enabled: false } }), 1);
  expect((await response).status).toBe(200);
});

test('parameters that are ignored are in a header, and an answer without any has none', async () => {
  const customer = await rig.customer(RICH);
  const told = async (fields: object) => {
    const { stream, response } = await rig.begin(customer, fields);
    stream.finish(estimate(fields), 1);
    return (await response).headers.get('x-ignored-parameters');
  };
  expect(await told({ ignore_eos: true, min_tokens: 5 })).toBe('ignore_eos, min_tokens');
  expect(await told({ ignore_eos: false, frobnicate: 1 })).toBeNull();
});

test('a list of one prompt is served as the prompt', async () => {
  const customer = await rig.customer(RICH);
  const body = JSON.stringify({ model: MODEL, prompt: ['Once'], echo: false, best_of: 1 });
  const response = rig.post(customer, {}, { body }, '/v1/completions');
  const stream = await rig.agent.next();
  stream.content(20, 1, ' upon');
  stream.finish(20, 1);
  expect(await (await response).json()).toMatchObject({ choices: [{ text: ' upon' }] });
});
