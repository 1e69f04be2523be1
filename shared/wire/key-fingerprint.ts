/** How logs name an agent's key, which is the same at both ends of a link. */
import { createHash } from 'node:crypto';

/** Returns the SHA-256 digest of a public key (DER in base64) in the format of `ssh-keygen -l`. */
export function keyFingerprint(publicKey: string): string {
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
