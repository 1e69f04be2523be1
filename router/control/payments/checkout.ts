/** Starts a checkout: first inserts our own payment row, then requests the provider's page. */
import type { FastifyRequest } from 'fastify';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { formatUsd, type PicoUsd } from '../../../shared/money.ts';
import { actingOf, personOrNull } from '../access/gate.ts';
import { noSuch, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { attachCheckout, type OpenAnswer, type Opened, openPaymentAudited } from './procedures.ts';
import type { PaymentProvider } from './provider.ts';
import { shownPayment } from './terms.ts';

export type CheckoutParts = Pick<
  ControlParts,
  'store' | 'clock' | 'random' | 'log' | 'urls' | 'provider'
>;

export type CheckoutWanted = Readonly<{
  purpose: 'top-up' | 'setup';
  amount: PicoUsd | null;
  keepMethod: boolean;
  idempotencyKey: string | null;
}>;

/**
 * Returns the API's response; `checkout_url` is null when the payment is no longer open. Throws
 * `Refused`.
 */
export async function startCheckout(
  parts: CheckoutParts,
  request: Pick<FastifyRequest, 'acting' | 'caller' | 'auditEntry'> & FastifyRequest,
  wanted: CheckoutWanted,
) {
  const { store, clock, random } = parts;
  const provider = providerOf(parts);
  const { organization } = actingOf(request);
  const id = mintId('payment', clock, random);
  const { purpose, amount, keepMethod } = wanted;
  const details = { purpose, ...(amount !== null && { amount: formatUsd(amount) }) };
  const opened = await store.call(openPaymentAudited, {
    input: {
      ...wanted,
      id,
      organization,
      provider: provider.name,
      charged: null,
      person: personOrNull(request),
      created: clock.now(),
    },
    entry: request.auditEntry({ target: id, details }),
  });
  if (typeof opened === 'string') throw REFUSED[opened]();
  const { payment } = opened;
  if (payment.state !== 'open') return { payment: shownPayment(payment), checkout_url: null };
  const url = await openCheckout(parts, provider, opened, { organization, amount, keepMethod });
  return { payment: shownPayment(payment), checkout_url: url };
}

async function openCheckout(
  { store, log, urls }: CheckoutParts,
  provider: PaymentProvider,
  { payment: { id }, customer, email }: Opened,
  wanted: Readonly<{ organization: OrganizationId; amount: PicoUsd | null; keepMethod: boolean }>,
): Promise<string> {
  const back = `${urls.dashboard}/${wanted.organization}/billing?payment=${id}`;
  const ask = {
    ...wanted,
    payment: id,
    customer,
    email,
    successUrl: `${back}&checkout=done`,
    cancelUrl: `${back}&checkout=left`,
  };
  const checkout = await provider.checkout(ask).catch((error: unknown) => {
    log.error({ payment: id, provider: provider.name, err: error }, 'failed to open a checkout');
    throw new Refused('provider_failed');
  });
  const { reference } = checkout;
  const attached = { payment: id, checkout: reference, customer: checkout.customer };
  await store.call(attachCheckout, attached);
  return checkout.url;
}

export function providerOf({ provider }: Pick<CheckoutParts, 'provider'>): PaymentProvider {
  if (provider === null) {
    throw new Refused('conflict', 'Payments are not set up here: ask support for credit.');
  }
  return provider;
}

const REFUSED: Readonly<Record<Extract<OpenAnswer, string>, () => Refused>> = {
  unknown: () => noSuch('organization'),
  too_many: () =>
    new Refused(
      'conflict',
      'Too many payments are open: pay some of them, or wait until they expire.',
    ),
  over_limit: () => new Refused('conflict', 'The balance would exceed USD 4000000.', 'amount'),
  other: () =>
    new Refused(
      'conflict',
      'This Idempotency-Key was used for a different payment: use a new one.',
    ),
};
