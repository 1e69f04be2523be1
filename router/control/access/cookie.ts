/** The session's cookie. Under TLS its name binds it to the host; browsers drop that name on plain loopback. */

export function cookieName(secure: boolean): string {
  return secure ? '__Host-penstock-session' : 'penstock-session';
}

/** The token in a `Cookie` header; undefined: there is none. */
export function cookieOf(header: string | undefined, secure: boolean): string | undefined {
  const name = cookieName(secure);
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}

/** `maxAgeS` 0 takes it away. */
export function setCookie(value: string, maxAgeS: number, secure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}`;
  return `${cookieName(secure)}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}
