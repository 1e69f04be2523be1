/** What the page of a key says of its last use while none is written. */
import { expect, test } from 'vitest';
import {
  isUseAwaited,
  NOT_RECORDED_NOTE,
  withoutUse,
  withoutUseNote,
} from '../../../../../router/dashboard/pages/keys/last-use.ts';

const spend = { today: '0.5', month: '0.5', total: '0.5' };
const used = { last_used: null, spend };

test('a last use that is not written is awaited for ten loads of the key, and then not any more', () => {
  const loads = Array.from({ length: 12 }, (_, at) => at + 1);
  expect(loads.filter((count) => isUseAwaited(used, count))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(withoutUse(used, true)).toBe('Not recorded yet');
  expect(withoutUse(used)).toBe('Not recorded');
  expect(withoutUseNote(used, false)).toBe(NOT_RECORDED_NOTE);
});

test('nothing is awaited of a key that was never used, or whose last use is written', () => {
  const unused = { last_used: null, spend: { today: '0', month: '0', total: '0' } };
  expect(isUseAwaited(unused, 1)).toBe(false);
  expect(withoutUse(unused)).toBe('Never');
  expect(isUseAwaited({ last_used: '2026-11-27T04:00:00.000Z', spend }, 1)).toBe(false);
});
