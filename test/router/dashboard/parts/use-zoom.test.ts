import { expect, test } from 'vitest';
import { beforeZoom } from '../../../../router/dashboard/parts/use-zoom.ts';

const DAYS = { from: '2026-11-03', to: '2026-11-05' };
const BEFORE = { range: '30d' } as const;

test('a drag can be reset while its time is shown, also by another bucket', () => {
  const shown = { range: undefined, bucket: 'hour', ...DAYS };
  expect(beforeZoom({ to: DAYS, before: { ...shown, ...BEFORE } }, shown)).toMatchObject(BEFORE);
});

test('a time that no drag chose cannot be reset', () => {
  expect(beforeZoom(null, DAYS)).toBeNull();
  expect(beforeZoom({ to: DAYS, before: {} }, { ...DAYS, to: '2026-11-06' })).toBeNull();
  expect(beforeZoom({ to: DAYS, before: {} }, { from: undefined, to: undefined })).toBeNull();
});
