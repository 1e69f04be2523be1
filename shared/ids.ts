/** Identifiers, API keys and tokens: how they are generated and recognized. */
import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type RequestId = Id<'request'>;
export type OrganizationId = Id<'organization'>;
export type KeyId = Id<'key'>;
export type MemberId = Id<'member'>;
export type PersonId = Id<'person'>;
export type AgentId = Id<'agent'>;
export type PriceId = Id<'price'>;
export type TransferId = Id<'transfer'>;
export type SessionId = Id<'session'>;
export type PasskeyId = Id<'passkey'>;
export type InvitationId = Id<'invitation'>;
export type ManagementTokenId = Id<'managementToken'>;
export type AuditId = Id<'audit'>;
export type PaymentId = Id<'payment'>;
export type InvoiceId = Id<'invoice'>;
export type WebhookId = Id<'webhook'>;
export type WebhookDeliveryId = Id<'webhookDelivery'>;
export type WebhookEventId = Id<'webhookEvent'>;
export type IncidentId = Id<'incident'>;
export type ChatId = Id<'chat'>;
export type HostEventId = Id<'hostEvent'>;
export type AlarmId = Id<'alarm'>;
/** One run of one router process. It is never configured: a restarted router is another one. */
export type IncarnationId = Id<'incarnation'>;

const PREFIX = {
  request: 'req',
  organization: 'org',
  key: 'key',
  member: 'mem',
  person: 'per',
  agent: 'agt',
  price: 'prc',
  transfer: 'trf',
  incarnation: 'rtr',
  session: 'ses',
  passkey: 'pky',
  invitation: 'inv',
  managementToken: 'mtk',
  audit: 'aud',
  payment: 'pay',
  invoice: 'ivc',
  webhook: 'whk',
  webhookDelivery: 'dlv',
  webhookEvent: 'evt',
  incident: 'icd',
  chat: 'cht',
  hostEvent: 'hev',
  alarm: 'alm',
} as const;

/** How long the id of an agent is. An index of the audit log has as much of each target. */
export const AGENT_ID_CHARS = 30;

/** Crockford's base32 alphabet in lower case. Encoded numbers sort by their value. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Returns a new id, such as `req_` and 26 characters: 48 bits of time in ms, then 80 random bits.
 * Ids sort by the time of their creation.
 */
export function mintId<Name extends keyof typeof PREFIX>(
  name: Name,
  clock: Pick<Clock, 'now'>,
  random: Random,
): Id<Name> {
  let chance = '';
  for (const byte of random.bytes(16)) chance += BASE32[byte & 31];
  return `${idsFrom(name, clock.now())}${chance}` as Id<Name>;
}

/**
 * Returns the prefix of ids created at this instant (ms since the epoch; before the epoch, that of the
 * epoch). Older ids sort before.
 */
export function idsFrom(name: keyof typeof PREFIX, instant: number): string {
  let time = '';
  for (let rest = Math.max(0, instant), i = 0; i < 10; i++, rest = Math.floor(rest / 32)) {
    time = BASE32[rest % 32] + time;
  }
  return `${PREFIX[name]}_${time}`;
}

/**
 * Returns an id that is the same for the same source at the same instant (ms since the epoch), for
 * procedures, which have no randomness. It sorts by the instant.
 */
export function derivedId<Name extends keyof typeof PREFIX>(
  name: Name,
  source: string,
  instant: number,
): Id<Name> {
  const digest = createHash('sha256').update(source).digest();
  const rest = Array.from(digest.subarray(0, 16), (byte) => BASE32[byte & 31]).join('');
  return `${idsFrom(name, instant)}${rest}` as Id<Name>;
}

function base62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 is the largest multiple of 62 in a byte. With bytes above it, characters would not be
      // equally likely.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

const PUBLIC_ID_CHARS = 12;
/** 28 × log2(62) = 166 bits. */
const SECRET_CHARS = 28;
const CHECKSUM_CHARS = 6;
const API_KEY = /^sk-([a-z0-9]{1,32})-infapi-([0-9A-Za-z]{12})([0-9A-Za-z]{28})([0-9A-Za-z]{6})$/;

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++, rest = Math.floor(rest / 62)) {
    out = BASE62[rest % 62] + out;
  }
  return out;
}

/** Returns a new API key, `sk-<brand>-infapi-<public id><secret><crc>`, and its public id. */
export function mintApiKey(brandName: string, random: Random): { id: KeyId; value: string } {
  const publicId = base62(random, PUBLIC_ID_CHARS);
  const stem = `sk-${brandName}-infapi-${publicId}${base62(random, SECRET_CHARS)}`;
  return { id: `${PREFIX.key}_${publicId}` as KeyId, value: stem + checksum(stem) };
}

/** Returns the id in a well-formed key, or null. The checksum detects typing errors. */
export function parseApiKey(value: string): KeyId | null {
  const match = API_KEY.exec(value);
  if (!match) return null;
  const stem = value.slice(0, -CHECKSUM_CHARS);
  return checksum(stem) === match[4] ? (`${PREFIX.key}_${match[2]}` as KeyId) : null;
}

/** Returns how lists show a key: enough to tell keys apart, too little to use one. */
export function maskApiKey(value: string): string {
  const match = API_KEY.exec(value);
  return match ? `sk-${match[1]}-infapi-${match[2]}…` : '…';
}

/**
 * The kinds of secrets that are looked up by their digest: of an operator, an agent, a session, a
 * script, or a link.
 */
export type TokenKind = 'op' | 'join' | 'ses' | 'mgmt' | 'link';

export function mintToken(kind: TokenKind, random: Random): string {
  return `penstock-${kind}-${base62(random, 40)}`;
}

/** Returns an organization's cache salt for engines: 32 hex digits, which all engines accept. */
export function cacheSalt(secret: Uint8Array, organization: OrganizationId): string {
  return createHmac('sha256', secret).update(organization).digest('hex').slice(0, 32);
}
