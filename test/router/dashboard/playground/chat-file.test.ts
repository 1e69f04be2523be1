import { expect, test } from 'vitest';
import {
  Chat,
  type Hearer,
  type Setup,
} from '../../../../router/dashboard/pages/playground/chat.ts';
import {
  bytesOf,
  chatOf,
  fileOf,
  type KeptChat,
  titleOf,
} from '../../../../router/dashboard/pages/playground/kept/chat-file.ts';
import {
  fileIn,
  fragmentOf,
  hasChat,
} from '../../../../router/dashboard/pages/playground/kept/chat-link.ts';
import { NO_SETTINGS } from '../../../../router/dashboard/pages/playground/settings.ts';
import { model } from './models.ts';

const SEES = model({ input_modalities: ['text', 'image'] });
const SETUP: Setup = [
  { lane: 'a', model: SEES, settings: { ...NO_SETTINGS, system: 'Be brief.' } },
  { lane: 'b', model: model({ id: 'acme/two' }), settings: NO_SETTINGS },
];
const IMAGE = { name: 'dot.png', url: 'data:image/png;base64,iVBORw0=', bytes: 5 };

/** A chat of two turns with two models, an image and a tool call; the last answer is in flight. */
function kept(): KeptChat {
  const asked: { hearer: Hearer; end: () => void }[] = [];
  const chat = new Chat((_body, hearer) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    asked.push({ hearer, end: resolve });
    hearer.hear({ kind: 'asked', at: 0 });
    return promise;
  });
  const answer = (index: number, text: string, calls: readonly object[] = []) => {
    const { hearer, end } = asked[index] ?? {};
    hearer?.hear({ kind: 'wrote', at: 1, part: 'text' });
    hearer?.text.write(text);
    hearer?.hear({ kind: 'done', at: 2, finish: 'stop', usage: null, calls: calls as never });
    end?.();
  };
  chat.send({ text: 'What is this?', images: [IMAGE] }, SETUP);
  answer(0, '', [{ id: 'call_1', name: 'look', arguments: '{}' }]);
  answer(1, 'I cannot see.');
  chat.answerTools({ turn: chat.turns[0]?.id ?? 0, lane: 'a' }, ['A dot'], SETUP);
  answer(2, 'It is a dot.');
  chat.send({ text: 'Thanks', images: [] }, SETUP);
  asked[3]?.hearer.hear({ kind: 'wrote', at: 1, part: 'text' });
  asked[3]?.hearer.text.write('half');
  const lanes = SETUP.map(({ lane, model: { id }, settings }) => ({ lane, model: id, settings }));
  return { lanes, turns: chat.turns };
}

test('a chat is the same after it was kept, with the very bodies that were sent', () => {
  const chat = kept();
  const again = chatOf(JSON.parse(JSON.stringify(fileOf(chat))));
  expect(again?.lanes).toEqual(chat.lanes);
  const bodies = ({ turns }: KeptChat) =>
    turns.map(({ steps }) => [steps.a, steps.b].map((all) => all?.map(({ body }) => body)));
  expect(again && bodies(again)).toEqual(bodies(chat));
  const texts = ({ turns }: KeptChat) =>
    turns.map(({ steps }) => [steps.a, steps.b].map((all) => all?.map(({ text }) => text.text)));
  expect(again && texts(again)).toEqual(texts(chat));
  expect(again?.turns[0]?.prompt.images).toEqual([IMAGE]);
});

test('an answer that was in flight has stopped, with what was written', () => {
  const again = chatOf(fileOf(kept()));
  const [last] = again?.turns[1]?.steps.a ?? [];
  expect(last?.answer.phase).toBe('stopped');
  expect(last?.text.text).toBe('half');
});

