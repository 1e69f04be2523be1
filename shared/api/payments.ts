/** Payments, refunds, receipts and auto-recharge in the management API. */
import { z } from 'zod';
import { inPico, PICO_PER_USD, parseUsd, ZERO } from '../money.ts';
import { Party, Seller } from './billing-details.ts';
import {
  askedInstant,
  count,
  decimalUsd,
  instant,
  PRINTED,
  PRINTED_FAULT,
  Reason,
  Search,
  usd,
} from './fields.ts';
import { PaymentIdText } from './ids.ts';
import { page, pageQuery } from './pages.ts';

/** Providers charge whole cents. */
const CENT = PICO_PER_USD / 100n;
export const TOP_UP_MIN = 5n * PICO_PER_USD;
const TOP_UP_MAX = 4_999n * PICO_PER_USD;
const WHOLE_CENTS = 'Enter an amount in whole cents, such as 4.99.';

/** The amount of one payment, in whole cents. */
const TopUpAmount = z
  .string()
  .refine((text) => {
    const amount = parseUsd(text) ?? ZERO;
    return amount >= TOP_UP_MIN && amount <= TOP_UP_MAX;
  }, 'Enter an amount from $5 to $4,999.')
  .refine((text) => (parseUsd(text) ?? ZERO) % CENT === ZERO, WHOLE_CENTS)
  .meta({ examples: ['20'] });

export const CentAmount = z
  .string()
  .refine((text) => (parseUsd(text) ?? ZERO) > ZERO, 'Enter an amount above $0, such as 4.99.')
  .refine((text) => (parseUsd(text) ?? ZERO) % CENT === ZERO, WHOLE_CENTS)
  .meta({ examples: ['4.99'] });

export const NewPayment = z.strictObject({
  amount: TopUpAmount.transform(inPico),
  keep_method: z
    .boolean()
    .default(false)
    .describe('Whether to save the payment method for auto-recharge.'),
});

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .regex(PRINTED, PRINTED_FAULT)
  .describe(
    'Makes the request idempotent: when the same request is sent again with the same key, it takes effect once and ' +
      'gets the first response again. A key is kept for at least a day. Another request with the key is refused.',
  );

export const Payment = z.object({
  id: z.string(),
  purpose: z
    .enum(['top-up', 'recharge', 'setup'])
    .describe('`setup` saves a payment method, and nothing is paid.'),
  provider: z.string().meta({ examples: ['stripe', 'sandbox'] }),
  state: z
    .enum(['open', 'pending', 'succeeded', 'failed', 'expired'])
    .describe('A failed or expired payment may still succeed when its money arrives late.'),
  amount: usd.nullable().describe('The requested amount.'),
  paid: usd.nullable().describe('The amount that was paid and credited.'),
  refunded: refundedUsd(),
  refund_pending: refundPendingUsd(),
  refund_failed: usd
    .optional()
    .describe(
      'The amount of the refunds that failed and after which no other was made. It went back to the balance, and is not a part of `refunded`. Absent when a router of an earlier version answers.',
    ),
  disputed: usd.describe("The amount that the payer's bank has reclaimed by disputes."),
  reason: z.string().nullable().describe('Why the payment failed.'),
  receipt: z
    .string()
    .nullable()
    .meta({ examples: ['REC-000001'] }),
  created: instant,
  ended: instant.nullable(),
});
export type Payment = z.infer<typeof Payment>;
export const PaymentPage = page(Payment);

export const CustomerPayment = Payment.extend({
  organization: z.string(),
  organization_name: z.string().nullable().describe('Null if it was erased.'),
});
export type CustomerPayment = z.infer<typeof CustomerPayment>;
export const CustomerPaymentPage = page(CustomerPayment);

const PAYMENT_STATUSES = [
  ...Payment.shape.state.options,
  'refunded',
  'refund_failed',
  'disputed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const WholePaymentQuery = pageQuery(PaymentIdText).extend({
  search: Search.min(1)
    .optional()
    .describe(
      'The id of a payment or of an organization, the number of a receipt, or a part of the name of an organization, ignoring case.',
    ),
  status: z
    .enum(PAYMENT_STATUSES)
    .optional()
    .describe(
      '`refunded` and `disputed`: payments of which at least a part was. `refund_failed`: payments of which a refund failed, and no other was made after that. Otherwise the `state`.',
    ),
  purpose: Payment.shape.purpose.optional(),
  from: askedInstant.optional().describe('Only payments that were started at this time or later.'),
  until: askedInstant.optional().describe('The end of the period, which is not included.'),
  format: z.enum(['json', 'csv']).default('json'),
});
export type WholePaymentQuery = z.output<typeof WholePaymentQuery>;

