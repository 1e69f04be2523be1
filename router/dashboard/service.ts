/** What the router has written into the page about the service. */

/** Whether anybody may sign up. Otherwise, an invitation is needed. */
export function isSignUpOpen(): boolean {
  return written('sign-up') !== 'invited';
}

/** Who operates the service, as receipts name the seller; null if that is not configured. */
export function operatorName(): string | null {
  const name = written('operator');
  // The development server fills nothing in.
  return name === '' || name.startsWith('%') ? null : name;
}

/** The base URL for readers whose organization is not known; null if it is not written. */
export function visitorsBaseUrl(): string | null {
  const url = written('base-url');
  return url.startsWith('http') ? `${url}/v1` : null;
}

function written(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
}
