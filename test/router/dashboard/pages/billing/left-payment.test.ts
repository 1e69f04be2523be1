/** Which payment the billing page offers to try again. */
import { expect, test } from 'vitest';
import { amountToTryAgain } from '../../../../../router/dashboard/pages/billing/left-payment.ts';
import type { Payment } from '../../../../../shared/api/payments.ts';

/** A top-up of this state that was started and ended in these minutes. */
function payment(
  state: Payment['state'],
  started: number,
  change: Partial<Payment> & Readonly<{ minute?: number }> = {},
): Payment {
  const { minute = started, ...rest } = change;
  const at = (minutes: number) => new Date(Date.UTC(2027, 0, 31, 12, minutes)).toISOString();
  return {
    id: `pay_${started}`,
    purpose: 'top-up',
    provider: 'sandbox',
    state,
    amount: '20',
    paid: state === 'succeeded' ? '20' : null,
    refunded: '0',
    refund_pending: '0',
    disputed: '0',
    reason: null,
    receipt: null,
    created: at(started),
    ended: state === 'open' || state === 'pending' ? null : at(minute),
    ...rest,
  };
}

/** The ids of those that are offered again. */
function offered(listed: readonly Payment[]): string[] {
  return listed.filter((each) => amountToTryAgain(each, listed) !== null).map((each) => each.id);
}

test('the newest payment that was left is offered again with its amount', () => {
  const left = payment('open', 3, { amount: '30' });
  expect(amountToTryAgain(left, [left, payment('expired', 2), payment('failed', 1)])).toBe('30');
  for (const state of ['open', 'expired', 'failed'] as const) {
    expect(offered([payment(state, 3), payment('expired', 2)]), state).toEqual(['pay_3']);
  }
});

test('a payment that succeeded or is processed is not offered, and leaves the offer to one before it', () => {
  expect(offered([payment('succeeded', 1)])).toEqual([]);
  expect(offered([payment('pending', 2), payment('expired', 1)])).toEqual(['pay_1']);
});

test('nothing is offered once a payment of any amount has succeeded since', () => {
  const left = payment('expired', 2);
  expect(offered([payment('succeeded', 3, { amount: '7' }), left])).toEqual([]);
  expect(offered([payment('succeeded', 3, { purpose: 'recharge' }), left])).toEqual([]);
  // It was started before the one that was left, and succeeded after it.
  expect(offered([left, payment('succeeded', 1, { minute: 5 })])).toEqual([]);
  expect(offered([left, payment('succeeded', 1)])).toEqual(['pay_2']);
});

test('saved cards and recharges are never offered, and a saved card pays for nothing', () => {
  const card = payment('succeeded', 3, { purpose: 'setup', amount: null, paid: null });
  expect(offered([card, payment('expired', 2)])).toEqual(['pay_2']);
  expect(offered([payment('expired', 3, { purpose: 'setup', amount: null })])).toEqual([]);
  expect(offered([payment('failed', 3, { purpose: 'recharge' })])).toEqual([]);
});

test('a payment that the list does not have yet is not offered', () => {
  expect(amountToTryAgain(payment('open', 3), [payment('expired', 2)])).toBeNull();
});
