/** The payment provider that the configuration names. */
import { SandboxProvider, type SandboxParts } from '../checkout/sandbox.ts';
import type { PaymentProvider } from './provider.ts';

export type PaymentsConfig = Readonly<{ provider: 'none' | 'sandbox' }>;

/** Null: this router takes no payments. */
export function configuredProvider(
  { provider }: PaymentsConfig,
  parts: SandboxParts,
): PaymentProvider | null {
  return provider === 'sandbox' ? new SandboxProvider(parts) : null;
}
