/** Log probabilities: an agent passes on those of tokens whose text it has delivered, and no other. */
import { expect, test } from 'vitest';
import { tokensOf } from '../../agent/engine/logprob-entries.ts';
import {
  DeliveredTokens,
  logprobsFields,
  WAITING_TEXT_MAX,
  WAITING_TOKENS_MAX,
} from '../../agent/engine/logprobs.ts';
import type { TokenLogprob } from '../../shared/wire/logprobs.ts';
import { LOGPROBS_BYTES_MAX, packLogprobs, unpackLogprobs } from '../../shared/wire/logprobs.ts';
import { THINKER } from './support/fake-router.ts';
import { HELLO, startRig } from './support/rig.ts';
import type { EngineRequest } from './support/scripted-engine.ts';
import { chatOf, startSimulated } from './support/simulated.ts';

const LOGPROB = -0.5;

function entry(token: string | readonly number[], others: readonly string[] = []) {
  const named = typeof token === 'string' ? { token } : { token: '\uFFFD', bytes: token };
  const top_logprobs = others.map((other, at) => ({ token: other, logprob: -at - 1 }));
  return { ...named, logprob: LOGPROB, top_logprobs };
}

function tokens(...list: (string | readonly number[])[]): TokenLogprob[] {
  return tokensOf({ content: list.map((token) => entry(token)) }, 0);
}

const textsOf = (list: readonly TokenLogprob[]) =>
  list.map(({ bytes }) => Buffer.from(bytes).toString());

/** A chunk as vLLM and llama.cpp send it. */
function chunk(ask: EngineRequest, delta: object, list: readonly object[], completion: number) {
  const choices = [{ index: 0, delta, logprobs: { content: list }, finish_reason: null }];
  const usage = { prompt_tokens: 7, completion_tokens: completion };
  return ask.event({ object: 'chat.completion.chunk', choices, usage });
}

test('each engine is asked for at least one alternative', () => {
  expect(logprobsFields('chat', 0)).toEqual({ logprobs: true, top_logprobs: 1 });
  expect(logprobsFields('completions', 5)).toEqual({ logprobs: 5 });
});

test('both shapes of an engine are read, as far as they are log probabilities', () => {
  const chat = { content: [entry('a', ['b', 'c']), { token: 'x', logprob: null }, 7, entry('d')] };
  const [a, d] = tokensOf(chat, 1);
  expect(a).toEqual({
    logprob: LOGPROB,
    bytes: [97],
    top_logprobs: [{ logprob: -1, bytes: [98] }],
  });
  expect(d).toEqual({ logprob: LOGPROB, bytes: [100], top_logprobs: [] });
  const older = {
    tokens: ['a', 'b', 'c'],
    token_logprobs: [LOGPROB, null, -99_999],
    top_logprobs: [{ a: LOGPROB, b: -1 }, null, null],
    text_offset: [0, 1, 2],
  };
  expect(tokensOf(older, 1)).toEqual([
    { logprob: LOGPROB, bytes: [97], top_logprobs: [{ logprob: LOGPROB, bytes: [97] }] },
    { logprob: -9_999, bytes: [99], top_logprobs: [] },
  ]);
  const odd = [{ token: 'a', logprob: 0.000_1 }, entry('x'.repeat(257)), entry([256])];
  expect(tokensOf({ content: odd }, 0).map(({ logprob }) => logprob)).toEqual([0, LOGPROB]);
  for (const none of [null, undefined, 7, [], {}, { content: {} }]) {
    expect(tokensOf(none, 5)).toEqual([]);
  }
});

test.each<[what: string, steps: [text: string, ...(string | readonly number[])[]][], string[]]>([
  ['a token with its text', [['ab', 'a', 'b']], ['a', 'b']],
  ['a token before its text', [['', 'ab'], ['a', 'c'], ['bc']], ['ab', 'c']],
  [
    'a character in pieces',
    [
      ['', [0xf0, 0x9f]],
      ['🚢', [0x9a, 0xa2]],
    ],
    ['\uFFFD', '\uFFFD\uFFFD'],
  ],
  [
    'pieces of a character as nothing',
    [
      ['', ''],
      ['🚢', '🚢'],
    ],
    ['', '🚢'],
  ],
  ['a token without the blank before it', [['The gate', 'The', 'gate']], ['The', 'gate']],
  [
    'a marker that is no text',
    [
      ['', '</think>'],
      ['Hi', 'Hi', '<|im_end|>'],
    ],
    ['Hi'],
  ],
  ['a stop sequence that is no text', [['a', 'a', ' and'], ['']], ['a']],
  [
    'text whose token the engine left out',
    [
      ['<foo', 'foo'],
      [' bar', ' bar'],
    ],
    [' bar'],
  ],
  ['the end of an answer as nothing', [['a', 'a', '']], ['a']],
])('the tokens of delivered text are found: %s', (_what, steps, expected) => {
  const delivered = new DeliveredTokens();
  const found = steps.flatMap(([text, ...list]) => delivered.take(text, tokens(...list)));
  expect(textsOf(found)).toEqual(expected);
});

