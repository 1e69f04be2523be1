/**
 * The relying party of WebAuthn: the host name that passkeys belong to, and the origin from which
 * they are used. Both come from the configuration or the listener, and never from a request.
 */
import { isIP } from 'node:net';
import type { ControlParts } from '../parts.ts';

export type RelyingParty = Readonly<{ id: string; origin: string }>;

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Null when there can be no passkeys: they need a host name, and TLS unless it is `localhost`. On a
 * loopback address they belong to `localhost`, where the same dashboard is.
 */
export function relyingPartyOf({
  dashboard,
}: Pick<ControlParts['urls'], 'dashboard'>): RelyingParty | null {
  const url = URL.parse(dashboard);
  if (!url) return null;
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : { id: hostname, origin };
}
