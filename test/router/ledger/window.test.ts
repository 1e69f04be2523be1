import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateWindow } from '../../../router/ledger/rules/window.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

/** Pauses between arrivals: bursts, a steady flow, and silences that empty part of the window. */
const pauses = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 3_000, max: 90_000 }) },
  ),
  { minLength: 1, maxLength: 200 },
);

/** Makes one request at each instant, and returns the instants that were admitted. */
function admit(
  limit: number,
  instants: readonly number[],
  through = (window: RateWindow) => window,
) {
  let window = new RateWindow();
  return instants.filter((now) => {
    window = through(window);
    if (window.waitMs('requests', limit, 1, now) > 0) return false;
    window.add('requests', 1, now);
    return true;
  });
}

function instantsOf(between: readonly number[]): number[] {
  let now = START;
  return between.map((pause) => (now += pause));
}

test('no sixty seconds admit more than the limit, whatever the arrivals are', () => {
  const property = fc.property(pauses, fc.integer({ min: 1, max: 20 }), (between, limit) => {
    const admitted = admit(limit, instantsOf(between));
    for (const [index, at] of admitted.entries()) {
      const within = admitted.slice(index).filter((later) => later - at < MINUTE_MS);
      expect(within.length).toBeLessThanOrEqual(limit);
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test('what is asked for without a pause is admitted at the limit, less half a second’s worth', () => {
  const every100Ms = Array.from({ length: 6_000 }, (_, n) => START + n * 100);
  const admitted = admit(300, every100Ms);
  // Ten minutes with a limit of 300 a minute. Each window of sixty seconds and a half admits all
  // 300.
  expect(admitted.length).toBeGreaterThanOrEqual(300 * 10 * 0.95);
  expect(admitted.length).toBeLessThanOrEqual(300 * 10);
});

test('after as long as it says there is room, and not a second before', () => {
  const property = fc.property(pauses, fc.integer({ min: 1, max: 20 }), (between, limit) => {
    const window = new RateWindow();
    for (const now of instantsOf(between)) {
      const wait = window.waitMs('requests', limit, 1, now);
      if (wait === 0) window.add('requests', 1, now);
      else {
        expect(window.waitMs('requests', limit, 1, now + wait)).toBe(0);
        expect(wait).toBeLessThanOrEqual(MINUTE_MS + 1_000);
        return;
      }
    }
  });
  fc.assert(property);
  const window = new RateWindow();
  window.add('requests', 2, START);
  window.add('requests', 1, START + 10_000);
  expect(window.waitMs('requests', 3, 1, START + 20_000)).toBe(40_500);
  expect(window.waitMs('requests', 3, 1, START + 60_499)).toBe(1);
  expect(window.waitMs('requests', 3, 3, START + 60_500)).toBe(10_000);
});

test('a window that was stored and read again admits the same', () => {
  const property = fc.property(pauses, fc.integer({ min: 1, max: 20 }), (between, limit) => {
    const instants = instantsOf(between);
    const stored = (window: RateWindow) =>
      RateWindow.of(window.newest, {
        requests: window.counts('requests'),
        tokens: window.counts('tokens'),
        waived: window.counts('waived'),
      });
    expect(admit(limit, instants, stored)).toEqual(admit(limit, instants));
  });
  fc.assert(property);
});

test('a clock that is behind counts into the newest second; one that was hours ahead is forgotten', () => {
  const window = new RateWindow();
  window.add('requests', 1, START + 30_000);
  window.add('requests', 1, START);
  expect(window.standing('requests', 5, START + 30_000)).toMatchObject({ limit: 5, remaining: 3 });
  window.add('requests', 5, START + 3_600_000);
  expect(window.waitMs('requests', 5, 1, START + 60_000)).toBe(0);
});

test('what is taken back makes room where it was counted, and leaves the window with it', () => {
  const window = new RateWindow();
  window.add('tokens', 100, START);
  window.takeBack('tokens', 90, START, START + 50_000);
  expect(window.waitMs('tokens', 200, 190, START + 50_000)).toBe(0);
  expect(window.waitMs('tokens', 200, 191, START + 50_000)).toBe(10_500);
  window.add('tokens', 200, START + 70_000);
  // The tokens were counted more than a minute ago, so none are left to be taken back.
  window.takeBack('tokens', 10, START, START + 70_000);
  expect(window.waitMs('tokens', 200, 1, START + 70_000)).toBe(60_500);
});
