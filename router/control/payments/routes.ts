/** Routes for top-ups by hosted checkout, payments and refunds. */
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { PaymentIdText } from '../../../shared/api/ids.ts';
import { pageQuery } from '../../../shared/api/pages.ts';
import {
  CheckoutStarted,
  CustomerPaymentPage,
  NewPayment,
  NewRefund,
  PaymentDetail,
  PaymentPage,
  Refunded,
  WholePaymentQuery,
} from '../../../shared/api/payments.ts';
import { mintId, type PaymentId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { personOf } from '../access/gate.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import { CSV_ROWS, itemsFrom, sendPages } from '../csv-file.ts';
import { Idempotent } from '../idempotency/header.ts';
import { unlessReused } from '../idempotency/idempotent.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { CSV_COLUMNS, listingOf, shownOfCustomer } from './all-payments.ts';
import { type CheckoutParts, startCheckout } from './checkout.ts';
import { listAllPayments } from './list-all.ts';
import { findPayment, listPayments } from './procedures.ts';
import { receiptRoutes } from './receipts.ts';
import { type RefundMade, refundOnce } from './refunds.ts';
import { shownPayment, shownRefund } from './terms.ts';

export type PaymentParts = CheckoutParts &
  Pick<ControlParts, 'store' | 'clock' | 'random' | 'pepper' | 'drawings' | 'operator'>;

const PaymentPath = OrganizationPath.extend({ payment: PaymentIdText });

export function paymentRoutes(api: Api, parts: PaymentParts): void {
  readRoutes(api, parts);
  topUpRoute(api, parts);
  refundRoute(api, parts);
  receiptRoutes(api, parts);
}

function readRoutes(api: Api, { store }: PaymentParts): void {
  api.get(
    '/payments',
    {
      config: { access: 'operator' },
      schema: {
        summary: 'List the payments of all organizations, newest first',
        description: 'The CSV has all that match from `after` on, and ignores `limit`.',
        tags: ['payments'],
        querystring: WholePaymentQuery,
        response: { 200: inJsonOrCsv(CustomerPaymentPage) },
      },
    },
    async ({ query }, reply) => {
      const listing = listingOf(query);
      if (query.format === 'json') {
        return answerPage(await store.call(listAllPayments, listing), shownOfCustomer);
      }
      const read = (after: PaymentId | null) =>
        store.call(listAllPayments, { ...listing, after, limit: CSV_ROWS });
      return sendPages(
        reply,
        'payments',
        CSV_COLUMNS,
        itemsFrom(listing.after, read, shownOfCustomer),
      );
    },
  );

  api.get(
    '/organizations/:organization/payments',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List payments; top-ups, recharges and saved payment methods, newest first',
        tags: ['payments'],
        params: OrganizationPath,
        querystring: pageQuery(PaymentIdText),
        response: { 200: PaymentPage },
      },
    },
    async ({ params: { organization }, query: { limit, after = null } }) =>
      answerPage(await store.call(listPayments, { organization, limit, after }), shownPayment),
  );

  api.get(
    '/organizations/:organization/payments/:payment',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get a payment with its refunds',
        tags: ['payments'],
        params: PaymentPath,
        response: { 200: PaymentDetail },
      },
    },
    async ({ params }) => {
      const { payment, refunds } = found(await store.call(findPayment, params), 'payment');
      return { ...shownPayment(payment), refunds: refunds.map(shownRefund) };
    },
  );
}

function topUpRoute(api: Api, parts: PaymentParts): void {
  api.post(
    '/organizations/:organization/payments',
    {
      config: { access: { organization: 'billing' }, action: 'payment.begin', money: true },
      schema: {
        summary: 'Start a top-up; a person pays at the `checkout_url` of the response',
        tags: ['payments'],
        params: OrganizationPath,
        headers: Idempotent,
        body: NewPayment,
        response: { 201: CheckoutStarted },
      },
    },
    async (request, reply) => {
      const { amount, keep_method: keepMethod } = request.body;
      const idempotencyKey = keyDigest(parts, request);
      const wanted = { purpose: 'top-up', amount, keepMethod, idempotencyKey } as const;
      return reply.code(201).send(await startCheckout(parts, request, wanted));
    },
  );
}

/**
 * Returns a digest of the Idempotency-Key for this organization, or null when the request has none.
 * Since the checkout is created at the provider, the key is stored with the payment's row, not with
 * a response.
 */
export function keyDigest(
  { pepper }: Pick<PaymentParts, 'pepper'>,
  { headers, params }: Pick<FastifyRequest, 'headers' | 'params'>,
): string | null {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  return digestSecret(pepper, JSON.stringify([params, key]));
}

function refundRoute(api: Api, parts: PaymentParts): void {
  const { store, clock, random } = parts;
  api.post(
    '/organizations/:organization/payments/:payment/refund',
    {
      config: { access: 'operator', action: 'payment.refund', money: true },
      schema: {
        summary: 'Refund a payment or a part of it; the amount leaves the balance at once',
        tags: ['payments'],
        params: PaymentPath,
        headers: Idempotent,
        body: NewRefund,
        response: { 201: Refunded },
      },
    },
    async (request, reply) => {
      const { organization, payment } = request.params;
      const { amount = null, reason } = request.body;
      const id = mintId('transfer', clock, random);
      const details = { refund: id, reason, ...(amount !== null && { amount: formatUsd(amount) }) };
      const person = personOf(request);
      const made = await store.call(refundOnce, {
        idempotency: request.idempotency(),
        input: { id, organization, payment, amount, reason, person, created: clock.now() },
        entry: request.auditEntry({ organization, target: payment, details }),
      });
      const answer = unlessReused(made);
      if (typeof answer === 'string') throw REFUSED[answer]();
      return reply.code(201).send(shownRefunded(answer));
    },
  );
}

/** An answer that an earlier version kept for an Idempotency-Key has no amounts of refunds. */
function shownRefunded({ payment, refund }: RefundMade): z.input<typeof Refunded> {
  const known: Partial<RefundMade['payment']> = payment;
  const { refundPending = refund.amount, refundFailed = 0n } = known;
  return {
    payment: shownPayment({ ...payment, refundPending, refundFailed }),
    refund: shownRefund(refund),
  };
}

const REFUSED = {
  unknown: () => noSuch('payment'),
  unpaid: () => new Refused('conflict', 'The payment was not paid, so it cannot be refunded.'),
  too_much: () =>
    new Refused('conflict', 'The amount exceeds what is left of this payment.', 'amount'),
  insufficient: () =>
    new Refused(
      'conflict',
      'The balance does not cover the amount: it is spent or held.',
      'amount',
    ),
} as const;
