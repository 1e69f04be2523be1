/** Creates the payment provider that the configuration names. */
import { type SandboxParts, SandboxProvider } from '../checkout/sandbox.ts';
import type { PaymentProvider } from './provider.ts';
import type { StripeParts } from './stripe.ts';

export type PaymentsConfig = Readonly<{
  provider: 'none' | 'sandbox' | 'stripe';
  stripe?: StripeParts['at'];
}>;

export type ProviderParts = SandboxParts &
  Readonly<{
    /** Null when the secrets file has no Stripe keys. */
    stripe: Pick<StripeParts, 'secretKey' | 'webhookSecret'> | null;
  }>;

/**
 * Returns null when this router accepts no payments. Throws when Stripe is configured without its
 * keys.
 */
export async function configuredProvider(
  { provider, stripe: at = {} }: PaymentsConfig,
  { stripe: secrets, ...parts }: ProviderParts,
): Promise<PaymentProvider | null> {
  if (provider === 'none') return null;
  if (provider === 'sandbox') return new SandboxProvider(parts);
  if (secrets === null)
    throw new Error('Stripe is configured, but the secrets file has no Stripe keys');
  // Imported on demand, because the module is large and only Stripe needs it.
  const { StripeProvider } = await import('./stripe.ts');
  return new StripeProvider({ at, ...secrets, ...parts });
}
