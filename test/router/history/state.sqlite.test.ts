import { expect, test } from 'vitest';
import { stateNow } from '../../../router/history/state.ts';

const STATES = ['operational', 'degraded', 'no_capacity', 'no_data'] as const;

test('a worker that is ready now makes no recorded state better', () => {
  for (const state of STATES) {
    expect(stateNow(state, true)).toBe(state);
    expect(stateNow(state, null)).toBe(state);
  }
});

test('a model without a ready worker has no capacity now, whatever is recorded', () => {
  for (const state of [...STATES, null]) expect(stateNow(state, false)).toBe('no_capacity');
});

test('where nothing is recorded, the state is what the router sees', () => {
  expect(stateNow(null, true)).toBe('operational');
  expect(stateNow(null, null)).toBe('no_data');
});
