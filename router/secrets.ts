/**
 * The installation's secrets, in a file of their own beside the store: a copy of the store alone is of no use
 * against keys.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { makePepper, PEPPERS_MAX, type Pepper, type Peppers } from '../shared/peppers.ts';
import { ConfigError } from './config.ts';

/** 240 bits, in base64. */
const Secret = z.base64().min(40);
const SECRET_BYTES = 32;

const SecretsFile = z
  .strictObject({
    /** Digests of keys and tokens are HMACs under this, the pepper that the installation began with. */
    pepper: Secret.optional(),
    /** Those that came after it, the newest first: see docs/secrets.md. */
    peppers: z.array(Secret).default([]),
    /** Cache salts are HMACs of organization ids under this. */
    cacheSalt: Secret,
    /** What Stripe calls its secret key, and its webhook's signing secret: put here by hand, where it is used. */
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
  /** Every one in the file, the newest first. Which one is in use the store says: `installation/settings.ts`. */
  peppers: readonly [Pepper, ...Pepper[]];
  cacheSalt: Uint8Array;
  stripe: Readonly<{ secretKey: string; webhookSecret: string }> | null;
}>;

/** Reads the secrets; null: there is no such file. Throws ConfigError for a damaged one. */
export async function readSecrets(file: string): Promise<Secrets | null> {
  const read = await readSecretsFile(file);
  if (read === null) return null;
  const { pepper, peppers, cacheSalt, stripe = null } = read;
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const all = peppers.map((secret) => makePepper(bytes(secret), true));
  if (pepper !== undefined) all.push(makePepper(bytes(pepper), false));
  return { peppers: all as [Pepper, ...Pepper[]], cacheSalt: bytes(cacheSalt), stripe };
}

/** Reads the secrets, and makes them where there is no such file. */
export async function openSecrets(file: string): Promise<Secrets> {
  await createSecrets(file);
  return (await readSecrets(file)) as Secrets;
}

/** False: the file is there already. Written whole and linked into place: two that start at once agree on one. */
export async function createSecrets(file: string): Promise<boolean> {
  if ((await readSecrets(file)) !== null) return false;
  const secret = () => randomBytes(SECRET_BYTES).toString('base64');
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

/** Puts a new pepper before the others. The store says when it is used: see docs/secrets.md. */
export async function addPepper(file: string): Promise<void> {
  const read = await readSecretsFile(file);
  if (read === null) throw new ConfigError(`${file}: there is no such file`);
  const count = read.peppers.length + (read.pepper === undefined ? 0 : 1);
  if (count >= PEPPERS_MAX) {
    throw new ConfigError(`${file}: has ${count} peppers already, and may have ${PEPPERS_MAX}`);
  }
  const added = randomBytes(SECRET_BYTES).toString('base64');
  await rename(await writeBeside(file, { ...read, peppers: [added, ...read.peppers] }), file);
  await syncFolderOf(file);
}

async function readSecretsFile(file: string): Promise<SecretsFile | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(`${file}: ${error.message}`);
  });
  if (text === null) return null;
  try {
    return SecretsFile.parse(JSON.parse(text));
  } catch {
    // Never the parser's own message: it would quote the file.
    throw new ConfigError(`${file}: damaged; restore it, or no API key will be accepted`);
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

/** The peppers as the rest of the router has them: `inUse` are the tags that the store knows. */
export function peppersInUse({ peppers }: Secrets, inUse: readonly string[]): Peppers {
  const newest = peppers.find(({ tag }) => inUse.includes(tag));
  if (!newest) throw new Error('none of the peppers is in use');
  return { newest, all: [newest, ...peppers.filter((pepper) => pepper !== newest)] };
}

/** Makes a new name in the folder survive a power cut: without this file no key is accepted. */
async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
