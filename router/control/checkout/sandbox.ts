/**
 * The built-in payment provider. No money moves, but everything else works as with a real provider.
 * Its state is in the store, so that it survives a restart and is shared by all routers.
 */
import { createHmac } from 'node:crypto';
import { type OrganizationId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import type { IngestParts } from '../payments/ingest-event.ts';
import type {
  ChargeAnswer,
  ChargeInput,
  Checkout,
  CheckoutInput,
  PaymentProvider,
  ProviderEvent,
  RefundInput,
} from '../payments/provider.ts';
import {
  chargeSandbox,
  findSandboxCharge,
  lookSandbox,
  openSandboxCheckout,
  refundSandbox,
} from './procedures.ts';

const OPEN_MS = 24 * 60 * 60 * 1000;
const TOKEN_CHARS = 40;

export type SandboxParts = IngestParts & Pick<ControlParts, 'store' | 'pepper' | 'urls'>;

export class SandboxProvider implements PaymentProvider {
  readonly name = 'sandbox';
  readonly parts: SandboxParts;

  constructor(parts: SandboxParts) {
    this.parts = parts;
  }

  async checkout(input: CheckoutInput): Promise<Checkout> {
    const { store, clock, pepper, urls } = this.parts;
    const { payment, organization, amount } = input;
    // The token cannot be guessed, and is the same for every call for this payment, so the store
    // needs only its digest.
    const token = createHmac('sha256', pepper.newest.secret)
      .update(`sandbox-checkout/${payment}`)
      .digest('hex')
      .slice(0, TOKEN_CHARS);
    const customer = customerOf(organization);
    await store.call(openSandboxCheckout, {
      digest: digestSecret(pepper, token),
      payment,
      customer,
      amount,
      keep_method: input.keepMethod ? 1n : 0n,
      success_url: input.successUrl,
      cancel_url: input.cancelUrl,
      expires: milliseconds(clock.now() + OPEN_MS),
    });
    const url = `${urls.dashboard}/checkout/sandbox/${token}`;
    return { url, reference: `checkout_${payment}`, customer };
  }

  charge({ payment, customer, method, amount }: ChargeInput): Promise<ChargeAnswer> {
    return this.parts.store.call(chargeSandbox, { payment, customer, method, amount });
  }

  findCharge({ payment }: Pick<ChargeInput, 'payment'>): Promise<ChargeAnswer | null> {
    return this.parts.store.call(findSandboxCharge, { payment });
  }

  refund(input: RefundInput): Promise<'succeeded' | 'failed'> {
    return this.parts.store.call(refundSandbox, input);
  }

  async portal(): Promise<null> {
    return null;
  }

  look({ payment }: Parameters<PaymentProvider['look']>[0]): Promise<ProviderEvent | null> {
    const { store, clock } = this.parts;
    return store.call(lookSandbox, { payment, now: clock.now() });
  }

  /** The sandbox sends no webhooks: it reports its events itself. */
  async read(): Promise<never> {
    throw new Refused('not_found');
  }
}

function customerOf(organization: OrganizationId): string {
  return organization.replace(/^org_/, 'customer_');
}
