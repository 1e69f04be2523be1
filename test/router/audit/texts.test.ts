/** What of an answer and of a request can be compared, out of the bytes that pass. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChatEvents } from '../../../agent/engine/forms/chat-events.ts';
import { TextEvents } from '../../../agent/engine/forms/text-events.ts';
import { WholeChat, WholeText } from '../../../agent/engine/forms/whole.ts';
import { streamedText, wholeText } from '../../../router/audit/answer-text.ts';
import { questionOf } from '../../../router/audit/question.ts';

const HEADING = { completionId: 'c', created: 1, model: 'm', fingerprint: 'f' };
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '水', '\u{1f30a}', '\n\n', 'data: '),
});
const pieces = fc.array(text, { maxLength: 12 });

test('the text of an answer is what its agent put into it, in every form', () => {
  const property = fc.property(pieces, pieces, text, (thoughts, contents, end) => {
    const deltas = [
      ...thoughts.map((reasoning) => ({ reasoning })),
      ...contents.map((content) => ({ content })),
    ];
    const [thought, said] = [thoughts.join(''), contents.join('') + end];
    const chat = new ChatEvents(HEADING, false);
    const events = chat.begin() + deltas.map((delta) => chat.take({ delta })).join('');
    expect(streamedText(events, chat.last({ delta: { content: end } }))).toBe(thought + said);

    const whole = new WholeChat(false);
    for (const delta of deltas) whole.take({ delta });
    whole.last({ delta: { content: end } });
    expect(wholeText(whole.rest())).toBe(thought + said);

    const plain = new TextEvents(HEADING);
    const told = plain.begin() + contents.map((content) => plain.take({ text: content })).join('');
    expect(streamedText(told, plain.last({ text: end }))).toBe(said);

    const wholePlain = new WholeText();
    for (const content of contents) wholePlain.take({ text: content });
    wholePlain.last({ text: end });
    expect(wholeText(wholePlain.rest())).toBe(said);
  });
  fc.assert(property);
});

test('an answer that calls a tool is not compared: its tokens are not in its text', () => {
  const delta = {
    tool_calls: [{ index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }],
  };
  const chat = new ChatEvents(HEADING, false);
  expect(streamedText(chat.take({ delta }), '{}')).toBeNull();
  const whole = new WholeChat(false);
  whole.take({ delta });
  expect(wholeText(whole.rest())).toBeNull();
});

test('bytes that are no answer are not compared, whatever they are', () => {
  const property = fc.property(fc.string(), fc.string(), (bytes, last) => {
    expect([null, 'string']).toContain(wholeText(bytes) === null ? null : typeof wholeText(bytes));
    const streamed = streamedText(`data: ${bytes}\n\n`, last);
    expect([null, 'string']).toContain(streamed === null ? null : typeof streamed);
  });
  fc.assert(property);
  for (const hostile of [
    'data: {"choices":1}\n\n',
    'data: {"choices":[{"delta":{"content":7}}]}\n\n',
  ]) {
    expect(streamedText(hostile, '{}')).toBeNull();
  }
  expect(streamedText('', '[1]')).toBeNull();
});

const question = (fields: object) =>
  questionOf(Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields })));

test('of a request goes on only what its prompt is made of', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const { prompt } = question({ messages, tools, temperature: 1, user: 'me', metadata: { a: 1 } });
  expect(JSON.parse(prompt as string)).toEqual({ messages, tools });
  expect(JSON.parse(question({ messages: null, prompt: 'Once' }).prompt as string)).toEqual({
    messages: null,
    prompt: 'Once',
  });
});

test('a prompt with images is not compared, nor an answer that does not show all that was generated', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  expect(question({ messages: [{ role: 'user', content: [image] }] }).prompt).toBeNull();
  expect(question({}).isShownWhole).toBe(true);
  expect(question({ reasoning: { effort: 'low' }, stop: null }).isShownWhole).toBe(true);
  for (const fields of [
    { reasoning: { enabled: false } },
    { reasoning: { effort: 'none' } },
    { stop: ['x'] },
  ]) {
    expect(question(fields).isShownWhole).toBe(false);
  }
});
