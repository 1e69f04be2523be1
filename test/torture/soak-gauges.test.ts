/** What the soak takes for growth. */
import { expect, test } from 'vitest';
import { judgeSeries, type Series } from './soak-gauges.ts';

const MINUTE_MS = 60_000;
const LENGTH_MS = 30 * MINUTE_MS;

/** A sample each ten seconds. */
function series(name: string, unit: Series['unit'], valueAt: (minute: number) => number): Series {
  const samples = Array.from({ length: 180 }, (_, nth) => {
    const atMs = (nth + 1) * 10_000;
    return { atMs, value: valueAt(atMs / MINUTE_MS) };
  });
  return { name, unit, growthMax: 0.1, samples };
}

const large = { ...series('store', 'MB', () => 100), growthMax: null };

function faults(...all: Series[]): string[] {
  return judgeSeries(all, LENGTH_MS).flatMap(({ fault }) => fault ?? []);
}

test('what grows at first and is flat then is no fault', () => {
  const warm = series('agent memory', 'MB', (minute) => Math.min(100, 50 + 20 * minute));
  expect(judgeSeries([warm], LENGTH_MS)).toEqual([
    { name: 'agent memory', told: '100.0 → 100.0 MB (0.0 an hour)', fault: null },
  ]);
});

test('what grows steadily is a fault, with its slope', () => {
  const leak = series('agent memory', 'MB', (minute) => 100 + minute);
  expect(faults(leak)).toEqual(['agent memory: 107.5 → 127.5 MB (60.0 an hour)']);
  const handles = series('router handles', '', (minute) => 400 + 10 * minute);
  expect(faults(handles)).toEqual(['router handles: 475 → 675 (600 an hour)']);
});

test('what varies and does not grow is no fault', () => {
  const noisy = series('router memory', 'MB', (minute) => 400 + 60 * Math.sin(3 * minute));
  expect(faults(large, noisy)).toEqual([]);
});

test('a router may grow with its store until its page caches are full, and no further', () => {
  const growing = series('store', 'MB', (minute) => 5 * minute);
  const caches = (minute: number) => 2 * Math.min(67, 5 * minute);
  const router = series('router memory', 'MB', (minute) => 300 + caches(minute));
  expect(faults({ ...growing, growthMax: null }, router)).toEqual([]);
  const leaking = series('router memory', 'MB', (minute) => 300 + caches(minute) + 4 * minute);
  expect(faults({ ...growing, growthMax: null }, leaking)).toHaveLength(1);
  // No other figure may.
  expect(faults({ ...growing, growthMax: null }, { ...router, name: 'agent memory' })).toHaveLength(
    1,
  );
});

test('a figure that could not be read is a fault', () => {
  expect(faults(series('router handles', '', () => Number.NaN))).toHaveLength(1);
});
