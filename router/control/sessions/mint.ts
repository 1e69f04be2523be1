/** Creates a session: the token for the cookie, and the row to store. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mintId, mintToken, type PersonId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { SessionRow } from '../../store/schema/people.ts';
import { cookieOf, setCookie } from '../access/cookie.ts';
import { type DigestParts, digestIn } from '../access/digests.ts';
import type { ControlParts } from '../parts.ts';

export type SessionParts = Pick<ControlParts, 'store' | 'pepper' | 'clock' | 'random' | 'urls'>;

export const SESSION_MS = 30 * 24 * 60 * 60 * 1000;
const CLIENT_CHARS_MAX = 200;

/**
 * Creates a session for this request. `presented` is the digest of the session that came with the
 * request, or null.
 */
export async function mintSession(
  parts: SessionParts,
  request: FastifyRequest,
  person: PersonId,
): Promise<{ token: string; row: SessionRow; presented: string | null }> {
  const { clock, random } = parts;
  const { token, digest } = mintSessionToken(parts);
  const now = milliseconds(clock.now());
  const client = (request.headers['user-agent'] ?? '').replaceAll(/\p{Cc}/gu, '');
  const row: SessionRow = {
    id: mintId('session', clock, random),
    digest,
    former_digest: null,
    former_until: null,
    rotate: 0n,
    person,
    address: request.ip,
    client: client.slice(0, CLIENT_CHARS_MAX),
    created: now,
    last_seen: now,
    expires: now + BigInt(SESSION_MS),
  };
  return { token, row, presented: await presentedDigest(parts, request) };
}

export function mintSessionToken({ pepper, random }: Pick<SessionParts, 'pepper' | 'random'>): {
  token: string;
  digest: string;
} {
  const token = mintToken('ses', random);
  return { token, digest: digestSecret(pepper, token) };
}

/** The digest of the token in the request's cookie; null when it has none. */
export async function presentedDigest(
  parts: DigestParts & Pick<SessionParts, 'urls'>,
  { headers }: FastifyRequest,
): Promise<string | null> {
  const token = cookieOf(headers.cookie, parts.urls.secure);
  return token === undefined ? null : await digestIn(parts, 'sessions', token);
}

export function giveCookie(
  reply: FastifyReply,
  { urls }: Pick<SessionParts, 'urls'>,
  token: string,
  lastsMs = SESSION_MS,
): void {
  reply.header('set-cookie', setCookie(token, Math.floor(lastsMs / 1000), urls.secure));
}

export function takeCookie(reply: FastifyReply, { urls }: Pick<SessionParts, 'urls'>): void {
  reply.header('set-cookie', setCookie('', 0, urls.secure));
}
