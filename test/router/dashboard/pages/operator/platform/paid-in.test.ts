import { expect, test } from 'vitest';
import {
  besidePaidIn,
  netPaidIn,
} from '../../../../../../router/dashboard/pages/operator/platform/paid-in.ts';

const QUIET = { payments: '0', refunds: '0', credits: '0' };

test('what was refunded is not paid in, and is named beside it, as is the credit that was granted less what was removed', () => {
  const days = [
    { payments: '50', refunds: '0', credits: '15' },
    { payments: '10.25', refunds: '-7.5', credits: '100' },
    QUIET,
  ];
  expect(netPaidIn(days)).toBe('52.75');
  expect(besidePaidIn(days)).toEqual([
    '$7.50 refunded',
    '$115.00 of credit granted, less what was removed',
  ]);
});

test('a day with a refund alone has a negative amount paid in', () => {
  const days = [{ ...QUIET, refunds: '-7.5', credits: '-2' }];
  expect(netPaidIn(days)).toBe('-7.5');
  expect(besidePaidIn(days)).toEqual([
    '$7.50 refunded',
    '$2.00 of credit removed, less what was granted',
  ]);
});

test('nothing is named beside the payments if nothing was refunded or granted', () => {
  expect(netPaidIn([{ ...QUIET, payments: '5' }])).toBe('5');
  expect(besidePaidIn([{ ...QUIET, payments: '5' }])).toEqual([]);
});
