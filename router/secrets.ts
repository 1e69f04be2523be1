/**
 * The installation's secrets, in a file apart from the store: without the file, a copy of the store
 * does not help to guess keys.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makePepper, PEPPERS_MAX, type Pepper, type Peppers } from '../shared/peppers.ts';
import { systemFault } from '../shared/system-fault.ts';
import type { RouterConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

/** At least 40 characters of base64: 240 bits. */
const Secret = z.base64().min(40);
const SECRET_BYTES = 32;

const SecretsFile = z
  .strictObject({
    /** The first pepper. Digests of keys and tokens are HMACs under a pepper. */
    pepper: Secret.optional(),
    /** Peppers that were added later, newest first. See docs/secrets.md. */
    peppers: z.array(Secret).default([]),
    /** Cache salts are HMACs of organization ids under this. */
    cacheSalt: Secret,
    /** Stripe's secret key, and its webhook's signing secret. An operator adds them by hand. */
    stripe: z
      .strictObject({ secretKey: z.string().min(1), webhookSecret: z.string().min(1) })
      .optional(),
  })
  .refine(({ pepper, peppers }) => {
    const all = pepper === undefined ? peppers : [...peppers, pepper];
    return all.length > 0 && all.length <= PEPPERS_MAX && new Set(all).size === all.length;
  });
type SecretsFile = z.infer<typeof SecretsFile>;

export type Secrets = Readonly<{
  /**
   * All peppers of the file, newest first. The store records which of them are in use:
   * `installation/settings.ts`.
   */
  peppers: readonly [Pepper, ...Pepper[]];
  cacheSalt: Uint8Array;
  stripe: Readonly<{ secretKey: string; webhookSecret: string }> | null;
}>;

/**
 * Reads the secrets. Returns null when the file does not exist. Throws ConfigError when the file is
 * damaged or cannot be read.
 */
export async function readSecrets(file: string): Promise<Secrets | null> {
  const read = await readSecretsFile(file);
  if (read === null) return null;
  const { pepper, peppers, cacheSalt, stripe = null } = read;
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const all = peppers.map((secret) => makePepper(bytes(secret), true));
  if (pepper !== undefined) all.push(makePepper(bytes(pepper), false));
  return { peppers: all as [Pepper, ...Pepper[]], cacheSalt: bytes(cacheSalt), stripe };
}

/** Throws ConfigError if payments need Stripe's keys and the file has none. */
export function checkStripeKeys(
  { payments, secrets: file }: Pick<RouterConfig, 'payments' | 'secrets'>,
  secrets: Secrets | null,
): void {
  if (payments.provider !== 'stripe' || secrets?.stripe) return;
  throw new ConfigError(`${file}: has no Stripe keys, but payments.provider is stripe`);
}

/** Reads the secrets. Creates the file first if it does not exist. */
export async function openSecrets(file: string): Promise<Secrets> {
  await createSecrets(file);
  return (await readSecrets(file)) as Secrets;
}

/**
 * Creates the file, and its folder. Returns false when it exists already. The file is written whole under another
 * name and then linked into place, so that two processes that start at once use the same secrets.
 */
export async function createSecrets(file: string): Promise<boolean> {
  if ((await readSecrets(file)) !== null) return false;
  const secret = () => randomBytes(SECRET_BYTES).toString('base64');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const beside = await writeBeside(file, { pepper: secret(), peppers: [], cacheSalt: secret() });
  try {
    await link(beside, file);
    await syncFolderOf(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(beside);
  }
}

/**
 * Adds a new pepper before the others. The store decides when it comes into use: see
 * docs/secrets.md. Throws ConfigError when the file does not exist or has `PEPPERS_MAX` peppers.
 */
export async function addPepper(file: string): Promise<void> {
  const read = await readSecretsFile(file);
  if (read === null) throw new ConfigError(`${file}: the file does not exist`);
  const count = read.peppers.length + (read.pepper === undefined ? 0 : 1);
  if (count >= PEPPERS_MAX) {
    throw new ConfigError(`${file}: already has ${count} peppers, and may have ${PEPPERS_MAX}`);
  }
  const added = randomBytes(SECRET_BYTES).toString('base64');
  await rename(await writeBeside(file, { ...read, peppers: [added, ...read.peppers] }), file);
  await syncFolderOf(file);
}

async function readSecretsFile(file: string): Promise<SecretsFile | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(`${file}: cannot be read: ${systemFault(error)}`);
  });
  if (text === null) return null;
  try {
    return SecretsFile.parse(JSON.parse(text));
  } catch {
    // The parser's message would quote the file, so it is not used.
    throw new ConfigError(
      `${file}: the file is damaged; without it no API key is accepted, so restore it`,
    );
  }
}

async function writeBeside(file: string, secrets: SecretsFile): Promise<string> {
  const beside = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(beside, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(secrets, null, 2));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return beside;
}

/**
 * Returns all peppers of the file, with the one for new digests first. `inUse`: the tags of the
 * peppers that the store uses. Throws when the file has none of them.
 */
export function peppersInUse({ peppers }: Secrets, inUse: readonly string[]): Peppers {
  const newest = peppers.find(({ tag }) => inUse.includes(tag));
  if (!newest) throw new Error('the secrets file has none of the peppers that the store uses');
  return { newest, all: [newest, ...peppers.filter((pepper) => pepper !== newest)] };
}

/** Syncs the folder, so that the new file survives a power failure: no key works without it. */
async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