test('a chat that was kept goes on with new ids', () => {
  const again = chatOf(fileOf(kept()));
  const chat = new Chat(() => Promise.resolve(), again?.turns);
  chat.send({ text: 'And now?', images: [] }, SETUP);
  const ids = chat.turns.flatMap(({ id, steps }) => [
    id,
    ...Object.values(steps)
      .flat()
      .map((step) => step.id),
  ]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a file that is not a chat is refused, whatever it is', () => {
  const file = fileOf(kept());
  const [turn] = file.turns;
  const image = (url: string) => ({
    ...file,
    turns: [{ prompt: { text: '', images: [{ ...IMAGE, url }] }, steps: {} }],
  });
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level += 1) deep = { deep };
  const step = turn?.steps.a?.[0];
  const withUsage = (prompt: number) => {
    const usage = { prompt, cached: null, completion: 1, reasoning: null };
    return { ...step, answer: { ...step?.answer, usage } };
  };
  expect(chatOf({ ...file, turns: [{ ...turn, steps: { a: [withUsage(1)] } }] })).not.toBeNull();
  const withTime = (thoughtMs: number) => {
    const steps = { a: [{ ...step, answer: { ...step?.answer, thoughtMs } }] };
    return { ...file, turns: [{ ...turn, steps }] };
  };
  expect(chatOf(withTime(60_000))).not.toBeNull();
  const hundred = Array.from({ length: 100 }, () => step);
  const faulty: readonly unknown[] = [
    null,
    'text',
    [],
    {},
    { ...file, penstock_chat: 2 },
    { ...file, lanes: [] },
    { ...file, lanes: [file.lanes[0], file.lanes[0]] },
    { ...file, turns: {} },
    { ...file, turns: [{ ...turn, prompt: 'text' }] },
    { ...file, turns: [{ ...turn, steps: { a: [{ ...step, parameters: { tools: deep } }] } }] },
    { ...file, turns: Array.from({ length: 1_001 }, () => turn) },
    { ...file, turns: [{ ...turn, steps: { a: [withUsage(1.5)] } }] },
    { ...file, turns: [{ ...turn, steps: { a: [withUsage(-1)] } }] },
    withTime(-1),
    withTime(1e300),
    // Each answer keeps the conversation before it.
    { ...file, turns: Array.from({ length: 11 }, () => ({ ...turn, steps: { a: hundred } })) },
    image('https://example.com/pixel.png'),
    image('javascript:alert(1)'),
    image('data:image/svg+xml;base64,PHN2Zz4='),
    image('data:text/html;base64,PHN2Zz4='),
  ];
  for (const one of faulty) expect(chatOf(one)).toBeNull();
  expect(chatOf(file)).not.toBeNull();
});

test('a chat travels in a fragment, and one that is long, damaged or a bomb does not', async () => {
  const file = fileOf(kept());
  const fragment = await fragmentOf(file);
  expect(fragment).toMatch(/^#chat=[A-Za-z0-9_-]+$/);
  expect(hasChat(fragment ?? '')).toBe(true);
  expect(await fileIn(fragment ?? '')).toEqual(JSON.parse(JSON.stringify(file)));
  expect(hasChat('#content')).toBe(false);

  const noise = Array.from({ length: 4_000 }, (_, index) => (index * 7_919).toString(36)).join(' ');
  expect(await fragmentOf({ ...file, turns: [textTurn(noise)] })).toBeNull();
  for (const damaged of ['#chat=', '#chat=!!', '#chat=AAAA', fragment?.slice(0, -9) ?? '']) {
    expect(await fileIn(damaged)).toBeNull();
  }
  const bomb = await fragmentOf({ ...file, turns: [textTurn('a'.repeat(3_900_000))] });
  expect(bomb).not.toBeNull();
  const bytes = Buffer.from(bomb?.slice('#chat='.length) ?? '', 'base64url');
  expect(bytes.length).toBeLessThan(6_000);
});

function textTurn(text: string) {
  return { prompt: { text, images: [] }, steps: {} };
}

test('a chat is called by its first prompt, and its size is known', () => {
  const { turns } = kept();
  expect(titleOf(turns)).toBe('What is this?');
  expect(titleOf([textTurn(`${'long '.repeat(30)}\nline`)])).toMatch(/^long .{50,}…$/);
  expect(titleOf([{ prompt: { text: '', images: [IMAGE] } }])).toBe('Image');
  expect(bytesOf(fileOf(kept()))).toBeGreaterThan(IMAGE.url.length);
});
