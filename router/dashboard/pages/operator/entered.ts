/** What people type in, as the API takes it. What makes no sense is a fault of its field, as one of the API's would be. */
import { formatUsd, parseUsd } from '../../../../shared/money.ts';
import { ApiError } from '../../api/client.ts';
import { picoOf } from '../../format/usd.ts';

const TOKENS = 1_000_000n;
const DIGITS = /^\d{1,12}$/;

function fault(param: string, message: string): ApiError {
  return new ApiError(400, { message, code: 'invalid_value', param }, null);
}

/** Nothing typed is null. Throws ApiError. */
export function wholeOrNull(text: string, param: string): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (!DIGITS.test(trimmed)) throw fault(param, 'This is a whole number, or empty.');
  return Number(trimmed);
}

/** A price of a million tokens as one of a single token, exactly. Throws ApiError. */
export function perToken(text: string, param: string): string {
  const price = parseUsd(text.trim());
  if (price === null) throw fault(param, 'This is an amount in USD, such as 0.20.');
  if (price % TOKENS !== 0n) {
    throw fault(param, 'A price of a million tokens has at most 6 decimals.');
  }
  return formatUsd(price / TOKENS);
}

/** What a balance is after an adjustment; null while no amount has been typed. */
export function balanceAfter(balance: string, change: string): string | null {
  const amount = parseUsd(change.trim());
  return amount === null || amount === 0n ? null : formatUsd(picoOf(balance) + amount);
}

/** What is left of a payment to be paid back. */
export function leftOf(
  payment: Readonly<{ paid: string | null; refunded: string; disputed: string }>,
): string {
  const left = picoOf(payment.paid ?? '0') - picoOf(payment.refunded) - picoOf(payment.disputed);
  return formatUsd(left > 0n ? left : 0n);
}
