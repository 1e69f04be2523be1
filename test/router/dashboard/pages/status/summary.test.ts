import { expect, test } from 'vitest';
import { affects, summaryOf } from '../../../../../router/dashboard/pages/status/summary.ts';
import type { ModelStatus, RegionState } from '../../../../../shared/api/public-figures.ts';

/** One model for each list of states, which are those of its regions. */
function models(...states: RegionState['state'][][]): ModelStatus[] {
  return states.map((all, nth) => ({
    id: `lab/${nth}`,
    name: `Model ${nth}`,
    regions: all.map((state) => ({
      region: 'global',
      state,
      uptime: null,
      uptime_since: null,
      days: [],
      outages: [],
    })),
  }));
}

test('one sentence says how all models are', () => {
  const told = (...states: RegionState['state'][][]) => summaryOf(models(...states), []);
  expect(told()).toEqual({ tone: 'neutral', text: 'There is no data yet.' });
  expect(told(['no_data'])).toMatchObject({ tone: 'neutral' });
  expect(told(['operational'], ['operational', 'operational'])).toEqual({
    tone: 'good',
    text: 'All models are operational.',
  });
  expect(told(['operational', 'no_capacity'], ['degraded'], ['degraded'], ['no_data'])).toEqual({
    tone: 'warn',
    text: '1 model unavailable, 2 models degraded, and 1 model without data.',
  });
});

test('an open incident comes first, however well the models do', () => {
  const slow = { title: 'Slow answers' };
  expect(summaryOf(models(['operational']), [slow])).toEqual({
    tone: 'warn',
    text: '1 open incident: Slow answers',
  });
  expect(summaryOf(models(['degraded']), [slow, { title: 'Late emails' }])).toEqual({
    tone: 'warn',
    text: '2 open incidents: Slow answers, Late emails – 1 model degraded.',
  });
});

test('an incident without models or regions is one of all of them', () => {
  expect(affects({ models: [], regions: [] }, 'lab/0', 'eu')).toBe(true);
  expect(affects({ models: ['lab/0'], regions: [] }, 'lab/0', 'eu')).toBe(true);
  expect(affects({ models: ['lab/0'], regions: ['us'] }, 'lab/0', 'eu')).toBe(false);
  expect(affects({ models: ['lab/1'], regions: [] }, 'lab/0', 'eu')).toBe(false);
});
