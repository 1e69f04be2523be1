/**
 * The product's default policy on a small excerpt of a trace: the bench can run it, and it gives
 * the expected results.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { CONTENDERS, type Contender, RULE, type Talk } from './plan.ts';
import { promptOf } from './routers/prompt.ts';
import { parseTextTrace } from './trace/text.ts';
import { runTrial } from './trial.ts';

const EXCERPT = parseTextTrace(readFileSync(join(import.meta.dirname, 'excerpt.txt'), 'utf8'));

function run(policy: Contender, routers = 1, talk: Talk = 'silent'): Omit<Figures, 'decisionNs'> {
  const place = {
    trace: EXCERPT.name,
    workers: 4,
    requestsPerS: 2.4,
    blocks: 1000,
    requestsMax: 1200,
  };
  const { decisionNs: _, ...figures } = runTrial(
    { ...place, policy, routers, talk, seed: 1 },
    EXCERPT,
  );
  return figures;
}

describe('on a load of many conversations', () => {
  test("the product's rule comes close to the oracle, and is ahead of what knows no prefixes", () => {
    const rule = run(RULE);
    const known = run('oracle');
    expect(rule.ttftMeanS).toBeLessThan(1.2 * known.ttftMeanS);
    for (const other of ['random', 'round-robin', 'least-requests', 'power-of-two'] as const) {
      const figures = run(other);
      expect([other, rule.ttftMeanS < figures.ttftMeanS]).toEqual([other, true]);
      expect([other, rule.hitRate > figures.hitRate]).toEqual([other, true]);
    }
  });

  test('four routers that echo do better than four that are silent', () => {
    const alone = run(RULE);
    const echoing = run(RULE, 4, 'echo');
    const silent = run(RULE, 4, 'silent');
    expect(echoing.ttftMeanS).toBeLessThan(1.25 * alone.ttftMeanS);
    expect(echoing.ttftMeanS).toBeLessThan(silent.ttftMeanS);
    expect(echoing.hitRate).toBeGreaterThan(silent.hitRate);
  });

  test.each(CONTENDERS)('%s gives the same figures again for the same seed', (policy) => {
    expect(run(policy)).toEqual(run(policy));
  });
});

test('a prompt stands in the index by its blocks, two chunks each after the seed', () => {
  const request = (blocks: number[]) => ({
    atS: 0,
    inputTokens: 2000,
    outputTokens: 1,
    blocks: Uint32Array.from(blocks),
  });
  const one = promptOf(request([5, 6, 7]));
  const sibling = promptOf(request([5, 6, 8]));
  expect(one.chars).toBe(8000);
  expect(one.chunks).toHaveLength(2 * (1 + 6));
  expect(sibling.chunks.slice(0, 10)).toEqual(one.chunks.slice(0, 10));
  expect(sibling.chunks.slice(10)).not.toEqual(one.chunks.slice(10));
  const all = promptOf(request(Array.from({ length: 50_000 }, (_, id) => id)));
  const pairs = new Set<number>();
  for (let at = 2; at < all.chunks.length; at += 2) {
    pairs.add((all.chunks[at] as number) * 2 ** 20 + ((all.chunks[at + 1] as number) & 0xfffff));
  }
  expect(pairs.size).toBe(100_000);
});