test('tokens that wait for their text are bounded', () => {
  const delivered = new DeliveredTokens();
  const many = Array.from({ length: WAITING_TOKENS_MAX }, () => 'a');
  expect(delivered.take('', tokens('a', ...many))).toEqual([]);
  expect(delivered.take('aaa', [])).toEqual([]);
  delivered.take('', tokens(...many));
  expect(delivered.take('aaa', [])).toHaveLength(3);
});

test('many tokens take several records, each within its bound', () => {
  const alternatives = Array.from({ length: 20 }, () => ({ logprob: -1, bytes: [1, 2, 3] }));
  const [token] = tokens('a');
  const many = Array.from({ length: 100 }, () => ({
    ...(token as TokenLogprob),
    top_logprobs: alternatives,
  }));
  const records = packLogprobs(many);
  expect(records.length).toBeGreaterThan(1);
  expect(Math.max(...records.map(({ length }) => length))).toBeLessThan(LOGPROBS_BYTES_MAX + 5);
  expect(records.flatMap((record) => unpackLogprobs(record)?.tokens)).toEqual(many);
});

test('an answer has the tokens of its text, and those of calls stay with the host', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { topLogprobs: 1 });
  const ask = (await rig.engine.ask()).accept().role(7);
  expect(ask.body).toMatchObject({ logprobs: true, top_logprobs: 1 });
  chunk(ask, { content: ' or yes' }, [entry(' or', ['a', 'b']), entry(' yes')], 2);
  const fn = { name: 'f', arguments: '{}' };
  chunk(ask, { tool_calls: [{ index: 0, id: 'c', function: fn }] }, [entry('{}')], 3);
  ask.chunk({}, [7, 4], 'tool_calls').usage(7, 4).done();
  await call.ended();
  const [only, ...more] = call.deltas.filter((delta) => 'logprobs' in delta);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ content: ' or yes' });
  const { logprobs = [] } = only as { logprobs?: readonly TokenLogprob[] };
  expect(textsOf(logprobs)).toEqual([' or', ' yes']);
  expect(logprobs[0]?.top_logprobs).toEqual([{ logprob: -1, bytes: [97] }]);
});

test.each([{}, { reasoning: { exclude: true } }])(
  'an answer that reasons has none, so that nothing shows what is withheld: %j',
  async (fields) => {
    await using rig = await startRig();
    const asked = { ...HELLO, ...fields };
    const call = rig.session.open(asked, { model: THINKER.id, topLogprobs: 0 });
    const ask = (await rig.engine.ask()).accept().role(7);
    chunk(ask, { reasoning: 'Yes' }, [entry('Yes')], 1);
    chunk(ask, { content: 'Yes' }, [entry(''), entry('Yes')], 3);
    chunk(ask, { content: ' no' }, [entry(' no')], 4);
    ask.chunk({}, [7, 4], 'stop').usage(7, 4).done();
    await call.ended();
    expect(call.deltas.filter((delta) => 'logprobs' in delta)).toEqual([]);
  },
);

test('text that waits for its tokens is bounded', () => {
  const delivered = new DeliveredTokens();
  const [waits] = tokens('later') as [TokenLogprob];
  expect(delivered.take(' ', [waits])).toEqual([]);
  for (let sent = 0; sent <= WAITING_TEXT_MAX; sent += 1_024) {
    expect(delivered.take(' '.repeat(1_024), [])).toEqual([]);
  }
  expect(delivered.take('later', [])).toEqual([]);
  expect(delivered.take('later', [waits])).toEqual([waits]);
});

test('nothing of what a grant does not cover is sent', async () => {
  await using rig = await startRig();
  const grant = { tokens: 1, bytes: 64 * 1024, final: true };
  const call = rig.session.open(HELLO, { topLogprobs: 0, grant });
  const ask = (await rig.engine.ask()).accept().role(7);
  chunk(ask, { content: 'a' }, [entry('a'), entry('b')], 1);
  chunk(ask, { content: 'bc' }, [entry('c')], 3);
  await call.ended();
  expect(call.deltas).toEqual([{ content: 'a', logprobs: tokens('a') }]);
});

test('without a request for them they are not read, and a router that is older gets none', async () => {
  await using rig = await startRig();
  const call = rig.session.open({ ...HELLO, logprobs: true, top_logprobs: 5 });
  const ask = (await rig.engine.ask()).accept().role(7);
  expect(ask.body).not.toHaveProperty('logprobs');
  chunk(ask, { content: 'a' }, [entry('a')], 1);
  ask.chunk({}, [7, 1], 'stop').usage(7, 1).done();
  await call.ended();
  expect(call.deltas).toEqual([{ content: 'a' }]);
});

test.each(['chat', 'completions'] as const)(
  'every token of the simulator has its text in the answer: %s',
  async (endpoint) => {
    await using rig = await startSimulated();
    const model = 'qwen/qwen3-235b-a22b-instruct-2507';
    const body = endpoint === 'chat' ? chatOf(model) : { model, prompt: 'Once upon a time' };
    const call = rig.session.open(body, { endpoint, model, topLogprobs: 2, maxTokens: 40 });
    await call.ended();
    const all = call.deltas.flatMap((delta) => ('content' in delta ? (delta.logprobs ?? []) : []));
    expect(textsOf(all).join('')).toBe(call.content);
    expect(all.map(({ top_logprobs: others }) => others.length)).toEqual(all.map(() => 2));
  },
);
