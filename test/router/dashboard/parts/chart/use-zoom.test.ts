import { expect, test } from 'vitest';
import { beforeZoom } from '../../../../../router/dashboard/parts/chart/use-zoom.ts';
import type { UsageSearch } from '../../../../../router/dashboard/search.ts';

const DAYS = { from: '2026-11-03', to: '2026-11-05' };

test('a drag can be reset while its time is shown, also by another bucket', () => {
  const before: UsageSearch = { range: '30d' };
  expect(beforeZoom({ to: DAYS, before }, { ...DAYS, bucket: 'hour' })).toBe(before);
});

test('a time that no drag chose cannot be reset', () => {
  expect(beforeZoom(null, DAYS)).toBeNull();
  expect(beforeZoom({ to: DAYS, before: {} }, { ...DAYS, to: '2026-11-06' })).toBeNull();
  expect(beforeZoom({ to: DAYS, before: {} }, { from: undefined, to: undefined })).toBeNull();
});
