import { expect, test } from 'vitest';
import { shareOf } from '../../../../router/dashboard/format/usd.ts';

test.each([
  ['0', '25', 0],
  ['24.999999', '25', 0.999],
  ['25', '25', 1],
  ['30', '25', 1.2],
  ['0', '0', 1],
])('of a cap, %s of %s is a share of %s, never rounded up', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});
