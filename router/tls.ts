/** The certificate of a listener, and its key. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { systemFault } from '../shared/system-fault.ts';
import { ConfigError } from './config-error.ts';

/** Paths of PEM files. */
export type TlsFiles = Readonly<{ cert: string; key: string }>;

/** What the files contain. */
export type TlsPair = Readonly<{ cert: Buffer; key: Buffer }>;

/**
 * Reads a certificate and its key. Throws ConfigError, which names the files and does not quote
 * them.
 */
export async function readTls({ cert, key }: TlsFiles): Promise<TlsPair> {
  const read = { cert: await readPem('cert', cert), key: await readPem('key', key) };
  try {
    createSecureContext(read);
    return read;
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
