/** A conversation, however its client writes it, as chat templates know it. */
import { describe, expect, test } from 'vitest';
import { engineMessages } from '../../agent/engine/conversation.ts';
import type { Dialect } from '../../agent/engine/dialects/dialect.ts';
import { llamacpp } from '../../agent/engine/dialects/llamacpp.ts';
import { ollama } from '../../agent/engine/dialects/ollama.ts';
import { openai } from '../../agent/engine/dialects/openai.ts';
import { sglang } from '../../agent/engine/dialects/sglang.ts';
import { vllm } from '../../agent/engine/dialects/vllm.ts';

const HELLO = { role: 'user', content: 'Hello.' };
const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

const made = (...messages: object[]) => engineMessages(messages, 'reasoning');
const system = (content: string) => ({ role: 'system', content });
const developer = (content: string) => ({ role: 'developer', content });

describe('system messages', () => {
  test('a developer is a system', () => {
    expect(made(developer('Be kind.'), HELLO)).toEqual([system('Be kind.'), HELLO]);
    expect(made(developer('Be short.'))).toEqual([system('Be short.')]);
  });

  test('those at the start are one, in their order', () => {
    const parts = {
      role: 'system',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
      ],
    };
    expect(made(system('a'), developer('b'), parts, HELLO)).toEqual([
      system('a\n\nb\n\nc\nd'),
      HELLO,
    ]);
    expect(made(system('a'), developer('b'))).toEqual([system('a\n\nb')]);
  });

  test('what a later one says is said by the user, at its place', () => {
    const answer = { role: 'assistant', content: 'Hi.' };
    const user = (content: unknown) => ({ role: 'user', content });
    expect(made(system('a'), HELLO, developer('b'), answer, system('c'), HELLO)).toEqual([
      system('a'),
      user('Hello.\n\nb'),
      answer,
      user('c\n\nHello.'),
    ]);
    expect(made(HELLO, answer, system('b'), system('c'), answer)).toEqual([
      HELLO,
      answer,
      user('b\n\nc'),
      answer,
    ]);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    expect(made(user([image]), system('b'))).toEqual([user([image, { type: 'text', text: 'b' }])]);
    // Two messages of the user stay two.
    expect(made(HELLO, HELLO, system('b'), HELLO)).toEqual([HELLO, user('Hello.\n\nb'), HELLO]);
  });

  test('one between a call and its results is said after them', () => {
    const calling = { role: 'assistant', tool_calls: [CALL, { ...CALL, id: 'd' }] };
    const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: id });
    const user = (content: string) => ({ role: 'user', content });
    const called = [HELLO, calling, developer('a'), result('c'), system('b'), result('d')];
    const answered = [HELLO, calling, result('c'), result('d')];
    expect(made(...called)).toEqual([...answered, user('a\n\nb')]);
    expect(made(...called, system('e'), HELLO)).toEqual([
      ...answered,
      user('a\n\nb\n\ne\n\nHello.'),
    ]);
    // A call that has no result ends with the next message.
    expect(made(HELLO, calling, system('a'), calling, result('c'))).toEqual([
      HELLO,
      calling,
      user('a'),
      calling,
      result('c'),
    ]);
  });

  test('a single one keeps its parts and its name', () => {
    const one = { role: 'system', name: 'rules', content: [{ type: 'text', text: 'a' }] };
    expect(made(one, HELLO)).toEqual([one, HELLO]);
  });
});

describe('content that is left out', () => {
  test.each([
    ['of a tool', { role: 'tool', tool_call_id: 'c' }],
    ['of an assistant', { role: 'assistant' }],
    ['that is null', { role: 'assistant', content: null }],
    ['that has no parts', { role: 'assistant', content: [] }],
  ])('%s is empty text', (_what, message) => {
    expect(made(message)).toEqual([{ ...message, content: '' }]);
  });

  test('beside calls there is none', () => {
    const calling = { role: 'assistant', tool_calls: [CALL] };
    expect(made({ ...calling, content: null })).toEqual([calling]);
  });
});

describe('earlier reasoning', () => {
  const answer = { role: 'assistant', content: 'Hi.' };
  const details = [
    { type: 'reasoning.text', text: 'h' },
    { type: 'reasoning.encrypted', data: 'secret' },
    { type: 'reasoning.summary', summary: 'm' },
    'nothing',
  ];

  test.each<[string, object]>([
    ['reasoning', { reasoning: 'hm' }],
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning_details', { reasoning_details: details }],
    ['the first that has text', { reasoning: '', reasoning_content: 'hm', reasoning_details: [] }],
    ['one of several', { reasoning: 'hm', reasoning_content: 'hm', reasoning_details: details }],
  ])('is read from %s', (_name, fields) => {
    expect(made({ ...answer, ...fields })).toEqual([{ ...answer, reasoning: 'hm' }]);
  });

  test('is an assistant’s, and is left out when it has no text', () => {
    expect(made({ ...HELLO, reasoning: 'hm', reasoning_content: { a: 1 } })).toEqual([HELLO]);
    const none = { reasoning: null, reasoning_content: '', reasoning_details: null };
    expect(made({ ...answer, ...none })).toEqual([answer]);
  });

  test.each<[string, Dialect]>([
    ['reasoning', vllm],
    ['reasoning', ollama],
    ['reasoning_content', sglang],
    ['reasoning_content', llamacpp],
    ['reasoning_content', openai],
  ])('goes to %s, if that is what the engine reads', (field, { reasoningField }) => {
    expect(engineMessages([{ ...answer, reasoning: 'hm' }], reasoningField)).toEqual([
      { ...answer, [field]: 'hm' },
    ]);
  });
});

test('the lines of base64 are joined', () => {
  const image = (url: string) => ({
    role: 'user',
    content: [{ type: 'image_url', image_url: { url } }],
  });
  expect(made(image('data:image/png;base64,AAAA\r\nBB\n=='))).toEqual([
    image('data:image/png;base64,AAAABB=='),
  ]);
});
