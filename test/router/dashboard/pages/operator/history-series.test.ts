/** The lines of the charts of the fleet's history. */
import { expect, test } from 'vitest';
import {
  linesOf,
  type Measure,
  MEASURES,
  startsOf,
} from '../../../../../router/dashboard/pages/operator/history-series.ts';
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';

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
const NAMES = { model: null, region: null, agent: null, agent_name: null, worker: null };

test('a bucket without figures is a gap, and the last bucket counts as far as it has come', () => {
  const history: FleetHistory = {
    start: '2026-01-01T12:00:00.000Z',
    end: '2026-01-01T12:25:00.000Z',
    bucket_seconds: 600,
    groups: [
      {
        ...NAMES,
        total: NOTHING,
        points: [
          { ...NOTHING, at: '2026-01-01T12:00:00.000Z', answered: 20 },
          { ...NOTHING, at: '2026-01-01T12:20:00.000Z', answered: 20 },
        ],
      },
    ],
    omitted: 0,
  };
  expect(startsOf(history)).toHaveLength(3);
  const measure = MEASURES.find(({ title }) => title === 'Requests per minute') as Measure;
  expect(linesOf(history, measure, ['All'])).toEqual([{ name: 'All', values: [2, null, 4] }]);
});
