/** How an agent tells a router from somebody who answers in its place, outside loopback. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { RouterAddress } from './config.ts';

export type Trust = Readonly<{
  /** SHA-256 of the public keys that the router may have, in base64; null: any that is certified. */
  pins: ReadonlySet<string> | null;
  /** The authorities that certify it, in PEM; null: those that Node knows, or none where there are pins. */
  ca: string | null;
}>;

/** Reads what the configuration says of a router. Throws where its authorities cannot be read. */
export async function loadTrust({ pin, ca }: RouterAddress): Promise<Trust> {
  return {
    pins: pin ? new Set(pin.map((text) => text.replace(/^sha256\/+/, ''))) : null,
    ca: ca === undefined ? null : await readAuthorities(ca),
  };
}

async function readAuthorities(file: string): Promise<string> {
  const pem = await readFile(file, 'utf8');
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${file} has no certificate`);
  createSecureContext({ ca: pem });
  return pem;
}

/** What to ask of TLS. A key that is pinned needs nobody to certify it. */
export function tlsOptions({ pins, ca }: Trust): { ca?: string; rejectUnauthorized?: boolean } {
  if (ca !== null) return { ca };
  return pins ? { rejectUnauthorized: false } : {};
}

/** Whether the other end of a connection that TLS has accepted is one that the pins allow. */
export function isTrusted({ pins }: Trust, socket: unknown): boolean {
  if (!pins) return true;
  if (!(socket instanceof TLSSocket)) return false;
  const key = socket.getPeerX509Certificate()?.publicKey;
  if (!key) return false;
  const spki = key.export({ type: 'spki', format: 'der' });
  return pins.has(createHash('sha256').update(spki).digest('base64'));
}
