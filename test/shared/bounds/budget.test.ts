import { expect, test } from 'vitest';
import { Budget } from '../../../shared/bounds/budget.ts';

const budget = () => new Budget<string>({ totalBytesMax: 100, peerBytesMax: 60 });

test('a peer takes no more than its own part, whatever is left in all', () => {
  using lease = budget().lease('a');
  expect(lease.take(60)).toBe(true);
  expect(lease.fits(1)).toBe(false);
  expect(lease.take(1)).toBe(false);
  expect(lease.exceeded).toBe('peer');
  expect(lease.bytes).toBe(60);
});

test('all peers together take no more than the whole', () => {
  const whole = budget();
  using first = whole.lease('a');
  using second = whole.lease('b');
  expect(first.take(60)).toBe(true);
  expect(first.exceeded).toBeNull();
  expect(second.take(41)).toBe(false);
  expect(second.exceeded).toBe('total');
  expect(second.take(40)).toBe(true);
  expect(whole.bytes).toBe(100);
});

test('where room is kept, a peer takes no more than half of what it leaves to all others', () => {
  const whole = new Budget<string>({ totalBytesMax: 90, peerBytesMax: 60, keepsRoom: true });
  using first = whole.lease('a');
  expect(first.take(31)).toBe(false);
  // Who holds nothing has not taken too much.
  expect(first.exceeded).toBe('total');
  expect(first.take(30)).toBe(true);
  expect(first.take(1)).toBe(false);
  expect(first.exceeded).toBe('peer');
  using second = whole.lease('b');
  expect(second.take(20)).toBe(true);
  expect(second.take(1)).toBe(false);
});

test('what is given back can be taken again, and disposing gives back the rest once', () => {
  const whole = budget();
  const lease = whole.lease('a');
  lease.take(50);
  lease.give(20);
  lease.give(1_000);
  expect(lease.bytes).toBe(0);
  lease.take(10);
  lease[Symbol.dispose]();
  lease[Symbol.dispose]();
  expect(whole.bytes).toBe(0);
});
