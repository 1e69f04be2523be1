import { expect, test } from 'vitest';
import {
  afterEvent,
  type Answer,
  type AnswerEvent,
  IDLE,
  isUnderWay,
} from '../../../../router/dashboard/pages/playground/answer.ts';
import {
  costOf,
  endingOf,
  firstTokenMs,
  tokensPerSecond,
} from '../../../../router/dashboard/pages/playground/figures.ts';
import { model } from './models.ts';

const USAGE = { prompt: 10, cached: 4, completion: 101, reasoning: null };
const ASKED: AnswerEvent = { kind: 'asked', at: 1_000 };
const SENT: AnswerEvent = { kind: 'sent', at: 1_150 };
const WROTE: AnswerEvent = { kind: 'wrote', at: 1_250, part: 'text' };
const DONE: AnswerEvent = { kind: 'done', at: 2_250, finish: 'length', usage: USAGE, calls: [] };
const FAULT = { status: 402, code: 'insufficient_credit', message: 'Top up.' };
const ENDS: readonly AnswerEvent[] = [
  DONE,
  { kind: 'stopped', at: 2_000 },
  { kind: 'failed', at: 2_000, fault: FAULT },
  { kind: 'cut', at: 2_000 },
];

function after(...events: readonly AnswerEvent[]): Answer {
  return events.reduce(afterEvent, IDLE);
}

test('an answer is asked for, streams and is done, and its figures are those of that way', () => {
  const accepted: AnswerEvent = { kind: 'accepted', requestId: 'req_1', keyId: 'key_1' };
  const answer = after(ASKED, accepted, WROTE, DONE);
  expect(answer).toMatchObject({
    phase: 'done',
    requestId: 'req_1',
    keyId: 'key_1',
    finish: 'length',
  });
  expect(firstTokenMs(answer)).toBe(250);
  expect(tokensPerSecond(answer)).toBe(100);
  expect(endingOf(answer)).toBe('Max tokens reached');
});

test('the first end wins, and nothing that comes after it changes the answer', () => {
  for (const end of ENDS) {
    const ended = after(ASKED, WROTE, end);
    expect(isUnderWay(ended)).toBe(false);
    const late = { kind: 'accepted', requestId: 'req_late', keyId: 'key_1' } as const;
    for (const event of [...ENDS, ASKED, SENT, WROTE, late])
      expect(afterEvent(ended, event)).toBe(ended);
  }
});

test('nothing but a question begins an answer', () => {
  for (const event of [WROTE, ...ENDS]) expect(afterEvent(IDLE, event)).toBe(IDLE);
});

test('the time to the first token begins when the request is sent', () => {
  expect(firstTokenMs(after(ASKED, SENT, WROTE))).toBe(100);
  expect(afterEvent(IDLE, SENT)).toBe(IDLE);
});

test('another part keeps the time of the first token', () => {
  const thought: AnswerEvent = { kind: 'wrote', at: 1_100, part: 'reasoning' };
  expect(after(ASKED, thought, WROTE)).toMatchObject({ part: 'text', firstAt: 1_100 });
});

test('the time of reasoning is counted until another part follows or the answer ends', () => {
  const thought = (at: number): AnswerEvent => ({ kind: 'wrote', at, part: 'reasoning' });
  expect(after(ASKED, thought(1_100))).toMatchObject({ thinkingSince: 1_100, thoughtMs: 0 });
  const wrote: AnswerEvent = { kind: 'wrote', at: 1_400, part: 'text' };
  const again = after(ASKED, thought(1_100), wrote, thought(1_500));
  expect(again).toMatchObject({ thinkingSince: 1_500, thoughtMs: 300 });
  const ended = afterEvent(again, { kind: 'stopped', at: 2_000 });
  expect(ended).toMatchObject({ thinkingSince: null, thoughtMs: 800 });
});

test('each way to end has words, and one that goes on has none', () => {
  expect(ENDS.map((end) => endingOf(after(ASKED, WROTE, end)))).toEqual([
    'Max tokens reached',
    'Stopped',
    'Refused',
    'Cut off',
  ]);
  expect(endingOf(after(ASKED))).toBeNull();
});

test.each([
  [402, 'insufficient_credit', 'Refused'],
  [404, 'model_not_found', 'Refused'],
  [429, 'rate_limited', 'Refused'],
  [429, 'key_limit_reached', 'Refused'],
  [503, 'no_capacity', 'Failed'],
  [0, 'unreachable', 'Failed'],
])('an answer with status %s and code %s has ended as "%s"', (status, code, ending) => {
  const fault = { status, code, message: 'A message.' };
  expect(endingOf(after(ASKED, { kind: 'failed', at: 1_100, fault }))).toBe(ending);
});

test('a cost is exact: cached tokens at their own price, none of it rounded', () => {
  // 6 × 0.2 + 4 × 0.05 + 101 × 0.6 millionths
  expect(costOf(USAGE, model().billed)).toBe('0.000062');
  expect(costOf({ ...USAGE, cached: null }, model().billed)).toBe('0.0000626');
  const tiny = { prompt: '0.000000000001', completion: '0', input_cache_read: '0' };
  expect(costOf({ ...USAGE, cached: 0 }, tiny)).toBe('0.00000000001');
});

test('a rate needs ten tokens after the first, and a time', () => {
  const few: AnswerEvent = { ...DONE, usage: { ...USAGE, completion: 10 } };
  expect(tokensPerSecond(after(ASKED, WROTE, few))).toBeNull();
  const atOnce: AnswerEvent = { ...DONE, at: 1_250 };
  expect(tokensPerSecond(after(ASKED, WROTE, atOnce))).toBeNull();
});
