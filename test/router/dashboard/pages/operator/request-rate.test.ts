/** Rates of requests on the pages for operators. */
import { expect, test } from 'vitest';
import {
  requestsPerSecond,
  shownRequestRate,
} from '../../../../../router/dashboard/pages/operator/request-rate.ts';

test('a rate has enough digits for a request in some minutes, and no more than it needs', () => {
  expect(shownRequestRate(0)).toBe('0');
  expect(shownRequestRate(requestsPerSecond(1, 300))).toBe('0.0033');
  expect(shownRequestRate(requestsPerSecond(39, 60))).toBe('0.65');
  expect(shownRequestRate(requestsPerSecond(129, 60))).toBe('2.2');
  expect(shownRequestRate(9.96)).toBe('10');
  expect(shownRequestRate(12.34)).toBe('12.3');
  expect(shownRequestRate(1234.5)).toBe('1,235');
});
