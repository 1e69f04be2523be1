import { expect, test } from 'vitest';
import { overlap } from '../../../../../router/dashboard/pages/status/summary.ts';

test('incidents overlap if a model and a region are affected by both, and an empty list is all', () => {
  const all = { models: [], regions: [] };
  const inEu = { models: ['a', 'b'], regions: ['eu'] } as const;
  expect(overlap(all, inEu)).toBe(true);
  expect(overlap(inEu, { models: ['b'], regions: [] })).toBe(true);
  expect(overlap(inEu, { models: ['c'], regions: ['eu'] })).toBe(false);
  expect(overlap(inEu, { models: ['a'], regions: ['us'] })).toBe(false);
});
