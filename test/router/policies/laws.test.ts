/** The laws that every policy obeys, run over every policy in the table. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../router/policies/policy.ts';
import { POLICIES } from '../../../router/policies/table.ts';
import { seededRandom } from '../../../shared/random.ts';

const candidates = fc
  .array(
    fc.record({
      inFlight: fc.nat(2000),
      waiting: fc.nat(500),
      slots: fc.integer({ min: 1, max: 2000 }),
      kvUse: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) => list.map((one, index) => ({ id: `w${index}`, ...one })));

describe.each(Object.entries(POLICIES))('%s', (_name, policy) => {
  test('picks one of the candidates and changes none', () => {
    fc.assert(
      fc.property(candidates, fc.integer(), (list, seed) => {
        const before = structuredClone(list);
        expect(list).toContain(policy(list, seededRandom(seed)));
        expect(list).toEqual(before);
      }),
    );
  });

  test('the same state and the same chance give the same worker', () => {
    fc.assert(
      fc.property(candidates, fc.integer(), (list, seed) => {
        expect(policy(list, seededRandom(seed))).toBe(policy(list, seededRandom(seed)));
      }),
    );
  });

  test('never picks a worker that is worse in everything', () => {
    fc.assert(
      fc.property(candidates, fc.integer(), (list, seed) => {
        const worst: Candidate = { id: 'worst', inFlight: 9999, waiting: 9999, slots: 1, kvUse: 1 };
        expect(policy([...list, worst], seededRandom(seed))).not.toBe(worst);
      }),
    );
  });

  test('equal workers under a burst stay within one request of each other', () => {
    const random = seededRandom(7);
    const workers = Array.from({ length: 8 }, (_, index) => ({
      id: `w${index}`,
      inFlight: 0,
      waiting: 0,
      slots: 1024,
      kvUse: 0,
    }));
    for (let request = 0; request < 803; request++) {
      const picked = policy(workers, random);
      picked.inFlight += 1;
    }
    const loads = workers.map(({ inFlight }) => inFlight);
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
  });
});
