/** What an incident affects, while it is chosen. */
import { expect, test } from 'vitest';
import {
  affectedIn,
  isChosen,
  scopeOf,
  toggledScope,
} from '../../../../../router/dashboard/pages/status/scope.ts';

test('nothing is chosen at first, and all of them is a choice of its own', () => {
  expect(isChosen([])).toBe(false);
  expect(isChosen('all')).toBe(true);
  expect(isChosen(['eu'])).toBe(true);
  // The API has an empty list for all.
  expect(scopeOf([])).toBe('all');
  expect(affectedIn('all')).toEqual([]);
  expect(affectedIn(scopeOf(['eu']))).toEqual(['eu']);
});

test('all of them, and some of them, exclude each other', () => {
  expect(toggledScope(['eu'], ['eu', 'all'])).toBe('all');
  expect(toggledScope('all', ['all', 'us'])).toEqual(['us']);
  expect(toggledScope(['us'], ['us', 'eu'])).toEqual(['us', 'eu']);
  expect(toggledScope('all', [])).toEqual([]);
});
