import { expect, test } from 'vitest';
import { refundsOf, refundStatus } from '../../shared/payment-refunds.ts';

test('a refund that the provider has not confirmed is pending, and not refunded', () => {
  const payment = { paid: '20', refunded: '12.34', refund_pending: '12.34' };
  expect(refundStatus(payment)).toBe('Refund pending');
  expect(refundsOf(payment)).toEqual([{ name: 'Refund pending', amount: '12.34' }]);
  expect(refundStatus({ ...payment, refund_pending: '2.34' })).toBe('Refund pending');
  expect(refundsOf({ ...payment, refund_pending: '2.34' })).toEqual([
    { name: 'Refunded', amount: '10' },
    { name: 'Refund pending', amount: '2.34' },
  ]);
});

test('a payment is refunded when all of it is, and partially before', () => {
  const payment = { paid: '20', refunded: '12.34', refund_pending: '0' };
  expect(refundStatus(payment)).toBe('Partially refunded');
  expect(refundsOf(payment)).toEqual([{ name: 'Refunded', amount: '12.34' }]);
  expect(refundStatus({ ...payment, refunded: '20' })).toBe('Refunded');
  expect(refundStatus({ ...payment, refunded: '0' })).toBe('Paid');
  expect(refundsOf({ ...payment, refunded: '0' })).toEqual([]);
});

test('a payment from a router of an earlier version has nothing pending', () => {
  const payment = { paid: '20', refunded: '12.34' };
  expect(refundStatus(payment)).toBe('Partially refunded');
  expect(refundsOf(payment)).toEqual([{ name: 'Refunded', amount: '12.34' }]);
});
