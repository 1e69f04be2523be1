import { expect, test } from 'vitest';
import { steppedWidth } from '../../../../../router/dashboard/parts/chart/axis.ts';

test('the axis of a chart in a group keeps its width when its labels get a little longer or shorter', () => {
  expect(steppedWidth(51)).toBe(56);
  expect(steppedWidth(56)).toBe(56);
  expect(steppedWidth(57)).toBe(64);
  expect(steppedWidth(20)).toBe(steppedWidth(44));
});
