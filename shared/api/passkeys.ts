/** Passkeys (WebAuthn credentials), with which people sign in instead of a password. */
import { z } from 'zod';
import { instant, Name } from './fields.ts';
import { page } from './pages.ts';

/** Bytes in base64url, of at most so many characters. */
function bytes(charsMax: number) {
  return z
    .string()
    .regex(/^[\w-]+$/, 'Send bytes in base64url without padding.')
    .max(charsMax)
    .meta({ examples: ['AQIDBAUGBwgJCgsMDQ4PEA'] });
}

/** A credential id has at most 1,023 bytes. */
const CredentialId = bytes(1_364).describe(
  'The id that the authenticator has given the credential.',
);
const ClientData = bytes(4_096).describe(
  'What the browser says that it has asked the authenticator for.',
);

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created: instant,
  last_used: instant.nullable().describe('When it last signed in. Null: not yet.'),
});
export type Passkey = z.infer<typeof Passkey>;
export const PasskeyPage = page(Passkey);
export const PasskeyRemoved = z.object({ id: z.string(), deleted: z.literal(true) });

export const PasskeyChange = z.strictObject({ name: Name });

const publicKeyType = z.literal('public-key');

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const PasskeyCreation = z.object({
  challenge: z.string().describe('It works once, within five minutes, and only in this session.'),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.int() })),
  timeout: z.int().describe('In milliseconds.'),
  excludeCredentials: z
    .array(z.object({ type: publicKeyType, id: z.string() }))
    .describe('The passkeys that you have: an authenticator that has one of them adds no other.'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

/** What an authenticator has created, of `PublicKeyCredential.toJSON()`. */
export const CreatedCredential = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  attestationObject: bytes(8_192).describe('The public key of the credential, with its id.'),
});
export type CreatedCredential = z.infer<typeof CreatedCredential>;

export const NewPasskey = z.strictObject({
  name: Name.meta({ examples: ['Laptop'] }),
  credential: CreatedCredential,
});

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const PasskeyRequest = z.object({
  challenge: z.string().describe('It works once, within five minutes.'),
  rpId: z.string().describe('The host name that passkeys belong to.'),
  timeout: z.int().describe('In milliseconds.'),
  userVerification: z.literal('required'),
  allowCredentials: z
    .array(z.object({ type: publicKeyType, id: z.string() }))
    .describe('Empty: the authenticator offers the passkeys that it has.'),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** What an authenticator has signed, of `PublicKeyCredential.toJSON()`. */
export const PasskeySignIn = z.strictObject({
  id: CredentialId,
  clientDataJSON: ClientData,
  authenticatorData: bytes(2_048).describe('What the authenticator says of the host and the user.'),
  signature: bytes(2_048).describe('The signature of the authenticator.'),
  userHandle: bytes(100).describe('Whose passkey it is, as the authenticator has kept it.'),
});
export type PasskeySignIn = z.infer<typeof PasskeySignIn>;
