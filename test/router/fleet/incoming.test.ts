/** The records of one answer: their valid content, order and number. */
import { expect, test } from 'vitest';
import { Incoming } from '../../../router/fleet/incoming.ts';
import { limits } from '../../../shared/limits.ts';
import {
  CALL_ID_BYTES_MAX,
  CALL_NAME_BYTES_MAX,
  CALLS_MAX,
  DELTA_OVERHEAD_BYTES,
  packCall,
  packIndex,
} from '../../../shared/wire/deltas.ts';
import { FrameError, type Kind, KIND } from '../../../shared/wire/frames.ts';
import type { Grant } from '../../../shared/wire/messages.ts';

const GRANT: Grant = { tokens: 100, bytes: 64 * 1024, final: false };

function start(more: Partial<{ endpoint: 'chat' | 'completions'; streamed: boolean }> = {}) {
  const heard: unknown[][] = [];
  const incoming = new Incoming(
    { endpoint: 'chat', streamed: true, grant: GRANT, ...more },
    {
      delta: (...args) => heard.push(args),
      counts: (prompt, completion) => heard.push([prompt, completion]),
      ended() {},
      refused() {},
      lost() {},
    },
  );
  const take = (kind: Kind, completion = 1, bytes: string | Buffer = '') =>
    incoming.take(kind, 7, completion, Buffer.from(bytes as string));
  return { incoming, take, heard };
}

function callOf(index: number, id = 'id', name = 'name'): Buffer {
  return Buffer.concat([packCall(index, Buffer.byteLength(id)), Buffer.from(id + name)]);
}

function argumentsOf(index: number, text: string): Buffer {
  return Buffer.concat([packIndex(index), Buffer.from(text)]);
}

function endOf(finish: string): Buffer {
  const end = { outcome: 'finished', finish, cut: false, cached: null, reasoning: null };
  return Buffer.from(JSON.stringify(end));
}

test('each kind of record is what it says, and each delta is counted with its overhead and its text', () => {
  const { take, heard } = start();
  take(KIND.counts, 0);
  take(KIND.reasoning, 1, 'hm');
  take(KIND.content, 2, '\\n水');
  take(KIND.call, 3, callOf(0));
  take(KIND.arguments, 4, argumentsOf(0, '{\\"'));
  expect(heard).toEqual([
    [7, 0],
    [7, 1, { kind: 'reasoning', text: Buffer.from('hm') }, DELTA_OVERHEAD_BYTES + 2, 2],
    [7, 2, { kind: 'content', text: Buffer.from('\\n水') }, DELTA_OVERHEAD_BYTES + 5, 5],
    [
      7,
      3,
      { kind: 'call', index: 0, id: Buffer.from('id'), name: Buffer.from('name') },
      DELTA_OVERHEAD_BYTES + 10,
      10,
    ],
    [7, 4, { kind: 'arguments', index: 0, text: Buffer.from('{\\"') }, DELTA_OVERHEAD_BYTES + 5, 5],
  ]);
});

const FORGED = Buffer.from('"}}]}\n\ndata: [DONE]\n\n');
const LONG = (bytes: number) => 'x'.repeat(bytes + 1);

const BROKEN: [what: string, kind: Kind, bytes: string | Buffer][] = [
  ['text without any', KIND.content, ''],
  ['reasoning without any', KIND.reasoning, ''],
  ['text that ends its event', KIND.content, FORGED],
  ['reasoning that ends its event', KIND.reasoning, FORGED],
  ['an id that ends its event', KIND.call, callOf(0, FORGED.toString())],
  ['a name that ends its event', KIND.call, callOf(0, 'id', FORGED.toString())],
  ['an id that is cut within an escape by its name', KIND.call, callOf(0, 'a\\', 'n')],
  ['a call without an id', KIND.call, callOf(0, '')],
  ['a call without a name', KIND.call, callOf(0, 'id', '')],
  ['a call whose id is too long', KIND.call, callOf(0, LONG(CALL_ID_BYTES_MAX))],
  ['a call whose name is too long', KIND.call, callOf(0, 'id', LONG(CALL_NAME_BYTES_MAX))],
  ['a call that skips an index', KIND.call, callOf(1)],
  ['a call whose id is longer than its record', KIND.call, packCall(0, 9)],
  ['a call that is cut short', KIND.call, Buffer.alloc(3)],
  ['arguments of no call', KIND.arguments, argumentsOf(0, '{}')],
  ['arguments that are cut short', KIND.arguments, Buffer.alloc(1)],
  ['counts with bytes', KIND.counts, 'x'],
  ['a piece of a body', KIND.body, 'x'],
];
test.each(BROKEN)('%s: a violation, of which nothing is passed on', (_what, kind, bytes) => {
  const { take, heard } = start();
  expect(() => take(kind, 1, bytes)).toThrow(FrameError);
  expect(heard).toEqual([]);
});

