/** The names of the payment providers, for people. */
const NAMES: Readonly<Record<string, string>> = { sandbox: 'Sandbox', stripe: 'Stripe' };

/** A provider that is newer than this version has its code as its name. */
export function providerName(provider: string): string {
  return Object.hasOwn(NAMES, provider) ? (NAMES[provider] as string) : provider;
}