function refundedUsd() {
  return usd.describe('The sum in USD of all refunds that did not fail, including pending ones.');
}

function refundPendingUsd() {
  return usd.describe('The part of `refunded` that the provider has not confirmed yet.');
}

export const CheckoutStarted = z.object({
  payment: Payment,
  checkout_url: z
    .string()
    .nullable()
    .describe('The page where a person pays. Null when the payment has ended.'),
});

export const NewRefund = z.strictObject({
  amount: CentAmount.transform(inPico)
    .optional()
    .describe('The amount to refund. Default: all that is left of the payment.'),
  reason: Reason,
});

export const Refund = z.object({
  id: z.string(),
  state: z
    .enum(['pending', 'succeeded', 'failed'])
    .describe(
      'The amount leaves the balance when the refund is created, and returns to it if the refund fails.',
    ),
  amount: usd,
  reason: z.string(),
  created: instant,
  ended: instant.nullable(),
});
export type Refund = z.infer<typeof Refund>;

export const PaymentDetail = Payment.extend({ refunds: z.array(Refund) });
export const Refunded = z.object({ payment: Payment, refund: Refund });

export const Receipt = z.object({
  number: z
    .string()
    .describe("The number of the receipt. The numbers of a seller's series have no gaps.")
    .meta({ examples: ['REC-000001'] }),
  payment: z.string(),
  seller: Seller.nullable().describe('The seller when the receipt was issued, if it is known.'),
  buyer: Party.describe('The buyer when the receipt was issued.'),
  organization: z.object({ id: z.string(), name: z.string() }),
  paid: instant,
  description: z.string(),
  currency: z.literal('USD'),
  amount: usd,
  refunded: refundedUsd(),
  refund_pending: refundPendingUsd(),
  provider: z.string(),
  method: z
    .string()
    .nullable()
    .describe('What paid, if it is known.')
    .meta({ examples: ['Visa •••• 4242'] }),
  reference: z.string().nullable().describe("The provider's id of the payment."),
});
export type Receipt = z.infer<typeof Receipt>;

/**
 * At least USD 1. A lower threshold would not pay for the largest requests, which would be refused
 * before the balance falls below it.
 */
const Threshold = z
  .string()
  .refine((text) => {
    const amount = parseUsd(text) ?? ZERO;
    return amount >= PICO_PER_USD && amount <= 100_000n * PICO_PER_USD;
  }, 'Enter an amount from $1 to $100,000.')
  .meta({ examples: ['10'] });

export const RechargeSettings = z
  .strictObject({
    enabled: z.boolean(),
    threshold: Threshold.transform(inPico).describe(
      'A recharge starts when the balance, without what running requests hold, falls below this amount.',
    ),
    amount: TopUpAmount.transform(inPico),
    monthly_cap: UsdCap().describe('The most to recharge in a calendar month (UTC). Null: no cap.'),
  })
  .refine(({ amount, monthly_cap: cap }) => cap === null || cap >= amount, {
    path: ['monthly_cap'],
    message: 'Enter a cap of at least the amount of one recharge.',
  });

function UsdCap() {
  return decimalUsd(4_000_000n * PICO_PER_USD, 'Enter an amount from $0 to $4,000,000.')
    .transform(inPico)
    .nullable();
}

export const Recharge = z.object({
  enabled: z.boolean(),
  threshold: usd,
  amount: usd,
  monthly_cap: usd.nullable(),
  state: z
    .enum(['off', 'no_method', 'paused', 'paying', 'waiting', 'capped', 'ready'])
    .describe(
      '`paused`: three payments in a row failed; change the settings to resume. `waiting`: a payment failed, and ' +
        'the next attempt follows soon. `capped`: the monthly cap is reached, until the next month begins.',
    ),
  month_spent: usd.describe(
    'What recharges have charged or may still charge in this calendar month (UTC).',
  ),
  failures: count,
  payment: z.string().nullable().describe('The id of the payment in progress.'),
  method: z
    .object({ label: z.string() })
    .nullable()
    .describe('The payment method that is charged.'),
});
export type Recharge = z.infer<typeof Recharge>;

export const Portal = z.object({ url: z.string() });
