/** Identifiers and secrets: how they are minted, recognized and digested. */
import { createHmac } from 'node:crypto';
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
export type InvitationId = Id<'invitation'>;
export type ManagementTokenId = Id<'managementToken'>;
export type AuditId = Id<'audit'>;
export type PaymentId = Id<'payment'>;
export type InvoiceId = Id<'invoice'>;
/** One life of one router process: never a configured name, so that a restart is another router. */
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
  invitation: 'inv',
  managementToken: 'mtk',
  audit: 'aud',
  payment: 'pay',
  invoice: 'ivc',
} as const;

/** Crockford's alphabet in lower case: sorts as it counts. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `req_` and 26 characters: 48 bits of time in ms, then 80 of chance; sorts by time of minting. */
export function mintId<Name extends keyof typeof PREFIX>(
  name: Name,
  clock: Clock,
  random: Random,
): Id<Name> {
  let chance = '';
  for (const byte of random.bytes(16)) chance += BASE32[byte & 31];
  return `${idsFrom(name, clock.now())}${chance}` as Id<Name>;
}

/** What ids minted at this instant (ms since the epoch) begin with: those from before sort before it. */
export function idsFrom(name: keyof typeof PREFIX, instant: number): string {
  let time = '';
  for (let rest = instant, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) {
    time = BASE32[rest % 32] + time;
  }
  return `${PREFIX[name]}_${time}`;
}

function base62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      // 248 is the largest multiple of 62 in a byte: above it, characters would not be equally likely.
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

/** A new API key: `sk-<brand>-infapi-<public id><secret><crc>`, and its id, which is no secret. */
export function mintApiKey(brandName: string, random: Random): { id: KeyId; value: string } {
  const publicId = base62(random, PUBLIC_ID_CHARS);
  const stem = `sk-${brandName}-infapi-${publicId}${base62(random, SECRET_CHARS)}`;
  return { id: `${PREFIX.key}_${publicId}` as KeyId, value: stem + checksum(stem) };
}

/** The id in a well-formed key, or null: a typing error is found here, before any look-up. */
export function parseApiKey(value: string): KeyId | null {
  const match = API_KEY.exec(value);
  if (!match) return null;
  const stem = value.slice(0, -CHECKSUM_CHARS);
  return checksum(stem) === match[4] ? (`${PREFIX.key}_${match[2]}` as KeyId) : null;
}

/** What a list shows of a key: enough to tell keys apart, too little to use one. */
export function maskApiKey(value: string): string {
  const match = API_KEY.exec(value);
  return match ? `sk-${match[1]}-infapi-${match[2]}…` : '…';
}

/** A secret that is looked up by its digest: an operator's, an agent's, a session's, a script's, or a link's. */
export type TokenKind = 'op' | 'join' | 'ses' | 'mgmt' | 'link';

export function mintToken(kind: TokenKind, random: Random): string {
  return `penstock-${kind}-${base62(random, 40)}`;
}

/** The engine's cache salt of an organization: hex, so that every engine accepts it. */
export function cacheSalt(secret: Uint8Array, organization: OrganizationId): string {
  return createHmac('sha256', secret).update(organization).digest('hex').slice(0, 32);
}
