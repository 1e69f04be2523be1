/** Classifies Stripe's errors: a definite refusal, or an unknown result. */
import { Stripe } from 'stripe';

/** Whether Stripe refused: the card was declined or the request was invalid. Nothing was paid. */
export function isDefinite(
  error: unknown,
): error is InstanceType<typeof Stripe.errors.StripeError> {
  return (
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError
  );
}

/**
 * Whether the object does not exist in this Stripe account, because it was created in another one.
 */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
  );
}

/**
 * Converts any other error to one that may be logged: Stripe's own messages quote part of the API
 * key and of the request. This includes an account that Stripe refuses, which the operator must
 * resolve and which is no fault of the customer's card.
 */
export function unknownOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code = '-', statusCode = '-', requestId = '-' } = error;
  return new Error(`Stripe: ${type}, code ${code}, status ${statusCode}, request ${requestId}`);
}
