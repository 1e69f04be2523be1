/** Which open incidents tell customers of what an alarm is about. */
import { expect, test } from 'vitest';
import {
  incidentsOf,
  isReported,
} from '../../../../../../router/dashboard/pages/operator/platform/alarm-incidents.ts';
import type { PlatformAlarm } from '../../../../../../shared/api/platform.ts';

const ALARM: PlatformAlarm = {
  kind: 'model_down',
  severity: 'urgent',
  message: 'The models lab/a and lab/b have no ready worker in EU.',
  page: 'fleet',
  count: null,
  last: null,
  models: ['lab/a', 'lab/b'],
  regions: ['eu'],
};
const OF_A = { models: ['lab/a'], regions: ['eu' as const] };
const OF_B = { models: ['lab/b'], regions: [] };
const OF_OTHERS = { models: ['lab/c'], regions: [] };
const ELSEWHERE = { models: ['lab/a'], regions: ['us' as const] };
const OF_ALL = { models: [], regions: [] };

test('an incident of the same model in the same region belongs to an alarm', () => {
  expect(incidentsOf(ALARM, [OF_A, OF_OTHERS, ELSEWHERE, OF_ALL])).toEqual([OF_A, OF_ALL]);
  expect(incidentsOf({ ...ALARM, models: [] }, [OF_ALL])).toEqual([]);
});

test('an alarm is reported once incidents name each of its models', () => {
  expect(isReported(ALARM, [OF_A])).toBe(false);
  expect(isReported(ALARM, [OF_A, OF_B])).toBe(true);
  expect(isReported(ALARM, [OF_ALL])).toBe(true);
  expect(isReported(ALARM, [ELSEWHERE, OF_B])).toBe(false);
});

test('of an alarm without regions, incidents must name all regions', () => {
  const everywhere = { ...ALARM, models: ['lab/a'], regions: [] };
  expect(isReported(everywhere, [OF_A])).toBe(false);
  expect(isReported(everywhere, [{ ...OF_A, regions: [] }])).toBe(true);
});
