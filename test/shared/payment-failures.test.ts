import { expect, test } from 'vitest';
import { failureReason } from '../../shared/payment-failures.ts';

test('why a payment failed is a sentence without a full stop, whatever the provider gave', () => {
  expect(failureReason('card_declined')).toBe('The card was declined');
  expect(failureReason('stolen_card')).toBe('The card was declined');
  expect(failureReason('Your card does not support this.')).toBe('Your card does not support this');
  expect(failureReason('try_again_later')).toBe(
    'The payment provider rejected the payment with the code try_again_later',
  );
  expect(failureReason(null)).toBe('The payment provider gave no reason');
});
