/** What an alarm fills in of the incident that is reported. */
import { expect, test } from 'vitest';
import {
  draftOf,
  isIncident,
  placeOf,
} from '../../../../../../router/dashboard/pages/operator/platform/incident-draft.ts';
import { incidentsSearch } from '../../../../../../router/dashboard/operator-search.ts';
import type { PlatformAlarm } from '../../../../../../shared/api/platform.ts';

const ALARM: PlatformAlarm = {
  kind: 'model_down',
  severity: 'urgent',
  message: 'The model lab/a has no ready worker in EU.',
  page: 'fleet',
  count: null,
  last: null,
  since: '2026-11-21T08:30:15.123Z',
  models: ['lab/a'],
  regions: ['eu'],
};

test('an alarm of a model fills in the title, when it began, the model and the region', () => {
  const draft = {
    report: true,
    title: 'lab/a is unavailable in EU',
    started: '2026-11-21T08:30:15.123Z',
    models: 'lab/a',
    regions: 'eu',
  };
  expect(draftOf(ALARM, ['lab/a', 'lab/b'])).toEqual(draft);
  // The page reads it from its address again.
  expect(incidentsSearch(draft)).toEqual(draft);
  expect(placeOf(ALARM)).toEqual({ model: 'lab/a', region: 'eu' });
});

test('the start of an incident is left empty if it is not known since when the alarm holds', () => {
  expect(draftOf({ ...ALARM, since: null }, [])).not.toHaveProperty('started');
});

test('several models are counted, and the title has its bound', () => {
  const models = ['lab/a', 'lab/b', 'lab/c', `lab/${'d'.repeat(200)}`];
  const degraded: PlatformAlarm = { ...ALARM, kind: 'model_degraded', models, regions: [] };
  const { title } = draftOf(degraded, [...models, 'lab/e']);
  expect(title).toBe('4 models are degraded');
  const long = draftOf({ ...ALARM, models: models.slice(3) }, models);
  expect(long.title).toHaveLength(120);
  expect(placeOf({ ...ALARM, models })).toEqual({ region: 'eu' });
});

test('the title says that all models are affected, as the status page does', () => {
  const both = { ...ALARM, models: ['lab/a', 'lab/b'] };
  expect(draftOf(both, ['lab/b', 'lab/a']).title).toBe('All models are unavailable in EU');
  expect(draftOf(both, ['lab/b', 'lab/a', 'lab/c']).title).toBe('2 models are unavailable in EU');
  // The name of the only model says more.
  expect(draftOf(ALARM, ['lab/a']).title).toBe('lab/a is unavailable in EU');
  // The models are not known yet.
  expect(draftOf(both, []).title).toBe('2 models are unavailable in EU');
});

test('an alarm that is not about models is no incident', () => {
  const { models: _, ...other } = ALARM;
  expect(isIncident(ALARM)).toBe(true);
  expect(isIncident(other)).toBe(false);
});
