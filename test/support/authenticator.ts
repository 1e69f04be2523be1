/** An authenticator of WebAuthn in software, with keys for ES256, and the browser before it. */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  CreatedCredential,
  PasskeyCreation,
  PasskeyRequest,
  PasskeySignIn,
} from '../../shared/api/passkeys.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const AAGUID = Buffer.alloc(16);

export type Credential = Readonly<{
  id: string;
  privateKey: string;
  userHandle: string;
  rpId: string;
}>;

/** What a faulty or hostile one does differently. */
type Faults = Readonly<{
  /** The page that asks, instead of the relying party's. */
  origin?: string;
  /** The relying party that is signed for, instead of the one that asks. */
  rpId?: string;
  /** False: nobody has entered a PIN or shown a face. */
  isVerified?: boolean;
  userHandle?: string;
  /** The format of the attestation. */
  format?: string;
}>;

export class Authenticator {
  readonly #origin: string;
  readonly credentials: Credential[] = [];
  /** How many signatures it has made; it counts them only if it began with a number. */
  counter: number | null;

  constructor(origin: string, counter: number | null = 0) {
    this.#origin = origin;
    this.counter = counter;
  }

  create(options: PasskeyCreation, faults: Faults = {}): CreatedCredential {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(16);
    const credential: Credential = {
      id: id.toString('base64url'),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      userHandle: options.user.id,
      rpId: options.rp.id,
    };
    this.credentials.push(credential);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const authData = Buffer.concat([
      this.#head(faults.rpId ?? options.rp.id, HAS_CREDENTIAL, faults),
      AAGUID,
      length,
      id,
      cbor(key),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', faults.format ?? 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: credential.id,
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, faults),
      attestationObject: cbor(attestation).toString('base64url'),
    };
  }

  /** Signs with the credential that was created last, or with another one. */
  get(
    { challenge, rpId }: Pick<PasskeyRequest, 'challenge' | 'rpId'>,
    faults: Faults & Readonly<{ credential?: Credential }> = {},
  ): PasskeySignIn {
    const credential = faults.credential ?? this.credentials.at(-1);
    if (!credential) throw new Error('this authenticator has no credential');
    if (this.counter !== null) this.counter += 1;
    const authData = this.#head(faults.rpId ?? rpId, 0, faults);
    const clientDataJSON = this.#clientData('webauthn.get', challenge, faults);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      id: credential.id,
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, createPrivateKey(credential.privateKey)).toString(
        'base64url',
      ),
      userHandle: faults.userHandle ?? credential.userHandle,
    };
  }

  #head(rpId: string, more: number, { isVerified = true }: Faults): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more);
    rest.writeUInt32BE(this.counter ?? 0, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Faults): string {
    const data = { type, challenge, origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** CBOR of maps, bytes, texts and whole numbers, as far as a credential has them. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? headOf(1, -1 - value) : headOf(0, value);
  }
  if (typeof value === 'string') {
    return Buffer.concat([headOf(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([headOf(2, value.length), value]);
  const entries = [...(value as Map<unknown, unknown>)].flat();
  return Buffer.concat([headOf(5, entries.length / 2), ...entries.map(cbor)]);
}

function headOf(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
