/** Verifies that a router outside loopback is the router and not another server in its place. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import { systemFault } from '../shared/system-fault.ts';
import type { RouterAddress } from './config.ts';

export type Trust = Readonly<{
  /**
   * SHA-256 digests of the public keys that the router may have, in base64. Null: any key with a
   * valid certificate.
   */
  pins: ReadonlySet<string> | null;
  /**
   * The certificate authorities, in PEM. Null: Node's default authorities, or no check of the
   * certificate if there are pins.
   */
  ca: string | null;
}>;

/** A SHA-256 digest in base64 has 44 characters. The first of them may be a slash. */
const DIGEST_LENGTH = 44;

/** The address of a router, and how to verify its identity. */
export type KnownRouter = Readonly<{ url: string; trust: Trust }>;

/**
 * Loads the trust settings of a router from the configuration. Throws when the `ca` file cannot be
 * read or has no valid certificate.
 */
export async function loadTrust({ pin, ca }: RouterAddress): Promise<Trust> {
  return {
    pins: pin ? new Set(pin.map((text) => text.slice(-DIGEST_LENGTH))) : null,
    ca: ca === undefined ? null : await readAuthorities(ca),
  };
}

async function readAuthorities(file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8');
    if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it has no certificate');
    createSecureContext({ ca: pem });
    return pem;
  } catch (error) {
    throw new Error(`routers: ca: ${file} cannot be used: ${systemFault(error)}`, { cause: error });
  }
}

/** Returns the TLS options. A pinned key needs no valid certificate, unless `ca` is set. */
export function tlsOptions({ pins, ca }: Trust): { ca?: string; rejectUnauthorized?: boolean } {
  if (ca !== null) return { ca };
  return pins ? { rejectUnauthorized: false } : {};
}

/**
 * Whether the peer of an established TLS connection has one of the pinned keys. Without pins, every
 * peer is trusted.
 */
export function isTrusted({ pins }: Trust, socket: unknown): boolean {
  if (!pins) return true;
  if (!(socket instanceof TLSSocket)) return false;
  const key = socket.getPeerX509Certificate()?.publicKey;
  if (!key) return false;
  const spki = key.export({ type: 'spki', format: 'der' });
  return pins.has(createHash('sha256').update(spki).digest('base64'));
}
