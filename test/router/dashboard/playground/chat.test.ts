import { expect, test } from 'vitest';
import type { Body } from '../../../../router/dashboard/pages/playground/request.ts';
import {
  Chat,
  type Hearer,
  isAnswering,
  type Setup,
} from '../../../../router/dashboard/pages/playground/chat.ts';
import { NO_SETTINGS } from '../../../../router/dashboard/pages/playground/settings.ts';
import { model } from './models.ts';

const ONE = model();
const TWO = model({ id: 'acme/two', name: 'Two' });

/** A chat whose answers the test controls: each request waits for its answer. */
function rig() {
  const asked: { body: Body; hearer: Hearer; end: () => void }[] = [];
  const chat = new Chat((body, hearer) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hearer.hear({ kind: 'asked', at: 0 });
    hearer.signal.addEventListener('abort', () => {
      hearer.hear({ kind: 'stopped', at: 1 });
      resolve();
    });
    asked.push({ body, hearer, end: resolve });
    return promise;
  });
  const answer = (text: string, index = asked.length - 1, calls: readonly object[] = []) => {
    const { hearer, end } = asked[index] ?? {};
    hearer?.text.write(text);
    hearer?.hear({ kind: 'wrote', at: 1, part: 'text' });
    hearer?.hear({ kind: 'done', at: 2, finish: 'stop', usage: null, calls: calls as never });
    end?.();
  };
  const said = (index: number) => asked[index]?.body.messages.map(({ content }) => content);
  return { chat, asked, answer, said };
}

const ALONE: Setup = [{ lane: 'a', model: ONE, settings: NO_SETTINGS }];
const BOTH: Setup = [...ALONE, { lane: 'b', model: TWO, settings: NO_SETTINGS }];
const prompt = (text: string) => ({ text, images: [] });

test('a conversation goes on with what was said before', () => {
  const { chat, answer, said } = rig();
  chat.send(prompt('One'), ALONE);
  expect(isAnswering(chat.turns)).toBe(true);
  answer('first');
  expect(isAnswering(chat.turns)).toBe(false);
  chat.send(prompt('Two'), ALONE);
  expect(said(1)).toEqual(['One', 'first', 'Two']);
});

test('a message that is changed begins anew from there', () => {
  const { chat, answer, said } = rig();
  for (const text of ['One', 'Two', 'Three']) {
    chat.send(prompt(text), ALONE);
    answer(`of ${text}`);
  }
  const second = chat.turns[1]?.id ?? 0;
  chat.send(prompt('Other'), ALONE, second);
  expect(said(3)).toEqual(['One', 'of One', 'Other']);
  expect(chat.turns.map((turn) => turn.prompt.text)).toEqual(['One', 'Other']);
});

test('an answer is tried again without what it said', () => {
  const { chat, answer, said } = rig();
  chat.send(prompt('One'), ALONE);
  answer('bad');
  chat.retry({ turn: chat.turns[0]?.id ?? 0, lane: 'a' }, ALONE);
  expect(said(1)).toEqual(['One']);
  answer('good');
  expect(chat.turns[0]?.steps.a?.map(({ text }) => text.text)).toEqual(['good']);
});

test('two models are asked the same, and each goes on with its own answers', () => {
  const { chat, asked, answer, said } = rig();
  chat.send(prompt('One'), BOTH);
  expect(asked.map(({ body }) => body.model)).toEqual(['acme/one', 'acme/two']);
  answer('of one', 0);
  answer('of two', 1);
  chat.send(prompt('Two'), BOTH);
  expect([said(2), said(3)]).toEqual([
    ['One', 'of one', 'Two'],
    ['One', 'of two', 'Two'],
  ]);
});

test('each model is asked with its own settings', () => {
  const { chat, asked } = rig();
  const [one, two] = BOTH;
  const brief = { ...NO_SETTINGS, system: 'Be brief.' };
  chat.send(
    prompt('One'),
    [one, two && { ...two, settings: brief }].filter((set) => set !== undefined),
  );
  expect(asked.map(({ body }) => body.messages.map(({ role }) => role))).toEqual([
    ['user'],
    ['system', 'user'],
  ]);
});

test('a model that is removed is stopped, and the other goes on', () => {
  const { chat, asked, answer, said } = rig();
  chat.send(prompt('One'), ALONE);
  answer('of one alone');
  chat.send(prompt('Two'), BOTH);
  chat.remove('a', 'b');
  expect(asked[1]?.hearer.signal.aborted).toBe(true);
  expect(asked[2]?.hearer.signal.aborted).toBe(false);
  answer('of two', 2);
  // The answer of the first turn has no other, so it stays.
  expect(chat.turns.map(({ steps }) => Object.keys(steps))).toEqual([['b'], ['b']]);
  chat.send(prompt('Three'), BOTH.slice(1));
  expect(said(3)).toEqual(['One', 'of one alone', 'Two', 'of two', 'Three']);
});

test('what tools answered is sent, and the model goes on in the same turn', () => {
  const { chat, answer, asked } = rig();
  chat.send(prompt('Weather?'), ALONE);
  answer('', 0, [{ id: 'call_1', name: 'get_weather', arguments: '{}' }]);
  chat.answerTools({ turn: chat.turns[0]?.id ?? 0, lane: 'a' }, ['12'], ALONE);
  expect(asked[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  expect(chat.turns[0]?.steps.a).toHaveLength(2);
});

test('stop ends every answer and keeps what was written', () => {
  const { chat, asked } = rig();
  chat.send(prompt('One'), BOTH);
  asked[0]?.hearer.text.write('half');
  chat.stop();
  expect(isAnswering(chat.turns)).toBe(false);
  expect(chat.turns[0]?.steps.a?.[0]?.text.text).toBe('half');
});

test('the next request is shown as it would be sent', () => {
  const { chat, answer, asked } = rig();
  chat.send(prompt('One'), ALONE);
  answer('first');
  const shown = chat.preview('a', ALONE, prompt('Two'));
  chat.send(prompt('Two'), ALONE);
  expect(shown?.body).toEqual(asked[1]?.body);
});
