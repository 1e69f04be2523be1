/**
 * Verifies what authenticators answer. The library is loaded with the first answer that could be
 * right: it takes 27 MB, and most routers never need it.
 */
import type { CreatedCredential, PasskeySignIn } from '../../../shared/api/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** EdDSA, ES256 and RS256, by their numbers in COSE. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** Whom the answer must be for, and which challenge it must have signed. */
type Expected = Readonly<{ party: RelyingParty; challenge: string }>;

/** `publicKey`: in COSE, in base64url. */
export type VerifiedCredential = Readonly<{
  credential: string;
  publicKey: string;
  counter: number;
}>;

/** The challenge that an authenticator says it has signed; '' if there is none. */
export function challengeIn({ clientDataJSON }: Readonly<{ clientDataJSON: string }>): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    const { challenge } = (data ?? {}) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** Returns null for a credential that is not valid. */
export async function verifyCreation(
  { party, challenge }: Expected,
  { id, clientDataJSON, attestationObject }: CreatedCredential,
): Promise<VerifiedCredential | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  if (!(await isUnattested(attestationObject))) return null;
  const answer = await unlessRefused(
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    }),
  );
  const made = answer?.registrationInfo?.credential;
  if (answer?.verified !== true || made === undefined || made.id !== id) return null;
  const publicKey = Buffer.from(made.publicKey).toString('base64url');
  return { credential: id, publicKey, counter: made.counter };
}

/**
 * No attestation is asked for, so browsers send none, or the credential's own signature. Anything else
 * is refused, so that no certificate of a stranger is parsed.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  try {
    const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
    const format = decoded.get('fmt');
    return (
      format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
    );
  } catch {
    return false;
  }
}

/**
 * Returns the counter of a valid signature, or null. The caller compares the counter with the last
 * one, in the transaction that replaces it.
 */
export async function verifySignature(
  { party, challenge }: Expected,
  { id, clientDataJSON, authenticatorData, signature, userHandle }: PasskeySignIn,
  publicKey: string,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const answer = await unlessRefused(
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature, userHandle },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
        counter: 0,
      },
    }),
  );
  return answer?.verified === true ? answer.authenticationInfo.newCounter : null;
}

/** The library throws an `Error` for each answer that it does not accept, with its own words. */
async function unlessRefused<Answer>(verified: Promise<Answer>): Promise<Answer | null> {
  return await verified.catch(() => null);
}
