/** What Stripe's refusals mean to us: a plain no, or that it is not known what has happened. */
import { Stripe } from 'stripe';

/** A no: the card was declined, or what was asked for cannot be. Nothing was paid. */
export function isDefinite(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeError> {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError
  );
}

/** There is no such thing in this account: it was begun in another one. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
  );
}

/**
 * Anything else, in words that may be logged: Stripe's own quote a part of the key, and what was sent. The account
 * being refused is among them: that is for the operator to mend, and no fault of the customer's card.
 */
export function unknownOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code = '-', statusCode = '-', requestId = '-' } = error;
  return new Error(`Stripe: ${type}, code ${code}, status ${statusCode}, request ${requestId}`);
}
