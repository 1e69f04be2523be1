/** What the router learns about the speed of workers. */
import { expect, test } from 'vitest';
import { Speed } from '../../../router/routing/speed.ts';

/**
 * Workers whose real time is this multiple of the forecast, judged in turn against their forecasts.
 */
function learn(real: readonly number[], rounds: number): Speed[] {
  const speeds = real.map(() => new Speed());
  for (let round = 0; round < rounds; round++) {
    for (const [at, speed] of speeds.entries()) {
      speed.update((real[at] as number) / speed.value, speeds);
    }
  }
  return speeds;
}

test('workers that are alike have one speed, whatever chance made of each', () => {
  const speeds = Array.from({ length: 16 }, () => new Speed());
  for (let round = 0; round < 200; round++) {
    for (const [at, speed] of speeds.entries()) {
      speed.update((round + at) % 2 === 0 ? 1.3 : 1 / 1.3, speeds);
    }
  }
  const values = speeds.map(({ value }) => value);
  expect(Math.max(...values)).toBe(Math.min(...values));
  expect(new Set(speeds.map(({ learned }) => learned)).size).toBeGreaterThan(1);
});

test('a fleet that is slower than the forecast is found to be', () => {
  for (const { value } of learn(
    Array.from({ length: 8 }, () => 2),
    200,
  )) {
    expect(value).toBeGreaterThan(1.9);
    expect(value).toBeLessThan(2.1);
  }
});

test('one that is far slower than the others is told apart from them', () => {
  const [slow, ...others] = learn([2, 1, 1, 1, 1, 1, 1, 1], 400) as [Speed, ...Speed[]];
  expect(slow.value).toBeGreaterThan(1.5);
  for (const { value } of others) expect(value).toBeLessThan(1.15);
});

test('speeds and the seconds of a prefill are learned side by side, and neither runs away', () => {
  const speeds = Array.from({ length: 8 }, () => new Speed());
  const real = (at: number) => (at === 0 ? 2 : 1);
  // `seconds` is the time that an average worker takes alone, as learned from each worker. Beside
  // other requests every worker takes a fifth longer.
  let seconds = 1;
  for (let round = 0; round < 5_000; round++) {
    for (const [at, speed] of speeds.entries()) {
      speed.update((1.2 * real(at)) / (speed.value * seconds), speeds);
      seconds += 0.01 * (real(at) / speed.relative - seconds);
      for (const one of speeds) one.decay();
    }
  }
  const [slow, ...others] = speeds.map(({ value }) => value * seconds) as [number, ...number[]];
  for (const [at, { learned }] of speeds.entries()) expect([at, learned < 4]).toEqual([at, true]);
  for (const other of others) {
    expect(other).toBeGreaterThan(0.8);
    expect(other).toBeLessThan(1.3);
    expect(slow / other).toBeGreaterThan(1.35);
  }
});

test('what a fleet has in common fades with each prefill that told it, what sets one apart stays', () => {
  const speeds = learn([3, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5], 400);
  const apart = (speeds[0] as Speed).relative;
  for (let seen = 0; seen < 1_000; seen++) for (const speed of speeds) speed.decay();
  expect((speeds[0] as Speed).relative).toBeCloseTo(apart, 6);
  expect((speeds[0] as Speed).value).toBeCloseTo(apart, 3);
});

test('one that has no others is as fast as it is seen to be', () => {
  const alone = new Speed();
  for (let round = 0; round < 200; round++) alone.update(1.1 / alone.value, [alone]);
  expect(alone.value).toBeCloseTo(1.1, 3);
  expect(alone.relative).toBe(1);
});

test('no report makes a worker faster or slower than can be', () => {
  const speed = new Speed();
  for (let round = 0; round < 1_000; round++) speed.update(Number.MAX_VALUE, []);
  expect(speed.learned).toBe(8);
  for (let round = 0; round < 2_000; round++) speed.update(0, []);
  expect(speed.learned).toBe(0.1);
});
