import { expect, test } from 'vitest';
import { type ModelState, stateNow } from '../../../router/history/state.ts';

test('the state at this moment follows what the router sees, and the history if it sees nothing', () => {
  for (const state of ['operational', 'degraded', 'no_capacity', 'no_data'] as const) {
    expect(stateNow({ state, wasServed: true }, null)).toBe(state);
    expect(stateNow({ state, wasServed: true }, false)).toBe('no_capacity');
  }
  const served = (state: ModelState, wasServed = true) => stateNow({ state, wasServed }, true);
  expect(served('operational')).toBe('operational');
  expect(served('degraded')).toBe('degraded');
  // A worker has come since the last minute was written.
  expect(served('no_capacity')).toBe('degraded');
  // A model that has just started was not worse before.
  expect(served('no_capacity', false)).toBe('operational');
  expect(served('no_data')).toBe('operational');
});
