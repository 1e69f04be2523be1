import { expect, test } from 'vitest';
import {
  hiddenAfterPress,
  hiddenAfterShiftPress,
  shownLines,
} from '../../../../../router/dashboard/parts/chart/shown-lines.ts';

const LINES = ['p50', 'p95', 'p99'].map((name) => ({ name }));
const NONE: ReadonlySet<string> = new Set();

function names(hidden: ReadonlySet<string>, lines = LINES): string[] {
  return shownLines(lines, hidden).map(({ name }) => name);
}

test('a press shows a line alone, another press another one, and a second press all of them', () => {
  const alone = hiddenAfterPress(LINES, NONE, 'p95');
  expect(names(alone)).toEqual(['p95']);
  expect(names(hiddenAfterPress(LINES, alone, 'p50'))).toEqual(['p50']);
  expect(names(hiddenAfterPress(LINES, alone, 'p95'))).toEqual(['p50', 'p95', 'p99']);
});

test('a press with Shift hides a line, and shows it again', () => {
  const two = hiddenAfterShiftPress(LINES, NONE, 'p99');
  expect(names(two)).toEqual(['p50', 'p95']);
  const one = hiddenAfterShiftPress(LINES, two, 'p50');
  expect(names(one)).toEqual(['p95']);
  expect(names(hiddenAfterShiftPress(LINES, one, 'p99'))).toEqual(['p95', 'p99']);
  // The last one stays, because an empty chart would say nothing.
  expect(names(hiddenAfterShiftPress(LINES, one, 'p95'))).toEqual(['p50', 'p95', 'p99']);
});

test('a line keeps its colour while others are hidden', () => {
  expect(shownLines(LINES, new Set(['p50']))).toEqual([
    { name: 'p95', colour: 1 },
    { name: 'p99', colour: 2 },
  ]);
});

test('the choice of one chart neither empties another nor forgets what is hidden there', () => {
  const other = [{ name: 'p50' }];
  expect(names(hiddenAfterPress(LINES, NONE, 'p95'), other)).toEqual(['p50']);
  const kept = hiddenAfterPress(LINES, new Set(['gpu-1']), 'p95');
  expect(names(kept, [{ name: 'gpu-1' }, { name: 'gpu-2' }])).toEqual(['gpu-2']);
});
