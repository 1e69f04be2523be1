/**
 * The agent's identity: one Ed25519 key pair, created on the first start and kept in the data
 * folder. A join token binds the public key to the agent's name at the router. After that the agent
 * needs only its key.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../shared/random.ts';

const KEY_FILE = 'agent-key.pem';

export type Identity = Readonly<{
  /** DER SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** Returns the Ed25519 signature of a text, in base64. */
  sign(text: string): string;
}>;

/**
 * Loads the agent's key pair, and creates it on the first start. Throws when the key cannot be read
 * or written, or when the file does not hold an Ed25519 private key.
 */
export async function loadIdentity(folder: string, random: Random): Promise<Identity> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const known = await readIdentity(folder);
  if (known) return known;
  const file = join(folder, KEY_FILE);
  await writeOnce(file, newKey(), random);
  // The file is read back, so that two agents that start on one folder use the same key.
  const written = await readIdentity(folder);
  if (!written) throw new Error(`${file} was written but is not there`);
  return written;
}

/** Reads the agent's key pair. Returns null if there is none yet; throws as `loadIdentity` does. */
export async function readIdentity(folder: string): Promise<Identity | null> {
  const key = await readKey(join(folder, KEY_FILE));
  return key && identityOf(key);
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

async function readKey(file: string): Promise<KeyObject | null> {
  let pem: string;
  try {
    pem = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The original error is dropped, because it could quote the file's contents.
  }
  throw new Error(`${file} does not hold an Ed25519 private key`);
}

/** Writes and syncs a file atomically. A file that already exists is kept. */
async function writeOnce(file: string, text: string, random: Random): Promise<void> {
  const draft = `${file}.${Buffer.from(random.bytes(6)).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

function identityOf(key: KeyObject): Identity {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return { publicKey, sign: (text) => sign(null, Buffer.from(text), key).toString('base64') };
}
