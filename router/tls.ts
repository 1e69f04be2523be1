/** The certificate of a listener, and its key. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { systemFault } from '../shared/system-fault.ts';
import { ConfigError } from './config-error.ts';

/** Paths of PEM files. */
export type TlsFiles = Readonly<{ cert: string; key: string }>;

/**
 * A certificate, with those of its issuers, and its private key, in PEM. `expires`: ms since the
 * epoch.
 */
export type Certificate = Readonly<{ cert: Buffer; key: Buffer; expires: number }>;

/**
 * Reads a certificate and its key. Throws ConfigError, which names the files and does not quote
 * them.
 */
export async function readTls({ cert, key }: TlsFiles): Promise<Certificate> {
  const read = { cert: await readPem('cert', cert), key: await readPem('key', key) };
  try {
    createSecureContext(read);
    return { ...read, expires: new X509Certificate(read.cert).validToDate.getTime() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(`listeners: tls: ${cert} and ${key} cannot be used (${code})`);
  }
}

async function readPem(setting: keyof TlsFiles, file: string): Promise<Buffer> {
  return await readFile(file).catch((error: unknown) => {
    throw new ConfigError(
      `listeners: tls.${setting}: ${file} cannot be read: ${systemFault(error)}`,
    );
  });
}
