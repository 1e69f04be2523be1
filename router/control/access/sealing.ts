/**
 * Encrypts secrets that the service itself must be able to read again, for the store. The key is
 * derived from a pepper, which is not in the store.
 */
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { type Pepper, type Peppers, pepperOf, prefixOf } from '../../../shared/peppers.ts';
import type { ControlParts } from '../parts.ts';

/** What a sealed secret is for. Each purpose has its own key. Stored texts depend on these names. */
export type Purpose = 'totp' | 'webhook' | 'chat';

export type SealParts = Pick<ControlParts, 'pepper' | 'random'>;

/** `id`: the row that the secret belongs to. In another row it cannot be unsealed. */
export type Place = Readonly<{ purpose: Purpose; id: string }>;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a secret under the newest pepper. */
export function seal(
  { pepper, random }: SealParts,
  { purpose, id }: Place,
  bytes: Uint8Array,
): string {
  const sealed = encrypt({ random, key: keyOf(pepper.newest, purpose), place: id }, bytes);
  return prefixOf(pepper.newest) + sealed.toString('base64url');
}

/** Throws when the secret was sealed under a pepper that is not known here, or for another place. */
export function unseal(peppers: Peppers, { purpose, id }: Place, sealed: string): Uint8Array {
  const under = pepperOf(peppers, sealed);
  if (!under) throw new Error('a secret is sealed under a pepper that is not in the secrets file');
  return decrypt(
    { key: keyOf(under.pepper, purpose), place: id },
    Buffer.from(under.rest, 'base64url'),
  );
}

/** What a text is encrypted under: 32 bytes, and the place without which it cannot be decrypted. */
type Lock = Readonly<{ key: Uint8Array; place: string }>;

/** Encrypts with AES-256-GCM. Returns the nonce, the encrypted bytes and the tag. */
export function encrypt(
  { random, key, place }: Lock & Pick<SealParts, 'random'>,
  bytes: Uint8Array,
): Buffer {
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the bytes are damaged, or were encrypted under another key or for another place. */
export function decrypt({ key, place }: Lock, bytes: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]);
}

/**
 * Seals a secret again under the newest pepper. Returns null when it is already sealed under that
 * pepper, or under a pepper that is not known here.
 */
export function sealAgain(parts: SealParts, place: Place, sealed: string): string | null {
  const under = pepperOf(parts.pepper, sealed)?.pepper;
  if (under === undefined || under === parts.pepper.newest) return null;
  return seal(parts, place, unseal(parts.pepper, place, sealed));
}

function keyOf({ secret }: Pepper, purpose: Purpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `penstock/${purpose}`, 32));
}
