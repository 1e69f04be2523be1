/** What the router has written into the page about the service. */
import { contactHref } from '../../shared/contact.ts';

/** Whether anybody may sign up. Otherwise, an invitation is needed. */
export function isSignUpOpen(): boolean {
  return written('sign-up') !== 'invited';
}

export type Operator = Readonly<{
  name: string;
  /** Line by line; may be empty. */
  address: readonly string[];
  /** May be empty. */
  taxId: string;
}>;

/** Who operates the service, as receipts name the seller; null if that is not configured. */
export function operator(): Operator | null {
  const name = written('operator');
  if (name === '') return null;
  const address = written('operator-address').split('\n');
  return {
    name,
    address: address.map((line) => line.trim()).filter((line) => line !== ''),
    taxId: written('operator-tax-id'),
  };
}

/** The mail address or URL at which a person reaches the operator; null if none is configured. */
export function contact(): string | null {
  return written('operator-contact') || null;
}

/** The same address for a link. */
export function contactLink(): string | null {
  const given = contact();
  return given === null ? null : contactHref(given);
}

/** The addresses of the terms of service and of the privacy policy; each null if not configured. */
export function termsLinks(): Readonly<Record<'terms' | 'privacy', string | null>> {
  return {
    terms: written('operator-terms') || null,
    privacy: written('operator-privacy') || null,
  };
}

/** The base URL for readers whose organization is not known; null if it is not written. */
export function visitorsBaseUrl(): string | null {
  const url = written('base-url');
  return url.startsWith('http') ? `${url}/v1` : null;
}

/** The origin to which passkeys belong; null if this installation can have none. */
export function passkeyOrigin(): string | null {
  return written('passkeys') || null;
}

/** Empty if the router has written nothing. */
function written(name: string): string {
  const text = document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
  // The development server fills nothing in.
  return text.startsWith('%') ? '' : text;
}
