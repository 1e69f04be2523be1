/** Where charts draw what happened. */
import { expect, test } from 'vitest';
import { markLines } from '../../../../router/dashboard/parts/marks.ts';
import type { Mark } from '../../../../router/dashboard/parts/series.ts';

const MINUTE_MS = 60_000;
const FIRST = Date.UTC(2026, 0, 1, 12);
const at = (minutes: number) => new Date(FIRST + minutes * MINUTE_MS).toISOString();
/** Ten buckets of ten minutes. */
const STARTS = Array.from({ length: 10 }, (_, nth) => at(10 * nth));
const UNTIL = FIRST + 100 * MINUTE_MS;

function mark(minutes: number, label: string, tone: Mark['tone'] = 'neutral'): Mark {
  return { at: at(minutes), label, text: `${label} something`, tone };
}

test('marks of one bucket are one line, which has the label and the tone of the worst', () => {
  const marks = [mark(19, 'Breaker open', 'bad'), mark(11, 'Drained', 'warn'), mark(15, 'Note')];
  expect(markLines(marks, STARTS, UNTIL)).toMatchObject([
    { start: at(10), label: 'Breaker open +2', tone: 'bad', isLeft: false },
  ]);
});

test('marks beyond the buckets are left out', () => {
  expect(markLines([mark(-1, 'Early'), mark(100, 'Late')], STARTS, UNTIL)).toEqual([]);
  expect(markLines([mark(0, 'First'), mark(99, 'Last')], STARTS, UNTIL)).toHaveLength(2);
  expect(markLines([mark(0, 'First')], [], UNTIL)).toEqual([]);
});

test('a label that would cover the one before is left out, and one at the right edge turns left', () => {
  const lines = markLines(
    [mark(0, 'A'), mark(20, 'B'), mark(50, 'C'), mark(95, 'D')],
    STARTS,
    UNTIL,
  );
  expect(lines.map(({ label, isLeft }) => [label, isLeft])).toEqual([
    ['A', false],
    ['', false],
    ['C', false],
    ['', true],
  ]);
  expect(markLines([mark(95, 'D')], STARTS, UNTIL)).toMatchObject([{ label: 'D', isLeft: true }]);
});

test('a worse mark takes the room of the label before it', () => {
  const lines = markLines(
    [mark(75, 'Connected'), mark(85, 'Disconnected', 'bad'), mark(95, 'Drained', 'warn')],
    STARTS,
    UNTIL,
  );
  expect(lines.map(({ label }) => label)).toEqual(['', 'Disconnected', '']);
  // The first label stands at the right of its line, and the second one at the left of its line.
  const facing = markLines([mark(50, 'Connected'), mark(80, 'Drained', 'warn')], STARTS, UNTIL);
  expect(facing.map(({ label, isLeft }) => [label, isLeft])).toEqual([
    ['', false],
    ['Drained', true],
  ]);
});
