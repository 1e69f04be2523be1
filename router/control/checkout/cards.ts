/**
 * The sandbox's test cards. Their numbers are those of Stripe's test cards with the same behaviour.
 */

export type Card = Readonly<{
  label: string;
  does: string;
  /**
   * The card's behaviour on the checkout page (`here`) and when it is charged off-session
   * (`later`).
   */
  here: 'pays' | 'asks' | 'declines';
  later: 'pays' | 'asks' | 'declines';
  /** Whether a payment with this card can be refunded. */
  refunds: boolean;
}>;

const GOOD = { here: 'pays', later: 'pays', refunds: true } as const;

export const CARDS: Readonly<Record<string, Card>> = {
  '4242424242424242': { ...GOOD, label: 'Visa •••• 4242', does: 'succeeds' },
  '4000000000000002': {
    ...GOOD,
    label: 'Visa •••• 0002',
    does: 'is declined',
    here: 'declines',
    later: 'declines',
  },
  '4000002500003155': {
    ...GOOD,
    label: 'Visa •••• 3155',
    does: 'needs to be confirmed once',
    here: 'asks',
  },
  '4000002760003184': {
    ...GOOD,
    label: 'Visa •••• 3184',
    does: 'needs to be confirmed each time',
    here: 'asks',
    later: 'asks',
  },
  '4000000000000341': {
    ...GOOD,
    label: 'Visa •••• 0341',
    does: 'succeeds here, and is declined when it is charged later',
    later: 'declines',
  },
  '4000000000005126': {
    ...GOOD,
    label: 'Visa •••• 5126',
    does: 'succeeds, and cannot be refunded',
    refunds: false,
  },
};

/** Normalizes a card number as people type it. */
export function cardNumber(text: string): string {
  return text.replace(/[\s-]/g, '');
}

export function cardOf(number: string): Card | null {
  return Object.hasOwn(CARDS, number) ? (CARDS[number] as Card) : null;
}
