import { expect, test } from 'vitest';
import { stateNow } from '../../../router/history/state.ts';

test('the state at this moment follows what the router sees, and the history if it sees nothing', () => {
  for (const state of ['operational', 'degraded', 'no_capacity', 'no_data'] as const) {
    expect(stateNow(state, null)).toBe(state);
    expect(stateNow(state, false)).toBe('no_capacity');
  }
  expect(stateNow('operational', true)).toBe('operational');
  expect(stateNow('degraded', true)).toBe('degraded');
  // A worker has come since the last minute was written.
  expect(stateNow('no_capacity', true)).toBe('degraded');
  expect(stateNow('no_data', true)).toBe('operational');
});
