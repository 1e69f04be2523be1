/**
 * Authenticates a caller of the management API by the token in `Authorization`, or else by the
 * session cookie.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type OrganizationId } from '../../../shared/ids.ts';
import type { Peppers } from '../../../shared/peppers.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Store } from '../../store/store.ts';
import { Refused } from '../api.ts';
import { type FoundCaller, findCaller } from './caller.ts';
import { cookieOf } from './cookie.ts';
import { digestIn } from './digests.ts';

export type AuthenticateParts = Readonly<{
  store: Pick<Store, 'call'>;
  pepper: Peppers;
  clock: Clock;
  /** Whether the dashboard is served over TLS. */
  secure: boolean;
}>;

const BEARER = /^Bearer penstock-(op|mgmt)-([0-9A-Za-z]{40})$/i;
const SESSION = /^penstock-ses-[0-9A-Za-z]{40}$/;
const PRESENTED = {
  op: ['operator', 'operator_tokens'],
  mgmt: ['management', 'management_tokens'],
} as const;

/**
 * Returns the caller and the caller's role in `organization`. Throws `Refused` when the credentials
 * are missing or invalid; an API key is not accepted here. A header takes precedence over a cookie,
 * so that a script's request is never attributed to a browser's session.
 */
export async function authenticate(
  parts: AuthenticateParts,
  headers: IncomingHttpHeaders,
  organization: OrganizationId | null,
): Promise<FoundCaller> {
  const { store, clock, secure } = parts;
  const now = clock.now();
  if (headers.authorization !== undefined) {
    const [, kind, secret] = BEARER.exec(headers.authorization) ?? [];
    if (kind === undefined) throw new Refused('invalid_token');
    const token = `penstock-${kind.toLowerCase()}-${secret}`;
    const [presented, table] = PRESENTED[kind.toLowerCase() as keyof typeof PRESENTED];
    const digest = await digestIn(parts, table, token);
    const found = await store.call(findCaller, { presented, digest, organization, now });
    if (!found) throw new Refused('invalid_token');
    return found;
  }
  const token = cookieOf(headers.cookie, secure);
  if (token === undefined) throw new Refused('not_signed_in');
  const digest = SESSION.test(token) ? await digestIn(parts, 'sessions', token) : null;
  const found =
    digest && (await store.call(findCaller, { presented: 'session', digest, organization, now }));
  if (!found) throw new Refused('not_signed_in', 'Your session has ended: sign in again.');
  return found;
}
