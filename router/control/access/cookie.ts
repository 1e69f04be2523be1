/**
 * The session cookie. Under TLS, the `__Host-` prefix binds the cookie to the host. Browsers reject
 * that prefix over plain HTTP on loopback.
 */

export function cookieName(secure: boolean): string {
  return secure ? '__Host-penstock-session' : 'penstock-session';
}

/** Returns the session token in a `Cookie` header, or undefined when there is none. */
export function cookieOf(header: string | undefined, secure: boolean): string | undefined {
  const name = cookieName(secure);
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** Formats a `Set-Cookie` header. A `maxAgeS` of 0 deletes the cookie. */
export function setCookie(value: string, maxAgeS: number, secure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}`;
  return `${cookieName(secure)}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}
