/** Who presents themselves: a token in `Authorization`, or else a session's cookie. */
import type { IncomingHttpHeaders } from 'node:http';
import { digestSecret, type OrganizationId } from '../../../shared/ids.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { StoreReader } from '../../store/store.ts';
import { Refused } from '../api.ts';
import { type FoundCaller, findCaller } from './caller.ts';
import { cookieOf } from './cookie.ts';

export type AuthenticateParts = Readonly<{
  store: Pick<StoreReader, 'call'>;
  pepper: Uint8Array;
  clock: Clock;
  /** Whether people reach the dashboard under TLS. */
  secure: boolean;
}>;

const BEARER = /^Bearer penstock-(op|mgmt)-([0-9A-Za-z]{40})$/i;
const SESSION = /^penstock-ses-[0-9A-Za-z]{40}$/;
const PRESENTED = { op: 'operator', mgmt: 'management' } as const;

/**
 * Whoever asks, and what they are in the organization. Throws Refused for nobody; an API key is nobody here. A
 * header goes before a cookie, so that what a script sends is never mixed up with a browser's session.
 */
export async function authenticate(
  { store, pepper, clock, secure }: AuthenticateParts,
  headers: IncomingHttpHeaders,
  organization: OrganizationId | null,
): Promise<FoundCaller> {
  const now = clock.now();
  if (headers.authorization !== undefined) {
    const [, kind, secret] = BEARER.exec(headers.authorization) ?? [];
    if (kind === undefined) throw new Refused('invalid_token');
    const token = `penstock-${kind.toLowerCase()}-${secret}`;
    const digest = digestSecret(pepper, token);
    const presented = PRESENTED[kind.toLowerCase() as keyof typeof PRESENTED];
    const found = await store.call(findCaller, { presented, digest, organization, now });
    if (!found) throw new Refused('invalid_token');
    return found;
  }
  const token = cookieOf(headers.cookie, secure);
  if (token === undefined) throw new Refused('not_signed_in');
  const digest = SESSION.test(token) ? digestSecret(pepper, token) : null;
  const found =
    digest && (await store.call(findCaller, { presented: 'session', digest, organization, now }));
  if (!found) throw new Refused('not_signed_in', 'Your session has ended: sign in again.');
  return found;
}
