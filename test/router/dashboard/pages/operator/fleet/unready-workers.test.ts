/** What is said of workers that do not serve. */
import { expect, test } from 'vitest';
import {
  causeOf,
  usualModels,
} from '../../../../../../router/dashboard/pages/operator/fleet/unready-workers.ts';

test('the cause is the last note of an agent on a worker that serves nothing', () => {
  const notes = ['it has no metrics', 'its health check timed out'];
  expect(causeOf({ phase: 'joining', models: [], notes })).toBe('Its health check timed out');
  expect(causeOf({ phase: 'joining', models: [], notes: [] })).toBeNull();
  expect(causeOf({ phase: 'ready', models: ['acme/small'], notes })).toBeNull();
  expect(causeOf({ phase: 'draining', models: [], notes })).toBeNull();
});

test('the models of a worker that serves none are those that it served last', () => {
  const before = { at: '2026-11-29T08:00:00.000Z', models: ['acme/large'] };
  expect(usualModels({ models: ['acme/small'], last_ready: null })).toEqual(['acme/small']);
  expect(usualModels({ models: [], last_ready: before })).toEqual(['acme/large']);
  expect(usualModels({ models: [], last_ready: null })).toEqual([]);
  expect(usualModels({ models: [] })).toEqual([]);
});
