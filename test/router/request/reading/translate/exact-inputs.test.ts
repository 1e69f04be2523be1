/** Numbers in the inputs of tools, and what finding them costs. */
import { describe, expect, test } from 'vitest';
import { withExactInputs } from '../../../../../router/request/reading/translate/exact-inputs.ts';

type Body = Readonly<{ messages: { content: { input?: object }[] }[] }>;

function read(text: string) {
  const object = JSON.parse(text) as Body;
  return { object, exact: withExactInputs(object, text) as Body };
}

const call = (input: string) => `{"type":"tool_use","id":"a","name":"f","input":${input}}`;
const turn = (...blocks: string[]) => `{"role":"assistant","content":[${blocks.join(',')}]}`;
const body = (...turns: string[]) => `{"model":"m","messages":[${turns.join(',')}]}`;

test.each([
  '0.0000001',
  '-0.00000012',
  '0.000001',
  '-0',
  '-0.0',
  '12345678901234567890',
  '1.10',
  '1E3',
  '0.1234567890123456789',
  '123456789.12345679',
])('%s stays as it is written', (number) => {
  for (const input of [`{"a":${number}}`, `{ "a" : [ 1 , ${number} ] }`]) {
    const { exact } = read(body(turn(call(input))));
    const written = JSON.stringify(exact.messages[0]?.content[0]?.input);
    expect(written).toBe(input.replaceAll(' ', ''));
  }
});

test('numbers and texts elsewhere cause no second parsing of a call', () => {
  const text = JSON.stringify({ type: 'text', text: 'It costs: 1.10, or [2.50, 1e3].' });
  const { object, exact } = read(
    `{"temperature":1.0,${body(turn(text, call('{"a":1}')), turn(call('{"b":1.10}'))).slice(1)}`,
  );
  expect(exact.messages[0]?.content[1]).toBe(object.messages[0]?.content[1]);
  expect(JSON.stringify(exact.messages[1]?.content[0]?.input)).toBe('{"b":1.10}');
});

test('a body without calls is returned itself', () => {
  const { object, exact } = read(body(turn('{"type":"text","text":"1.10"}', '"tool_use"')));
  expect(exact).toBe(object);
});

describe('a call is found', () => {
  const exact = call('{"a":1.10}');
  test.each([
    ['among blocks of other kinds', body(turn('7', '[]', '{"type":"text","text":"},{"}', exact))],
    ['after messages of other kinds', body('7', '[[{"a":[]}]]', '{"content":"x"}', turn(exact))],
    ['with white space', body(turn(exact)).replaceAll(/([[\]{}:,])/g, ' $1\n')],
    ['after quotes and backslashes', body(turn(JSON.stringify({ a: '\\"\\\\' }), exact))],
    ['in the last of equal lists', `{"messages":[7,${turn(exact)}],${body(turn(exact)).slice(1)}`],
    ['under escaped keys', body(turn(exact)).replace('"messages"', String.raw`"m\u0065ssages"`)],
    ['with an escaped type', body(turn(exact.replace('tool_use', String.raw`tool\u005fuse`)))],
    [
      'beside equal names',
      `{"content":[{"messages":[]}],"x":{"y":[${turn()}]},${body(turn(exact)).slice(1)}`,
    ],
  ])('%s', (_where, text) => {
    const { messages } = read(text).exact;
    const inputs = messages.map(({ content }) =>
      Array.isArray(content) ? content.map((block) => block.input) : [],
    );
    expect(JSON.stringify(inputs)).toContain('1.10');
  });
});
