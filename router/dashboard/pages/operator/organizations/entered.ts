/**
 * Converts typed text to values for the API. Invalid text throws an ApiError that names the field,
 * like an error of the API itself.
 */
import { formatUsd, parseUsd, PRICED_TOKENS } from '../../../../../shared/money.ts';
import { ApiError } from '../../../api/client.ts';
import { enteredUsd } from '../../../format/entered-usd.ts';
import { picoOf } from '../../../format/usd.ts';

const DIGITS = /^\d{1,12}$/;

function fault(param: string, message: string): ApiError {
  return new ApiError(400, { message, code: 'invalid_value', param }, null);
}

/**
 * Returns null for empty text. Throws ApiError unless the text is a whole number of 1 to 12 digits.
 */
export function wholeOrNull(text: string, param: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!DIGITS.test(trimmed)) throw fault(param, 'Enter a whole number, or leave the field blank.');
  return Number(trimmed);
}

/**
 * Converts a price of a million tokens to the exact price of one token. Throws ApiError when the
 * text is not an amount or has more than 6 decimals.
 */
export function perToken(text: string, param: string): string {
  const price = parseUsd(enteredUsd(text));
  if (price === null) throw fault(param, 'Enter an amount in USD, such as 0.20.');
  if (price % PRICED_TOKENS !== 0n) {
    throw fault(param, 'Enter a price with at most 6 decimals.');
  }
  return formatUsd(price / PRICED_TOKENS);
}

/** Returns the balance after an adjustment; null while `change` is not an amount, or is zero. */
export function balanceAfter(balance: string, change: string): string | null {
  const amount = parseUsd(enteredUsd(change));
  return amount === null || amount === 0n ? null : formatUsd(picoOf(balance) + amount);
}

/** Returns the part of a payment that can still be refunded. */
export function leftOf(
  payment: Readonly<{ paid: string | null; refunded: string; disputed: string }>,
): string {
  const left = picoOf(payment.paid ?? '0') - picoOf(payment.refunded) - picoOf(payment.disputed);
  return formatUsd(left > 0n ? left : 0n);
}
