/** What becomes of each parameter of a chat completion: as `docs/inference/parameters.md` says. */
import { beforeAll, expect, test } from 'vitest';
import { engineBody } from '../../../agent/engine/body.ts';
import { vllm } from '../../../agent/engine/dialects/vllm.ts';
import type { JsonObject } from '../../../agent/engine/json.ts';
import { planThinking } from '../../../agent/engine/reasoning.ts';
import { isFault } from '../../../router/request/reading/fault.ts';
import { type Facts, readRequest } from '../../../router/request/reading/read.ts';
import { NOT_OFFERED } from '../../../shared/api/parameters.ts';
import type { Thinking } from '../../../shared/catalog.ts';
import { THINKER } from '../../agent/support/fake-router.ts';
import { type Fate, type Row, ROWS } from './parameter-rows.ts';
import { bodyOf, type Customer, SEEING } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let customer: Customer;
beforeAll(async () => {
  customer = await rig.customer(10n ** 12n);
});

/** A request without options of its own. */
const PLAIN = { model: SEEING, stream: undefined, stream_options: undefined };
const THINKING: Thinking = {
  toggle: 'enable_thinking',
  default: 'on',
  can_disable: true,
  efforts: [],
  effort_field: null,
  budget: false,
};

/** What the router finds in a body, and the body that an agent builds from it for its engine. */
function madeOf(fields: object): Readonly<{ facts: Facts; engine: object }> {
  const text = bodyOf({ ...PLAIN, ...fields });
  const read = readRequest({ bytes: new TextEncoder().encode(text), api: 'chat', salt: '' });
  if (isFault(read)) throw new Error(`${read.code}: ${String(read.param)}`);
  const { facts } = read;
  const client = JSON.parse(text) as JsonObject;
  const open = {
    type: 'open',
    stream: 1,
    request: 'req_1',
    attempt: 1,
    worker: 'one',
    model: SEEING,
    endpoint: 'chat',
    streamed: facts.streamed,
    completionId: 'chatcmpl-1',
    maxTokens: facts.asked.maxTokens,
    salt: '0'.repeat(32),
    bodyBytes: 1_000,
    chunks: '',
    promptTokens: 1,
    uncachedTokens: 1,
    grant: { tokens: 1, bytes: 1, final: false },
  } as const;
  const model = { model: THINKER, served: 'served', contextLength: 1_000 };
  const { fields: thinking } = planThinking(client['reasoning'], THINKING, vllm.thinking);
  return { facts, engine: engineBody({ open, client, model, id: '1', dialect: vllm, thinking }) };
}

/** Sends the request, and has it answered when it is not refused. */
async function told({ base, asked }: Row) {
  const response = rig.post(customer, { ...PLAIN, ...base, ...asked });
  const answered = rig.agent.next().then((stream) => stream.finish(20, 1));
  const answer = await Promise.race([response, answered.then(() => response)]);
  const { error } = answer.ok ? { error: null } : await errorOf(answer);
  await answer.body?.cancel();
  return { status: answer.status, ignored: answer.headers.get('x-ignored-parameters'), error };
}

async function errorOf(answer: Response) {
  return (await answer.clone().json()) as { error: { code: string; param: string } };
}

const named = (fate: Fate) =>
  ROWS.flatMap((row) => (row.fate === fate ? [[row.name, row] as const] : []));

test.each(named('refused'))('%s is refused, by its name', async (name, row) => {
  const response = await rig.post(customer, { ...PLAIN, ...row.base, ...row.asked });
  const { error } = await errorOf(response);
  expect([response.status, error.code, error.param]).toEqual([400, 'unsupported_parameter', name]);
});

test.each(named('told'))('%s is ignored, and named in the answer', async (name, row) => {
  expect(madeOf({ ...row.base, ...row.asked }).engine).toEqual(madeOf(row.base).engine);
  expect(await told(row)).toEqual({ status: 200, ignored: name, error: null });
});

test.each(named('ignored'))('%s is taken, and changes nothing', async (_name, row) => {
  expect(madeOf({ ...row.base, ...row.asked })).toEqual(madeOf(row.base));
  expect(await told(row)).toEqual({ status: 200, ignored: null, error: null });
});

test.each(named('engine'))('%s reaches the engine', async (_name, row) => {
  expect(madeOf({ ...row.base, ...row.asked }).engine).not.toEqual(madeOf(row.base).engine);
  expect(await told(row)).toEqual({ status: 200, ignored: null, error: null });
});

