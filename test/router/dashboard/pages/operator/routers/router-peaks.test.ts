import { expect, test } from 'vitest';
import { highestOf } from '../../../../../../router/dashboard/pages/operator/routers/router-peaks.ts';
import type { RouterHistory } from '../../../../../../shared/api/routers.ts';

function point(change: Partial<RouterHistory['points'][number]>): RouterHistory['points'][number] {
  return {
    at: '2026-11-28T19:00:00.000Z',
    seconds: 300,
    requests: 0,
    errors: 0,
    completion_tokens: 0,
    ttft_ms: null,
    store_ms: null,
    ...change,
  };
}

test('the highest of an hour leaves out what was not measured', () => {
  const points = [point({ store_ms: 4 }), point({ store_ms: 31, memory_bytes: 9 }), point({})];
  expect(highestOf({ points }, 'store_ms')).toBe(31);
  expect(highestOf({ points }, 'memory_bytes')).toBe(9);
  expect(highestOf({ points }, 'loop_delay_ms')).toBeNull();
});
