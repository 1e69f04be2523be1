/**
 * The text of an answer that an audit keeps: all generated text, or nothing if the text is too long
 * or has tool calls.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Reported, Sample } from '../../../router/metering/sample.ts';
import type { Delta } from '../../../router/fleet/stream.ts';
import { Budget } from '../../../shared/bounds/budget.ts';
import type { End } from '../../../shared/wire/end.ts';
import { escaped } from '../../../shared/wire/escaped.ts';

const BYTES_MAX = 64 * 1024;
const END: End = {
  outcome: 'finished',
  finish: 'stop',
  cut: false,
  cached: 0,
  reasoning: null,
};

function sampled(deltas: readonly Delta[], end: End = END) {
  const budget = new Budget<string>({ totalBytesMax: BYTES_MAX, peerBytesMax: BYTES_MAX });
  const reports: (Reported | null)[] = [];
  let passed = 0;
  const to = {
    delta: () => (passed += 1),
    counts() {},
    ended: () => (passed += 1),
    refused() {},
    lost() {},
  };
  const sample = new Sample(to, budget.lease('one'), (reported) => reports.push(reported));
  for (const delta of deltas) sample.delta(20, 1, delta, 0, 0);
  sample.counts(20, 1);
  sample.ended(20, 1, end);
  sample.lost();
  expect(passed).toBe(deltas.length + 1);
  expect(reports).toHaveLength(1);
  expect(budget.bytes).toBe(0);
  const answer = reports[0]?.answer ?? null;
  return answer && (JSON.parse(`"${answer.toString()}"`) as string);
}

function textOf(kind: 'content' | 'reasoning', text: string): Delta {
  return { kind, text: Buffer.from(escaped(text)) };
}

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '"', '\\', '水', '\u{1f30a}', 'data: '),
  minLength: 1,
});
const pieces = fc.array(text, { maxLength: 12 });

test('the text of an answer is its thoughts and its content, in the pieces that they came in', () => {
  fc.assert(
    fc.property(pieces, pieces, (thoughts, contents) => {
      const deltas = [
        ...thoughts.map((one) => textOf('reasoning', one)),
        ...contents.map((one) => textOf('content', one)),
      ];
      const all = [...thoughts, ...contents].join('');
      expect(sampled(deltas) ?? '').toBe(all);
    }),
  );
});

test('an answer that calls a tool is not compared: its tokens are not in its text', () => {
  const call: Delta = { kind: 'call', index: 0, id: Buffer.from('a'), name: Buffer.from('f') };
  expect(sampled([textOf('content', 'x'), call, textOf('content', 'y')])).toBeNull();
});

test('a long answer is not kept, nor one that was not finished', () => {
  const long = Array.from({ length: 70 }, () => textOf('content', 'x'.repeat(1_000)));
  expect(sampled(long)).toBeNull();
  expect(sampled([textOf('content', 'x')], { outcome: 'failed', reason: 'engine' })).toBeNull();
});
