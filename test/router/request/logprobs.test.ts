/** Log probabilities of tokens, as clients get them from models that list them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { limits } from '../../../shared/limits.ts';
import { escaped } from '../../../shared/wire/escaped.ts';
import { KIND } from '../../../shared/wire/frames.ts';
import { packLogprobs, type TokenLogprob } from '../../../shared/wire/logprobs.ts';
import { readStream } from '../../support/sse.ts';
import { type Customer, estimate, MODEL, RequestRig } from './rig.ts';
import type { AgentStream } from './scripted-agent.ts';

const HAS = { reportsLogprobs: true } as const;
const PROMPT = estimate();

let rig: RequestRig;
let customer: Customer;
let catalog: string;

/** A model whose answer may take its whole context, and one that thinks only on demand. */
const SMALL = 'lab/small';
const QUIET = 'lab/quiet';
const MORE_MODELS = `
  - id: ${SMALL}
    name: Small
    hub_model_id: lab/small
    created: 1753056000
    input_modalities: [text]
    quantization: bf16
    context_length: 4096
    max_output_length: 4096
    pricing: &cheap { prompt: "0.000001", completion: "0.000001", input_cache_read: "0.000001" }
    supported_sampling_parameters: *sampling
    supported_features: []
    description: A model with a small context.
  - id: ${QUIET}
    name: Quiet
    hub_model_id: lab/quiet
    created: 1753056000
    input_modalities: [text]
    quantization: bf16
    context_length: 4096
    max_output_length: 4096
    pricing: *cheap
    supported_sampling_parameters: *sampling
    supported_features: [reasoning]
    thinking: gemma
    description: A model that thinks if a request asks for it.
`;

/** The catalog, whose first list of parameters has log probabilities, with two more models. */
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-logprobs-'));
  catalog = join(folder, 'catalog.yaml');
  const shipped = await readFile('configs/catalog.yaml', 'utf8');
  const listed = shipped.replace('stop, seed]', 'stop, seed, logprobs, top_logprobs]');
  await writeFile(catalog, `${listed}${MORE_MODELS}`);
  rig = await RequestRig.start({}, undefined, undefined, catalog);
  return async () => {
    await rig[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  };
});

beforeEach(async () => {
  rig.agent.report([...rig.models, SMALL, QUIET], HAS);
  customer = await rig.customer(10n ** 12n);
});

function token(text: string | number[], others: readonly string[] = []): TokenLogprob {
  const bytes = typeof text === 'string' ? [...Buffer.from(text)] : text;
  const top_logprobs = others.map((other, at) => ({
    logprob: -at - 1,
    bytes: [...Buffer.from(other)],
  }));
  return { logprob: -0.25, bytes, top_logprobs };
}

/** Sends text with the tokens that it consists of, or those that came before it. */
function say(stream: AgentStream, completion: number, text: string, tokens: TokenLogprob[]) {
  const [prefix] = packLogprobs(tokens) as [Buffer];
  const bytes = Buffer.concat([prefix, Buffer.from(escaped(text))]);
  stream.bytes(PROMPT, completion, bytes, KIND.logprobs);
}

/** "The 🚢", whose second character has two tokens. */
function answer(stream: AgentStream) {
  say(stream, 1, 'The', [token('The', ['The', 'A "'])]);
  stream.content(PROMPT, 2, ' ');
  say(stream, 4, '🚢', [token([0xf0, 0x9f]), token([0x9a, 0xa2])]);
  stream.finish(PROMPT, 4);
}

/** As the published types have it, and so are the other shapes below. */
const SHIP: OpenAI.ChatCompletionTokenLogprob[] = [
  {
    token: 'The',
    logprob: -0.25,
    bytes: [84, 104, 101],
    top_logprobs: [
      { token: 'The', logprob: -1, bytes: [84, 104, 101] },
      { token: 'A "', logprob: -2, bytes: [65, 32, 34] },
    ],
  },
  { token: '\uFFFD', logprob: -0.25, bytes: [0xf0, 0x9f], top_logprobs: [] },
  { token: '\uFFFD\uFFFD', logprob: -0.25, bytes: [0x9a, 0xa2], top_logprobs: [] },
];

/** A model that thinks, and whose thinking can be turned off. */
const THINKER = 'qwen/qwen3.5-397b-a17b';
const ASKED = { logprobs: true, top_logprobs: 2 };

