/** What the router learns about prefill times. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PrefillFit } from '../../../router/routing/prefill-fit.ts';
import { seededRandom } from '../../../shared/random.ts';

const real = (tokens: number) => 20e-6 * tokens + 4e-10 * tokens * tokens;

/** Mostly short prompts, as customers send them, and sometimes a long one. */
function learn(rounds: number, taken: (tokens: number, chance: number) => number): PrefillFit {
  const random = seededRandom(7);
  const fit = new PrefillFit();
  for (let round = 0; round < rounds; round++) {
    const tokens = Math.round(600 * 100 ** (random.unit() ** 2));
    fit.observe(0, tokens, taken(tokens, random.unit()));
  }
  return fit;
}

test('what every first token takes besides its prompt makes no long prompt look cheap', () => {
  const fit = learn(600, (tokens) => 0.08 + real(tokens));
  for (const tokens of [5_000, 20_000, 80_000]) {
    expect(fit.seconds(0, tokens) / real(tokens)).toBeGreaterThan(0.95);
    expect(fit.seconds(0, tokens) / real(tokens)).toBeLessThan(1.05);
  }
});

test('engines that take now more and now less are not forecast by those that take less', () => {
  const fit = learn(2_000, (tokens, chance) => real(tokens) * (0.5 + chance));
  for (const tokens of [5_000, 20_000, 80_000]) {
    expect(fit.seconds(0, tokens) / real(tokens)).toBeGreaterThan(0.85);
    expect(fit.seconds(0, tokens) / real(tokens)).toBeLessThan(1.15);
  }
});

test('a prompt that is cached up to a token costs what comes after it', () => {
  const fit = learn(600, (tokens) => real(tokens));
  const after = real(40_000) - real(30_000);
  expect(fit.seconds(30_000, 40_000) / after).toBeGreaterThan(0.95);
  expect(fit.seconds(30_000, 40_000) / after).toBeLessThan(1.05);
});

test('a prefill of less than a step tells nothing', () => {
  const fit = new PrefillFit();
  const before = fit.seconds(0, 10_000);
  expect(fit.observe(9_700, 10_000, 1)).toBe(false);
  expect(fit.seconds(0, 10_000)).toBe(before);
});

test('whatever is seen, more of a prompt takes more seconds, and a finite number of them', () => {
  const seen = fc.record({
    from: fc.integer({ min: 0, max: 100_000 }),
    tokens: fc.integer({ min: 1, max: 1_000_000 }),
    seconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 60 }), (all) => {
      const fit = new PrefillFit();
      for (const { from, tokens, seconds } of all) fit.observe(from, from + tokens, seconds);
      const taken = [1, 100, 10_000, 1_000_000].map((tokens) => fit.seconds(0, tokens));
      expect(taken.every((one) => Number.isFinite(one) && one > 0)).toBe(true);
      expect(taken).toEqual(taken.toSorted((one, other) => one - other));
    }),
  );
});
