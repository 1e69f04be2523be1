/**
 * The installation's secrets, in a file of their own beside the store: a copy of the store alone is of no use
 * against keys.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { ConfigError } from './config.ts';

const Secrets = z.strictObject({
  /** Digests of keys and tokens are HMACs under this. */
  pepper: z.base64().min(40),
  /** Cache salts are HMACs of organization ids under this. */
  cacheSalt: z.base64().min(40),
  /** What Stripe calls its secret key, and its webhook's signing secret: put here by hand, where it is used. */
  stripe: z
    .strictObject({ secretKey: z.string().min(1), webhookSecret: z.string().min(1) })
    .optional(),
});

export type Secrets = Readonly<{
  pepper: Uint8Array;
  cacheSalt: Uint8Array;
  stripe: Readonly<{ secretKey: string; webhookSecret: string }> | null;
}>;

/** Reads the secrets, and makes them on the first start. Throws ConfigError for a damaged file. */
export async function openSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(`${file}: ${error.message}`);
  });
  if (text === null) {
    await create(file);
    return openSecrets(file);
  }
  try {
    const { pepper, cacheSalt, stripe = null } = Secrets.parse(JSON.parse(text));
    return {
      pepper: Buffer.from(pepper, 'base64'),
      cacheSalt: Buffer.from(cacheSalt, 'base64'),
      stripe,
    };
  } catch {
    // Never the parser's own message: it would quote the file.
    throw new ConfigError(`${file}: damaged; restore it, or no API key will be accepted`);
  }
}

/** Written whole beside and linked into place: two routers starting at once agree on one. */
async function create(file: string): Promise<void> {
  const beside = `${file}.${randomBytes(8).toString('hex')}`;
  const secrets = {
    pepper: randomBytes(32).toString('base64'),
    cacheSalt: randomBytes(32).toString('base64'),
  };
  await writeFile(beside, JSON.stringify(secrets), { mode: 0o600, flush: true });
  try {
    await link(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(beside);
  }
}