test('a stream has the log probabilities of the text of each chunk', async () => {
  const { stream, seen } = await rig.begin(customer, ASKED);
  expect(stream.open.topLogprobs).toBe(2);
  answer(stream);
  const { chunks, text } = await seen;
  expect(text).toBe('The 🚢');
  const shown = chunks.flatMap(({ choices }) => choices);
  expect(shown.map(({ logprobs }) => logprobs)).toEqual([
    null,
    {
      content: SHIP.slice(0, 1),
      refusal: null,
    } satisfies OpenAI.ChatCompletionChunk.Choice.Logprobs,
    null,
    { content: SHIP.slice(1), refusal: null },
    null,
  ]);
});

test('the official client reads them, streamed and whole, and nothing else is charged', async () => {
  const client = new OpenAI({ baseURL: `${rig.origin}/v1`, apiKey: customer.value, maxRetries: 0 });
  const chat = { model: MODEL, messages: [{ role: 'user' as const, content: 'Hi' }] };
  const whole = client.chat.completions.create({ ...chat, ...ASKED });
  answer(await rig.agent.next());
  const { choices, usage } = await whole;
  const all: OpenAI.ChatCompletion.Choice.Logprobs = { content: SHIP, refusal: null };
  expect(choices[0]?.logprobs).toEqual(all);
  const streamed = client.chat.completions.stream({ ...chat, ...ASKED });
  answer(await rig.agent.next());
  const final = await streamed.finalChatCompletion();
  expect(final.choices[0]?.logprobs?.content).toEqual(SHIP);
  const plain = client.chat.completions.create(chat);
  const stream = await rig.agent.next();
  expect(stream.open).not.toHaveProperty('topLogprobs');
  stream.content(PROMPT, 4, 'The 🚢');
  stream.finish(PROMPT, 4);
  expect((await plain).usage).toEqual(usage);
  expect((await plain).choices[0]?.logprobs).toBeNull();
});

test('a text completion has them in the older shape', async () => {
  const body = { prompt: 'Once', messages: undefined, logprobs: 2 };
  const ask = (stream: boolean) =>
    rig.post(customer, { ...body, stream, stream_options: undefined }, {}, '/v1/completions');
  const whole = ask(false);
  answer(await rig.agent.next());
  const { choices } = (await (await whole).json()) as { choices: { logprobs: unknown }[] };
  expect(choices[0]?.logprobs).toEqual({
    tokens: ['The', '\uFFFD', '\uFFFD\uFFFD'],
    token_logprobs: [-0.25, -0.25, -0.25],
    top_logprobs: [{ The: -1, 'A "': -2 }, {}, {}],
    text_offset: [0, 4, 5],
  } satisfies OpenAI.CompletionChoice.Logprobs);
  const streamed = ask(true);
  answer(await rig.agent.next());
  const { chunks } = await readStream(await streamed);
  expect(chunks[0]?.choices[0]?.logprobs).toEqual({
    tokens: ['The'],
    token_logprobs: [-0.25],
    top_logprobs: [{ The: -1, 'A "': -2 }],
    text_offset: [0],
  });
});

test('their bytes are no text that a host may bill', async () => {
  const billed = { prompt: { least: 0, most: 10_000 }, completion: { least: 0, most: 0 } };
  const own = await RequestRig.start({}, billed, undefined, catalog);
  await using _ = own;
  own.agent.report(own.models, HAS);
  const { stream, seen } = await own.begin(await own.customer(10n ** 12n), ASKED);
  say(stream, 4, 'The', [token('The', ['The', 'A'])]);
  stream.finish(PROMPT, 50);
  expect((await seen).usage).toMatchObject({ completion_tokens: 3 });
});

test('a whole answer has a limit of log probabilities, which a longer stream does not have', async () => {
  const asked = { logprobs: true, top_logprobs: 4 };
  const most = limits.logprobsPerAnswerMax / 5;
  const refused = await rig.post(customer, { ...asked, stream: false, max_tokens: most + 1 });
  const { error } = (await refused.json()) as { error: { param: string; message: string } };
  expect([refused.status, error.param]).toEqual([400, 'max_tokens']);
  const whole = rig.post(customer, { ...asked, stream: false, max_tokens: undefined });
  const stream = await rig.agent.next();
  expect(stream.open.maxTokens).toBe(most);
  answer(stream);
  expect((await whole).status).toBe(200);
  const streamed = await rig.begin(customer, { ...asked, max_tokens: most + 1 });
  expect(streamed.stream.open.maxTokens).toBe(most + 1);
  answer(streamed.stream);
  expect((await streamed.seen).text).toBe('The 🚢');
});

