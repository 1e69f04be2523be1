import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { limits } from '../../shared/limits.ts';
import type { Count, Counted } from '../../shared/wire/messages.ts';
import { MODEL, THINKER } from './support/fake-router.ts';
import { type Rig, startRig } from './support/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(() => {
  rig.engine.promptTokens = 7;
  rig.engine.tokenized.length = 0;
});

let last = 0;
const counted = () =>
  rig.session.messages.filter((message): message is Counted => message.type === 'counted');

async function count(question: Partial<Count>): Promise<Omit<Counted, 'type' | 'id'>> {
  const id = ++last;
  rig.session.send({
    type: 'count',
    id,
    worker: 'engine',
    model: MODEL.id,
    endpoint: 'chat',
    prompt: null,
    answer: null,
    ...question,
  });
  await rig.session.until(() => counted().some((answer) => answer.id === id));
  const { prompt, answer } = counted().find((one) => one.id === id) as Counted;
  return { prompt, answer };
}

test('prompt and answer are counted by the engine, under its own name for the model', async () => {
  const messages = [{ role: 'user', content: 'How many?' }];
  const prompt = JSON.stringify({ messages, tools: null });
  expect(await count({ prompt, answer: 'So many.' })).toEqual({ prompt: 7, answer: 7 });
  expect(rig.engine.tokenized).toHaveLength(2);
  expect(rig.engine.tokenized).toContainEqual({ model: MODEL.hubModelId, messages });
  expect(rig.engine.tokenized).toContainEqual({ model: MODEL.hubModelId, prompt: 'So many.' });
});

test('a prompt is what the engine would be asked: the rest of a body stays away', async () => {
  const messages = [{ role: 'user', content: 'Hi', cache_salt: 'mine' }];
  const prompt = JSON.stringify({ messages, cache_salt: 'mine', priority: 1, temperature: 2 });
  await count({ model: THINKER.id, prompt });
  expect(rig.engine.tokenized).toEqual([
    { model: THINKER.hubModelId, messages: [{ role: 'user', content: 'Hi' }] },
  ]);
  await count({ endpoint: 'completions', prompt: JSON.stringify({ prompt: 'Once' }) });
  expect(rig.engine.tokenized.at(-1)).toEqual({ model: MODEL.hubModelId, prompt: 'Once' });
});

test('what cannot be counted is null', async () => {
  const nothing = { prompt: null, answer: null };
  for (const question of [
    {},
    { worker: 'another', answer: 'a' },
    { model: 'test/none', answer: 'a' },
    { prompt: '{not json' },
    { prompt: '[1]' },
    { prompt: '"text"' },
  ]) {
    expect(await count(question)).toEqual(nothing);
  }
  expect(rig.engine.tokenized).toEqual([]);
  rig.engine.promptTokens = null;
  const silent = count({ answer: 'a' });
  // If the engine does not answer, the agent waits no longer than this.
  await rig.engine.gate.until(() => rig.engine.tokenized.length === 1);
  rig.clock.advance(4_000);
  expect(await silent).toEqual(nothing);
});

test('a long text may take an engine three seconds', async () => {
  const slow = Promise.withResolvers<number>();
  rig.engine.promptTokens = slow.promise;
  const asked = count({ answer: 'x'.repeat(limits.linkCountChars.most) });
  await rig.engine.gate.until(() => rig.engine.tokenized.length === 1);
  rig.clock.advance(3_000);
  slow.resolve(60_000);
  expect(await asked).toEqual({ prompt: null, answer: 60_000 });
});

test('of many questions at once a few are looked at, and each is answered', async () => {
  rig.engine.promptTokens = null;
  const asked = Array.from({ length: 10 }, () => count({ answer: 'a' }));
  const nothing = { prompt: null, answer: null };
  expect(await Promise.all(asked.slice(4))).toEqual(Array.from({ length: 6 }, () => nothing));
  await rig.engine.gate.until(() => rig.engine.tokenized.length === 4);
  rig.clock.advance(4_000);
  await Promise.all(asked);
  expect(rig.engine.tokenized).toHaveLength(4);
});

test('a prompt that is nested too deep to be written is not counted, and keeps no place', async () => {
  const deep = '['.repeat(15_000) + ']'.repeat(15_000);
  const tools = `[{"type":"function","function":{"name":"x","parameters":{"a":${deep}}}}]`;
  const prompt = `{"messages":[],"tools":${tools}}`;
  // More than the agent counts at the same time.
  for (let nth = 1; nth <= 6; nth++)
    expect(await count({ prompt })).toMatchObject({ prompt: null });
  expect(await count({ answer: 'So many.' })).toEqual({ prompt: null, answer: 7 });
});

test('a load report says how long a text the engine counts', async () => {
  const loads = () => rig.session.messages.filter((message) => message.type === 'load');
  await rig.session.until(() => loads().length > 0);
  expect(loads().at(-1)?.workers[0]?.countChars).toBe(limits.linkCountChars.most);
  const prompt = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(200_000) }] });
  expect(await count({ prompt })).toEqual({ prompt: 7, answer: null });
});
