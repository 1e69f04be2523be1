/** The payment provider that the configuration names. */
import { type SandboxParts, SandboxProvider } from '../checkout/sandbox.ts';
import type { PaymentProvider } from './provider.ts';
import type { StripeParts } from './stripe.ts';

export type PaymentsConfig = Readonly<{
  provider: 'none' | 'sandbox' | 'stripe';
  stripe?: StripeParts['at'];
}>;

export type ProviderParts = SandboxParts &
  Readonly<{
    /** Null: they are not in the file of secrets. */
    stripe: Pick<StripeParts, 'secretKey' | 'webhookSecret'> | null;
  }>;

/** Null: this router takes no payments. */
export async function configuredProvider(
  { provider, stripe: at = {} }: PaymentsConfig,
  { stripe: secrets, ...parts }: ProviderParts,
): Promise<PaymentProvider | null> {
  if (provider === 'none') return null;
  if (provider === 'sandbox') return new SandboxProvider(parts);
  if (secrets === null) throw new Error('Stripe is configured, and its keys are not');
  // It is large, and nobody else needs it.
  const { StripeProvider } = await import('./stripe.ts');
  return new StripeProvider({ at, ...secrets, ...parts });
}