test('without max_tokens, a whole answer has at most as many tokens as fit the context', async () => {
  const asked = { logprobs: true, top_logprobs: 20, stream: false, max_tokens: undefined };
  const messages = [{ role: 'user', content: 'word '.repeat(1_000) }];
  const whole = rig.post(customer, { ...asked, model: SMALL, messages });
  const stream = await rig.agent.next();
  expect(stream.open).toMatchObject({ maxTokens: null });
  stream.content(4_000, 1, 'a');
  await rig.until(() => stream.grants.length > 1);
  expect(stream.grants.at(-1)).toMatchObject({ tokens: 96, final: true });
  stream.finish(4_000, 1);
  expect((await whole).status).toBe(200);
});

test('a whole answer is cut where its log probabilities end, and ends with `length`', async () => {
  const asked = { logprobs: true, top_logprobs: 20, stream: false, max_tokens: undefined };
  const whole = rig.post(customer, { ...asked, model: SMALL });
  const stream = await rig.agent.next();
  const most = Math.floor(limits.logprobsPerAnswerMax / 21);
  expect(stream.open.grant).toMatchObject({ tokens: most, final: true });
  stream.content(PROMPT, most, 'a');
  stream.finish(PROMPT, most, { finish: 'length', cut: true });
  expect(await (await whole).json()).toMatchObject({
    choices: [{ finish_reason: 'length' }],
    usage: { completion_tokens: most },
  });
});

test('a model that thinks on demand has them, unless the request demands it', async () => {
  const asked = { ...ASKED, model: QUIET };
  const refused = await rig.post(customer, { ...asked, reasoning: { effort: 'low' } });
  expect(refused.status).toBe(400);
  const { stream, seen } = await rig.begin(customer, asked);
  answer(stream);
  expect((await seen).text).toBe('The 🚢');
});

test('a model that reasons has them only if the request turns its reasoning off', async () => {
  const asked = { ...ASKED, model: THINKER };
  const refused = await rig.post(customer, asked);
  const { error } = (await refused.json()) as { error: { code: string; param: string } };
  expect([refused.status, error.code, error.param]).toEqual([
    400,
    'unsupported_parameter',
    'logprobs',
  ]);
  const { stream, seen } = await rig.begin(customer, { ...asked, reasoning: { enabled: false } });
  answer(stream);
  expect((await seen).text).toBe('The 🚢');
});

/** A model that lists neither. */
const OTHER = 'moonshotai/kimi-k2.5';

test('alternatives alone are a fault, and so is a request to a model that does not list them', async () => {
  const refusedFor = async (fields: object) => {
    const response = await rig.post(customer, fields);
    const { error } = (await response.json()) as { error: { code: string; param: string } };
    return [response.status, error.code, error.param];
  };
  expect(await refusedFor({ top_logprobs: 2 })).toEqual([400, 'invalid_value', 'top_logprobs']);
  const [status, code, param] = await refusedFor({ ...ASKED, top_logprobs: 21 });
  expect([status, code, param]).toEqual([400, 'invalid_value', 'top_logprobs']);
  for (const fields of [{ logprobs: true }, { top_logprobs: 2 }]) {
    const [name] = Object.keys(fields);
    const refused = await refusedFor({ model: OTHER, ...fields });
    expect(refused).toEqual([400, 'unsupported_parameter', name]);
  }
});

test('a host that does not count tokens as they come gets no requests for them', async () => {
  rig.agent.report(rig.models, { ...HAS, runningUsage: false });
  expect((await rig.post(customer, ASKED)).status).toBe(503);
});

test('an older agent gets only requests without log probabilities', async () => {
  rig.agent.report(rig.models);
  const refused = await rig.post(customer, ASKED);
  expect(refused.status).toBe(503);
  const { stream, seen } = await rig.begin(customer);
  stream.content(PROMPT, 1, 'a');
  stream.finish(PROMPT, 1);
  expect((await seen).text).toBe('a');
});

test('a request for them waits for a host that has them', async () => {
  rig.agent.report(rig.models, { slots: 1, ...HAS });
  const first = await rig.begin(customer, ASKED);
  const second = rig.begin(customer, ASKED);
  answer(first.stream);
  await first.seen;
  answer((await second).stream);
  expect((await (await second).seen).text).toBe('The 🚢');
});

test('a host that sends them unasked loses its session, and its stream is cut', async () => {
  const { stream, response } = await rig.beginRaw(customer);
  stream.content(PROMPT, 1, 'a');
  const answered = await response;
  say(stream, 2, 'b', [token('b')]);
  expect(await readStream(answered)).toMatchObject({ text: 'a', ended: 'cut', done: false });
  rig.rejoin();
});
