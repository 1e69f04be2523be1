import { expect, test } from 'vitest';
import { lastSuspension } from '../../../../router/dashboard/api/audit.ts';

const suspended = (reason?: string) => ({
  details: { status: 'suspended', ...(reason !== undefined && { reason }) },
});
const active = { details: { status: 'active' } };
const limits = { details: { requests_per_minute: 5 } };

test('a suspension that is repeated without a reason does not hide the one that has one', () => {
  const real = suspended('chargebacks');
  expect(lastSuspension([limits, suspended(), real, active, suspended('before')])).toBe(real);
  expect(lastSuspension([suspended('said again'), real])).toBe(real);
  const later = suspended('given later');
  expect(lastSuspension([later, suspended(), active])).toBe(later);
  const silent = suspended();
  expect(lastSuspension([limits, silent, active])).toBe(silent);
  expect(lastSuspension([limits])).toBeNull();
  expect(lastSuspension([active, suspended('before')])).toBeNull();
});
