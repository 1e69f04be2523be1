/**
 * The second factor: codes of an authenticator (RFC 6238), each accepted once, and recovery codes for whoever has
 * lost it. The secret has to be had again to check a code, so it is kept sealed under a key that is not in the store.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '../../../shared/clock.ts';
import { type PersonId } from '../../../shared/ids.ts';
import {
  digestSecret,
  type Pepper,
  type Peppers,
  pepperOf,
  prefixOf,
} from '../../../shared/peppers.ts';
import { type DigestParts, digestIn } from '../access/digests.ts';
import type { Random } from '../../../shared/random.ts';

const SECRET_BYTES = 20;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const RECOVERY_CODES = 10;
/** 60 bits, in an alphabet without characters that look like others. */
const RECOVERY_CHARS = 12;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type SecondFactorParts = Readonly<{
  pepper: Peppers;
  brand: string;
  clock: Clock;
  random: Random;
}>;

/** A new secret: as an authenticator takes it, and sealed for the store. */
export function mintTotp(
  { pepper, brand, random }: SecondFactorParts,
  { id, email }: Readonly<{ id: PersonId; email: string }>,
): { secret: string; uri: string; sealed: string } {
  const bytes = random.bytes(SECRET_BYTES);
  const totp = totpOf(bytes, { issuer: brand, label: email });
  return {
    secret: totp.secret.base32,
    uri: totp.toString(),
    sealed: seal({ pepper, random }, id, bytes),
  };
}

/** The same secret sealed under the newest pepper; null: it is already, or under no pepper that is known here. */
export function sealAgain(
  parts: Pick<SecondFactorParts, 'pepper' | 'random'>,
  { id, sealed }: Readonly<{ id: PersonId; sealed: string }>,
): string | null {
  const under = pepperOf(parts.pepper, sealed)?.pepper;
  if (under === undefined || under === parts.pepper.newest) return null;
  return seal(parts, id, unseal(parts.pepper, id, sealed));
}

/** The time step whose code this is, up to one before or after now; null: of none. */
export function stepOf(
  { pepper, clock }: Pick<SecondFactorParts, 'pepper' | 'clock'>,
  { id, sealed }: Readonly<{ id: PersonId; sealed: string }>,
  code: string,
): bigint | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = totpOf(unseal(pepper, id, sealed));
  const timestamp = clock.now();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : BigInt(totp.counter({ timestamp }) + delta);
}

function seal(
  { pepper, random }: Pick<SecondFactorParts, 'pepper' | 'random'>,
  id: PersonId,
  bytes: Uint8Array,
): string {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealKey(pepper.newest), nonce);
  cipher.setAAD(Buffer.from(id));
  const sealed = Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  return prefixOf(pepper.newest) + sealed.toString('base64url');
}

/** Throws for what was sealed under a pepper that is not known here. */
function unseal(peppers: Peppers, id: PersonId, sealed: string): Uint8Array {
  const under = pepperOf(peppers, sealed);
  if (!under)
    throw new Error('a second factor is sealed under a pepper that is not in the secrets file');
  const bytes = Buffer.from(under.rest, 'base64url');
  const key = sealKey(under.pepper);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]);
}

function sealKey({ secret }: Pepper): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'penstock/totp', 32));
}

function totpOf(bytes: Uint8Array, named: { issuer?: string; label?: string } = {}): TOTP {
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  return new TOTP({ ...named, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}

/** New recovery codes, and the digests that are kept. */
export function mintRecoveryCodes(
  { pepper, random }: Pick<SecondFactorParts, 'pepper' | 'random'>,
  person: PersonId,
): { codes: string[]; digests: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const chars = Array.from(random.bytes(RECOVERY_CHARS), (byte) => ALPHABET[byte & 31]).join('');
    return chars.replaceAll(/(.{4})(?!$)/g, '$1-');
  });
  const secrets = codes.map((code) => recoverySecret(person, code));
  return { codes, digests: secrets.map((secret) => digestSecret(pepper, secret)) };
}

/** The digest under which a recovery code is looked up. */
export function recoveryDigest(
  parts: DigestParts,
  person: PersonId,
  code: string,
): Promise<string> {
  return digestIn(parts, 'recovery_codes', recoverySecret(person, code));
}

/** Of what was typed, with or without its dashes and in either case. */
function recoverySecret(person: PersonId, code: string): string {
  return `recovery/${person}/${code.toLowerCase().replaceAll(/[\s-]/g, '')}`;
}
