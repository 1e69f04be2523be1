import { expect, test } from 'vitest';
import { cellOf } from '../../../router/history/cells.ts';
import { FAILED, LISTENED, noFigures, SERVED } from '../../../router/history/figures.ts';
import { RecentMinutes, stateNow } from '../../../router/history/state.ts';

const STATES = ['operational', 'degraded', 'no_capacity'] as const;

test('a worker that is ready now makes no recorded state better', () => {
  for (const state of STATES) {
    expect(stateNow(state, true)).toBe(state);
    expect(stateNow(state, null)).toBe(state);
  }
});

test('a model without a ready worker has no capacity now, whatever is recorded', () => {
  for (const state of [...STATES, null]) expect(stateNow(state, false)).toBe('no_capacity');
});

type Minutes = readonly (readonly [listened: number, served: number, failed?: number] | null)[];

/** The samples of single minutes, the oldest first; null where no router ran. */
function recentOf(minutes: Minutes): RecentMinutes {
  const recent = new RecentMinutes(0);
  for (const [ordinal, minute] of minutes.entries()) {
    if (minute === null) continue;
    const figures = noFigures();
    [figures[LISTENED], figures[SERVED], figures[FAILED] = 0] = minute;
    recent.add(ordinal, cellOf(figures));
  }
  return recent;
}

const recorded = (minutes: Minutes) => recentOf(minutes).state;

const GOOD = [6, 6] as const;

test('one sample that a router takes before its agents have joined makes no state worse', () => {
  expect(recorded([GOOD, GOOD, null, [1, 0]])).toBe('operational');
  expect(recorded([GOOD, GOOD, null, [1, 0], GOOD])).toBe('operational');
  expect(recorded([[1, 0]])).toBeNull();
  expect(recorded([GOOD, GOOD, null, [3, 0]])).toBe('no_capacity');
  expect(recorded([GOOD, GOOD, [2, 0], [2, 0]])).toBe('no_capacity');
});

test('a model is degraded when no worker was ready for more than 30 seconds of ten minutes', () => {
  expect(recorded([GOOD, [6, 3], GOOD])).toBe('operational');
  expect(recorded([GOOD, [6, 3], [6, 5]])).toBe('degraded');
  expect(recorded([[6, 0], [6, 2], GOOD])).toBe('operational');
});

test('a degraded model has no fault now once its worker is ready again and no request fails', () => {
  const afterRestart: Minutes = [GOOD, GOOD, null, [6, 1], GOOD];
  expect(recorded(afterRestart)).toBe('degraded');
  expect(recentOf(afterRestart).hasFaultNow).toBe(false);
  expect(recentOf(afterRestart.slice(0, -1)).hasFaultNow).toBe(true);
  const failing: Minutes = [GOOD, [6, 6, 30], GOOD, GOOD];
  expect(recorded(failing)).toBe('degraded');
  expect(recentOf(failing).hasFaultNow).toBe(true);
  expect(recentOf([...failing, GOOD]).hasFaultNow).toBe(false);
});

test('where too little is recorded, the state is what the router sees', () => {
  expect(stateNow(null, true)).toBe('operational');
  expect(stateNow(null, null)).toBe('no_data');
});
