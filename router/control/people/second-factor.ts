/**
 * The second factor: authenticator codes (RFC 6238), each accepted once, and recovery codes for
 * people who have lost the authenticator. Checking a code needs the secret itself, so the secret is
 * stored encrypted under a key that is not in the store.
 */
import { Secret, TOTP } from 'otpauth';
import { type PersonId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { type DigestParts, digestIn } from '../access/digests.ts';
import { type Place, seal, unseal } from '../access/sealing.ts';
import type { ControlParts } from '../parts.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 60 bits, in an alphabet without look-alike characters. */
const RECOVERY_CHARS = 12;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type SecondFactorParts = Pick<ControlParts, 'pepper' | 'brand' | 'clock' | 'random'>;

/**
 * Creates a secret: in the forms that an authenticator accepts, and sealed (encrypted) for the
 * store.
 */
export function mintTotp(
  { pepper, brand, random }: SecondFactorParts,
  { id, email }: Readonly<{ id: PersonId; email: string }>,
): { secret: string; uri: string; sealed: string } {
  const bytes = random.bytes(SECRET_BYTES);
  const totp = totpOf(bytes, { issuer: brand, label: email });
  return {
    secret: totp.secret.base32,
    uri: totp.toString(),
    sealed: seal({ pepper, random }, placeOf(id), bytes),
  };
}

/**
 * Returns the time step of a code, at most one step before or after now, or null when the code is
 * wrong.
 */
export function stepOf(
  { pepper, clock }: Pick<SecondFactorParts, 'pepper' | 'clock'>,
  { id, sealed }: Readonly<{ id: PersonId; sealed: string }>,
  code: string,
): bigint | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = totpOf(unseal(pepper, placeOf(id), sealed));
  const timestamp = clock.now();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : BigInt(totp.counter({ timestamp }) + delta);
}

function placeOf(id: PersonId): Place {
  return { purpose: 'totp', id };
}

function totpOf(bytes: Uint8Array, named: { issuer?: string; label?: string } = {}): TOTP {
  const secret = new Secret({ buffer: Uint8Array.from(bytes).buffer });
  return new TOTP({ ...named, secret, algorithm: 'SHA1', digits: 6, period: 30 });
}

/** Creates recovery codes, and the digests to store. */
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

/** Returns the digest to look a recovery code up by. */
export function recoveryDigest(
  parts: DigestParts,
  person: PersonId,
  code: string,
): Promise<string> {
  return digestIn(parts, 'recovery_codes', recoverySecret(person, code));
}

/** Normalizes a code as typed: dashes, spaces and case do not matter. */
function recoverySecret(person: PersonId, code: string): string {
  return `recovery/${person}/${code.toLowerCase().replaceAll(/[\s-]/g, '')}`;
}