test('what the router does itself does not reach the engine', () => {
  const plain = madeOf({});
  const done = named('router').map(([name, { asked }]) => {
    const { facts, engine } = madeOf(asked);
    expect(engine).toEqual(plain.engine);
    return [name, facts.streamed, facts.includeUsage, facts.includeCost, facts.asked.model];
  });
  expect(done).toEqual([
    ['model', false, false, false, SEEING],
    ['n', false, false, false, SEEING],
    ['stream', true, false, false, SEEING],
    ['stream_options', false, true, false, SEEING],
    ['usage', false, true, true, SEEING],
  ]);
});

test.each([
  [{ n: 2 }, 'n'],
  [{ response_format: { type: 'json_schema', json_schema: {} } }, 'response_format.type'],
  [{ chat_template_kwargs: { enable_thinking: false } }, 'chat_template_kwargs.enable_thinking'],
])('of %j, %s is refused', async (fields, param) => {
  const { error } = await errorOf(await rig.post(customer, { ...PLAIN, ...fields }));
  expect(error.param).toBe(param);
});

test.each([
  { modalities: ['text'] },
  { skip_special_tokens: true, add_generation_prompt: true },
  { length_penalty: 1, top_a: 0, verbosity: 'medium' },
  { plugins: [], transforms: [], chat_template_kwargs: {} },
])('%j asks for nothing, and is not named', (fields) => {
  expect(madeOf(fields).facts.ignored).toEqual([]);
});

const BECOMES: Readonly<Record<Fate, string>> = {
  engine: 'honoured',
  router: 'honoured',
  told: 'ignored, and named in `x-ignored-parameters`',
  ignored: 'ignored',
  refused: 'refused: 400',
};

const NOTES: Readonly<Record<string, string>> = {
  cache_salt: 'the router separates the caches of organizations itself',
  chat_template_kwargs: 'refused with a switch for reasoning in it: use `reasoning`',
  include_reasoning: 'use `reasoning.exclude`',
  logprobs:
    'honoured where the model lists it (no model of the shipped catalog does), in a chat only without reasoning; an answer that is not streamed has at most 50,000 probabilities (2,380 tokens with 20 alternatives each): a larger `max_tokens` is a 400, and without it the answer ends there with `length`; too many such requests at once get a 429, or a 503',
  max_completion_tokens: 'the same as `max_tokens`',
  model: 'see `GET /v1/models`',
  n: 'only 1',
  reasoning_effort: 'use `reasoning.effort`',
  response_format: '`text` and `json_object`, where the model has JSON mode',
  reasoning: '`enabled`, `effort`, `max_tokens` and `exclude`, where the model reasons',
  store: 'answers are never stored',
  stream_options: '`include_usage`; `continuous_usage_stats` is ignored and named',
  thinking_token_budget: 'use `reasoning.max_tokens`',
  tools: 'functions, where the model uses tools',
  top_logprobs: 'with `logprobs`; honoured where the model lists it, as `logprobs`',
  usage: '`include`: the usage has its `cost` in USD',
};

test('docs/inference/parameters.md is what the table says', async () => {
  const mark = (has: boolean) => (has ? '✓' : '');
  const lines = ROWS.map(
    ({ name, openai, vllm: isVllms, openrouter, fate }) =>
      `| \`${name}\` | ${mark(openai)} | ${mark(isVllms)} | ${mark(openrouter)} | ` +
      `${BECOMES[fate]} | ${NOTES[name] ?? ''} |`,
  );
  const ofText = NOT_OFFERED.completions
    .filter((name) => !NOT_OFFERED.chat.includes(name))
    .map((name) => `\`${name}\``)
    .join(', ');
  const page = `# Parameters of a chat completion

<!-- This page is generated from \`shared/api/parameters.ts\` and \`shared/api/inference.ts\`.
\`npm test -- -u\` generates it again. Each row is a test. -->

This page lists every parameter of \`POST /v1/chat/completions\` in the APIs of OpenAI, vLLM and OpenRouter,
and what becomes of it here:

- **honoured**: the engine gets it, or the router does what it says. A sampling parameter that the
  model does not list in \`supported_sampling_parameters\` is a 400 with its name.
- **ignored**: the answer is the same without it.
- **ignored, and named**: it would change the answer. The header \`x-ignored-parameters\` names it,
  unless its value asks for nothing (\`null\`, \`false\`, an empty list, the default).
- **refused**: a 400 with its name in \`param\`, because a client would rely on it.

A parameter that is not listed here is ignored. For raw prompts (\`POST /v1/completions\`), these are
refused as well: ${ofText}.

| Parameter | OpenAI | vLLM | OpenRouter | Here | |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
  await expect(page).toMatchFileSnapshot('../../../docs/inference/parameters.md');
});
