/** The limits on what one agent's echoes may cost a router. */
import { expect, test } from 'vitest';
import { EchoRateLimiter } from '../../../router/fleet/echo-rate-limiter.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const CHUNKS = Buffer.alloc(8 * 4_096).toString('base64');

function dispatched(stream: number, chunks = CHUNKS) {
  const tokens = { promptTokens: 1, uncachedTokens: 1 };
  return { at: 'dispatched', from: 'rtr_2', stream, chunks, ...tokens } as const;
}

test('an agent that echoes without end is heard for a part of it, and again later', () => {
  const clock = new ManualClock();
  const budget = new EchoRateLimiter(clock);
  const flood = Array.from({ length: 80 }, (_, nth) => dispatched(nth + 1));
  expect(budget.within(flood)).toHaveLength(12);
  expect(budget.within(flood)).toEqual([]);
  clock.advance(500);
  expect(budget.within(flood)).toHaveLength(6);
});

test('events without chunks cost something, too', () => {
  const budget = new EchoRateLimiter(new ManualClock());
  const flood = Array.from({ length: 20_000 }, (_, nth) => dispatched(nth + 1, ''));
  expect(budget.within(flood)).toHaveLength(12_500);
});

test('the end of a request is heard whatever came before', () => {
  const budget = new EchoRateLimiter(new ManualClock());
  budget.within(Array.from({ length: 80 }, (_, nth) => dispatched(nth + 1)));
  const over = { at: 'over', from: 'rtr_2', stream: 1 } as const;
  expect(budget.within([over])).toEqual([over]);
});
