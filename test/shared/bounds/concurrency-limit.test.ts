import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../../../shared/bounds/concurrency-limit.ts';

test('one peer gets no more places than a peer may have, and leaves the rest to others', () => {
  const atOnce = new ConcurrencyLimit<string>({ totalMax: 3, peerMax: 2 });
  const places = [atOnce.enter('a'), atOnce.enter('a')];
  expect(places).not.toContain(null);
  expect(atOnce.enter('a')).toBe(null);
  expect(atOnce.enter('b')).not.toBe(null);
  expect(atOnce.enter('c')).toBe(null);
});

test('a place is given back once, however often it is disposed of', () => {
  const atOnce = new ConcurrencyLimit<string>({ totalMax: 2, peerMax: 2 });
  const [first] = [atOnce.enter('a'), atOnce.enter('a')];
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  expect([atOnce.count, atOnce.of('a')]).toEqual([1, 1]);
});
