/** Whether the failed requests of the last hour were in one region. */
import { expect, test } from 'vitest';
import { commonRegion } from '../../../../../../router/dashboard/pages/operator/fleet/common-region.ts';
import type { FleetHistory } from '../../../../../../shared/api/fleet-history.ts';
import type { Region } from '../../../../../../shared/region.ts';

type Group = FleetHistory['groups'][number];

/** By region: how many requests were answered, found no worker, and failed. */
function found(regions: Partial<Record<Region, readonly [number, number, number]>>) {
  const groups = Object.entries(regions).map(
    ([region, [answered, unavailable, failed]]) =>
      ({ region, total: { answered, unavailable, failed } }) as unknown as Group,
  );
  return commonRegion({ groups });
}

test('a region is named that had more than half of the failed requests, also of those without a worker', () => {
  expect(found({ global: [900, 0, 2], eu: [600, 0, 0], us: [143, 403, 51] })).toEqual({
    region: 'us',
    failed: 454,
    all: 456,
  });
  expect(found({ global: [9, 0, 2], us: [9, 1, 1] })).toBeNull();
  expect(found({ global: [9, 0, 0], us: [9, 0, 0] })).toBeNull();
});

test('the only region is not named', () => {
  expect(found({ us: [9, 0, 2] })).toBeNull();
  expect(found({})).toBeNull();
});
