/** Why payments failed, in words for people. */

const DECLINED = 'The card was declined';
const NOT_CONFIRMED = 'The payment was not confirmed';

/** The codes that payment providers give most often. A lost or stolen card is not named as such. */
const REASONS: Readonly<Record<string, string>> = {
  card_declined: DECLINED,
  generic_decline: DECLINED,
  do_not_honor: DECLINED,
  fraudulent: DECLINED,
  lost_card: DECLINED,
  pickup_card: DECLINED,
  stolen_card: DECLINED,
  transaction_not_allowed: DECLINED,
  requires_payment_method: DECLINED,
  authentication_failed: NOT_CONFIRMED,
  payment_intent_authentication_failure: NOT_CONFIRMED,
  authentication_required: 'The bank requires the cardholder to confirm the payment',
  canceled: 'The payment was canceled',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The security code of the card is wrong',
  incorrect_number: 'The number of the card is wrong',
  insufficient_funds: 'The card has insufficient funds',
  no_such_method: 'The saved card no longer exists',
  processing_error: 'The bank could not process the payment',
};

/**
 * Why a payment failed, without a full stop. `reason`: a code or a sentence of the provider. A
 * sentence stays as it is, and a code that is not known here is quoted for the operator.
 */
export function failureReason(reason: string | null): string {
  if (reason === null) return 'The payment provider gave no reason';
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason] as string;
  if (/\s/.test(reason)) return reason.replace(/\.$/, '');
  return `The payment provider rejected the payment with the code ${reason}`;
}
