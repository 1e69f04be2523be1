/** The demand for each model on the operators' first page. */
import { expect, test } from 'vitest';
import { demandByModel } from '../../../../../router/dashboard/pages/operator/demand.ts';
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';

const START = Date.UTC(2026, 0, 1, 12);
const NOTHING: FleetFigures = {
  answered: 0,
  cancelled: 0,
  refused: 0,
  limited: 0,
  unavailable: 0,
  failed: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  tokens_per_second: 0,
  ttft_ms: null,
  speed: null,
  queued: 0,
  availability: null,
  workers: null,
};

/** `loads`: the requests that run on four slots in each ten minutes. */
function peakOf(loads: readonly number[], minutes: number, answered = 1): number | null {
  const workers = { connected: 1, ready: 1, slots: 4, waiting: 0, kv_use: 0, gpus: 0 };
  const history = {
    start: new Date(START).toISOString(),
    end: new Date(START + minutes * 60_000).toISOString(),
    bucket_seconds: 600,
    groups: [
      {
        model: 'lab/one',
        total: { ...NOTHING, answered },
        points: loads.map((running, nth) => ({
          ...NOTHING,
          at: new Date(START + nth * 600_000).toISOString(),
          workers: { ...workers, running },
        })),
      },
    ],
    omitted: 0,
  };
  return demandByModel([], history as unknown as FleetHistory)[0]?.peak ?? null;
}

test('the peak is the busiest ten minutes that have passed, so that it does not fall', () => {
  expect(peakOf([1, 3, 2], 31)).toBe(0.75);
  // The mean of the ten minutes that run may still fall.
  expect(peakOf([1, 3, 4], 29)).toBe(0.75);
  expect(peakOf([4], 9)).toBeNull();
});

test('a model without requests has no peak', () => {
  expect(peakOf([1, 3, 2], 31, 0)).toBeNull();
});
