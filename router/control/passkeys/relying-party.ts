/**
 * The relying party of WebAuthn: the host name that passkeys belong to, and the origin from which
 * they are used. Both come from the configuration or the listener, and never from a request.
 */
import { isIP } from 'node:net';
import type { PersonId } from '../../../shared/ids.ts';
import { isLoopback } from '../../../shared/wire/link-url.ts';
import { Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';

export type RelyingParty = Readonly<{ id: string; origin: string }>;

/**
 * Null when there can be no passkeys: they need a host name, and TLS unless it is `localhost`. On a
 * loopback address they belong to `localhost`, where the same dashboard is.
 */
export function relyingPartyOf({
  dashboard,
}: Pick<ControlParts['urls'], 'dashboard'>): RelyingParty | null {
  const url = URL.parse(dashboard);
  if (!url) return null;
  if (isLoopback(url.hostname)) url.hostname = 'localhost';
  const { hostname, origin, protocol } = url;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : { id: hostname, origin };
}

/** Throws `Refused` when this installation can have no passkeys. */
export function requiredParty({ urls }: Pick<ControlParts, 'urls'>): RelyingParty {
  const party = relyingPartyOf(urls);
  if (party) return party;
  throw new Refused(
    'conflict',
    'This installation has no passkeys: they need a public URL with a host name, under TLS.',
  );
}

/** The user handle that authenticators keep with a passkey: the person's id. */
export function userHandleOf(person: PersonId): string {
  return Buffer.from(person).toString('base64url');
}
