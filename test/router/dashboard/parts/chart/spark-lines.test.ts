/** The lines of a sparkline. */
import { expect, test } from 'vitest';
import { sparkLines } from '../../../../../router/dashboard/parts/chart/spark-lines.ts';

test('a gap ends a line, and no line goes across it', () => {
  const lines = sparkLines([0, 1, null, 1, 0], 5, 1);
  expect(lines).toEqual(['0.0,15.0 15.0,1.0', '45.0,1.0 60.0,15.0']);
});

test('values that would only be a dot are not drawn', () => {
  expect(sparkLines([1], 60, 1)).toEqual([]);
  const some = (length: number) => Array.from({ length }, () => 1);
  expect(sparkLines(some(10), 60, 1)).toEqual([]);
  expect(sparkLines([null, 1, null, ...some(20)], 60, 1)).toHaveLength(1);
  expect(sparkLines([], 60, 1)).toEqual([]);
});
