import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRateMax } from './calibrate.ts';
import type { Trial } from './plan.ts';
import { parseTextTrace } from './trace/text.ts';
import { runTrial } from './trial.ts';

const EXCERPT = parseTextTrace(readFileSync(join(import.meta.dirname, 'excerpt.txt'), 'utf8'));
const FLEET = { workers: 2, blocks: 100, requestsMax: 2000 };

test("at the highest rate the oracle's mean TTFT is three times its unloaded one", () => {
  const meanAt = (requestsPerS: number) => {
    const trial: Trial = {
      ...FLEET,
      trace: EXCERPT.name,
      policy: 'oracle',
      routers: 1,
      talk: 'silent',
      requestsPerS,
      seed: 1,
    };
    return runTrial(trial, EXCERPT).ttftMeanS;
  };
  const rateMax = findRateMax(EXCERPT, FLEET);
  const unloadedS = meanAt(0.06);
  expect(meanAt(rateMax)).toBeLessThanOrEqual(3 * unloadedS);
  expect(meanAt(rateMax * 1.1)).toBeGreaterThan(3 * unloadedS);
});

test('a trace that no rate can bring to its limit is refused', () => {
  const atOnce = parseTextTrace('#once 1 1 0\n0 10 1 0 0\n');
  expect(() => findRateMax(atOnce, FLEET)).toThrow(/give one by --rate/);
});
