import { describe, expect, test } from 'vitest';
import { ID_LENGTH, type Shape, streamOf, wholeAnswer } from './engine-answers.ts';
import { ResponseParser } from './http-response.ts';
import { countTokens, TokenCounter } from './token-counter.ts';

const SHAPE: Shape = {
  model: 'lab/model',
  promptTokens: 70,
  tokens: 5,
  usage: true,
  continuousUsage: true,
};
const ID = 'abcdef'.padStart(ID_LENGTH, '0');

function bodyOf(pieces: readonly Buffer[]): { body: string; isWhole: boolean } {
  let body = '';
  const parser = new ResponseParser((text) => {
    body += text;
  });
  const isWhole = pieces.map((piece) => parser.feed(piece.toString('latin1'))).at(-1) ?? false;
  return { body, isWhole };
}

function chunksOf(shape: Shape) {
  const { body, isWhole } = bodyOf(streamOf(shape).map((template) => template.with(ID)));
  const events = body.split('\n\n').filter((event) => event !== '' && event !== 'data: [DONE]');
  const chunks = events.map((event) => JSON.parse(event.slice('data: '.length)));
  return { body, isWhole, chunks };
}

describe('a streamed answer of the engine', () => {
  test('is what the load generator takes for whole', () => {
    const { body, isWhole } = chunksOf(SHAPE);
    const counter = new TokenCounter();
    counter.feed(body);
    expect(isWhole).toBe(true);
    expect(counter).toMatchObject({ tokens: 5, isDone: true, failure: null });
  });

  test('has the id of its request in every chunk', () => {
    const { chunks } = chunksOf(SHAPE);
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set([`chatcmpl-${ID}`]));
  });

  test('counts its tokens in every chunk when it is asked to', () => {
    const { chunks } = chunksOf(SHAPE);
    const counts = chunks.map(({ usage }) => usage.completion_tokens);
    expect(counts).toEqual([0, 1, 2, 3, 4, 5, 5]);
    const last = chunks.at(-1);
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 70, total_tokens: 75 } });
  });

  test('has no usage unless it is asked for', () => {
    const { chunks } = chunksOf({ ...SHAPE, usage: false, continuousUsage: false });
    expect(chunks.filter((chunk) => 'usage' in chunk)).toEqual([]);
    expect(chunks.at(-1).choices[0].finish_reason).toBe('length');
  });
});

test('a whole answer of the engine has its id, its tokens and its usage', () => {
  const { body, isWhole } = bodyOf([wholeAnswer(SHAPE).with(ID)]);
  const { id, choices, usage } = JSON.parse(body);
  expect(isWhole).toBe(true);
  expect(id).toBe(`chatcmpl-${ID}`);
  expect(countTokens(choices[0].message.content)).toBe(5);
  expect(usage).toMatchObject({ prompt_tokens: 70, completion_tokens: 5, total_tokens: 75 });
});
