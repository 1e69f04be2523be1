/** Which parts of a request can be compared. */
import { expect, test } from 'vitest';
import { comparableTextOf } from '../../../router/metering/comparable-text.ts';

const textOf = (fields: object) =>
  comparableTextOf(Buffer.from(JSON.stringify({ model: 'm', messages: [], ...fields })));

test('of a request goes on only what its prompt is made of', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const { prompt } = textOf({ messages, tools, temperature: 1, user: 'me', metadata: { a: 1 } });
  expect(JSON.parse(prompt as string)).toEqual({ messages, tools });
  expect(JSON.parse(textOf({ messages: null, prompt: 'Once' }).prompt as string)).toEqual({
    messages: null,
    prompt: 'Once',
  });
  expect(JSON.parse(textOf({ prompt: ['Once'] }).prompt as string)).toMatchObject({
    prompt: ['Once'],
  });
});

test('a prompt with images is not compared, nor an answer from which a stop sequence was cut', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
  expect(textOf({ messages: [{ role: 'user', content: [image] }] }).prompt).toBeNull();
  expect(textOf({}).hasNoStop).toBe(true);
  expect(textOf({ stop: null }).hasNoStop).toBe(true);
  expect(textOf({ stop: ['x'] }).hasNoStop).toBe(false);
});