test('a call may begin once, its arguments are never empty, and there are only so many calls', () => {
  const { incoming, take } = start();
  incoming.grant({ tokens: 100, bytes: 16 * 1024 * 1024, final: false });
  take(KIND.call, 1, callOf(0));
  expect(() => take(KIND.call, 1, callOf(0))).toThrow('out of order');
  expect(() => take(KIND.arguments, 1, argumentsOf(0, ''))).toThrow('empty');
  expect(() => take(KIND.arguments, 1, argumentsOf(1, 'x'))).toThrow('not begun');
  expect(() => take(KIND.arguments, 1, argumentsOf(0, '"'))).toThrow('not escaped');
  for (let index = 1; index < CALLS_MAX; index++) take(KIND.call, 1, callOf(index));
  expect(() => take(KIND.call, 1, callOf(CALLS_MAX))).toThrow('out of order');
});

test('a text completion contains only text', () => {
  const { take } = start({ endpoint: 'completions' });
  take(KIND.content, 1, 'Once');
  expect(() => take(KIND.reasoning, 1, 'hm')).toThrow('only text');
  expect(() => take(KIND.call, 1, callOf(0))).toThrow('only text');
});

test('tokens and bytes beyond the grant are a violation, and records of one byte burn the bytes', () => {
  const { incoming, take, heard } = start();
  take(KIND.content, 100, 'x');
  expect(() => take(KIND.content, 101, 'x')).toThrow('token grant');
  expect(() => take(KIND.counts, 101)).toThrow('token grant');
  const fits = Math.floor(GRANT.bytes / (DELTA_OVERHEAD_BYTES + 1));
  while (heard.length < fits) take(KIND.content, 100, 'x');
  expect(() => take(KIND.content, 100, 'x')).toThrow('byte grant');
  incoming.grant({ ...GRANT, tokens: 101, bytes: 2 * GRANT.bytes });
  take(KIND.content, 101, 'x');
});

test('an answer that is not streamed may cost so much, whatever was granted', () => {
  for (const streamed of [true, false]) {
    const { incoming, take } = start({ streamed });
    incoming.grant({ ...GRANT, bytes: 2 * limits.answerBytesMax });
    const text = 'x'.repeat(1024 * 1024);
    const flood = () => {
      for (let bytes = 0; bytes < limits.answerBytesMax; bytes += text.length) {
        take(KIND.content, 1, text);
      }
    };
    if (streamed) flood();
    else expect(flood).toThrow('too large');
  }
});

test('counts that have not grown may be told first, and once for each grant', () => {
  const { incoming, take } = start();
  take(KIND.counts, 0);
  take(KIND.counts, 0);
  expect(() => take(KIND.counts, 0)).toThrow('repeats its counts');
  for (let completion = 1; completion <= 50; completion++) take(KIND.counts, completion);
  expect(() => take(KIND.counts, 50)).toThrow('repeats its counts');
  incoming.grant(GRANT);
  take(KIND.counts, 50);
  expect(() => take(KIND.counts, 49)).toThrow('repeats its counts');
  // Deltas have their own bound.
  take(KIND.content, 50, 'x');
  expect(() => take(KIND.counts, 50)).toThrow('repeats its counts');
});

test('an end is short, and one of tool calls has some', () => {
  const { incoming, take } = start();
  expect(() => incoming.end(1, endOf('tool_calls'))).toThrow('without a tool call');
  expect(() => incoming.end(1, Buffer.alloc(2_000, ' '))).toThrow('too long');
  expect(() => incoming.end(1, endOf('paid'))).toThrow();
  take(KIND.call, 1, callOf(0));
  expect(incoming.end(1, endOf('tool_calls'))).toMatchObject({ finish: 'tool_calls' });
});

test('what it counts for its worker never passes the grant, and never goes back', () => {
  const { incoming, take } = start();
  take(KIND.content, 60, 'x');
  take(KIND.content, 10, 'x');
  expect(incoming.completion).toBe(60);
  incoming.end(0xffff_ffff, endOf('stop'));
  expect(incoming.completion).toBe(GRANT.tokens);
});
