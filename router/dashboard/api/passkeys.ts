/**
 * Passkeys: the queries of the API, and what the browser asks of authenticators. Browsers have read
 * and written the JSON form of WebAuthn since 2025.
 */
import type {
  NewPasskey,
  Passkey,
  PasskeyCreation,
  PasskeyRequest,
  PasskeySignIn,
} from '../../../shared/api/passkeys.ts';
import type { Me } from '../../../shared/api/people.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { after } from '../clock.ts';
import { passkeyOrigin } from '../service.ts';
import { get, type Sent, send } from './client.ts';
import { listQuery } from './lists.ts';

export const passkeysQuery = listQuery<Passkey>(['passkeys'], '/me/passkeys');

/** Passkeys belong to one host, which need not be the one by which this page was opened. */
export function arePasskeysOfThisPage(): boolean {
  return passkeyOrigin() === location.origin;
}

/** Whether passkeys can be used on this page and by this browser. */
export function canUsePasskeys(): boolean {
  return (
    arePasskeysOfThisPage() &&
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

/** Asks an authenticator for a new passkey, and adds it. */
export async function addPasskey({
  name,
  password,
}: Readonly<{ name: string; password: string }>): Promise<Passkey> {
  const options = await send<PasskeyCreation>('POST', '/me/passkeys/challenge', { password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const created = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    throw inWords(error, 'No passkey was added. It was canceled or took too long.');
  });
  const { id, response } = (created as PublicKeyCredential).toJSON() as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject } = response;
  const body: Sent<typeof NewPasskey> = {
    name,
    credential: { id, clientDataJSON, attestationObject },
  };
  return await send('POST', '/me/passkeys', body);
}

/** Signs in with a passkey that an authenticator has, by a window of the browser. */
export async function signInWithPasskey(): Promise<Me> {
  const answer = await choosePasskey(await newRequest(), {}).catch((error: unknown) => {
    throw inWords(error, 'No passkey was used. It was canceled, took too long or was not found.');
  });
  return await sendPasskey(answer);
}

export function sendPasskey(answer: PasskeySignIn): Promise<Me> {
  return send<Me>('POST', '/sign-in/passkey', answer);
}

/**
 * Lets the browser offer passkeys where the email is typed, until one is chosen or `signal` is
 * aborted. Null when none is chosen.
 */
export async function autofilledPasskey(signal: AbortSignal): Promise<PasskeySignIn | null> {
  const isAvailable = await PublicKeyCredential.isConditionalMediationAvailable();
  while (isAvailable && !signal.aborted) {
    const request = await newRequest(signal).catch(() => null);
    if (request === null) return null;
    // The challenge lasts until the timeout; another one replaces it a minute before.
    const renewal = new AbortController();
    const cancel = after(request.timeout - MINUTE_MS, () => renewal.abort());
    try {
      const either = AbortSignal.any([signal, renewal.signal]);
      return await choosePasskey(request, { mediation: 'conditional', signal: either });
    } catch {
      // The button says what is wrong.
      if (!renewal.signal.aborted) return null;
    } finally {
      cancel();
    }
  }
  return null;
}

function newRequest(signal?: AbortSignal): Promise<PasskeyRequest> {
  return get('/sign-in/passkey', {}, signal);
}

async function choosePasskey(
  request: PasskeyRequest,
  how: CredentialRequestOptions,
): Promise<PasskeySignIn> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(request);
  const chosen = await navigator.credentials.get({ ...how, publicKey });
  const { id, response } = (chosen as PublicKeyCredential).toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/**
 * The errors of WebAuthn have messages for developers. Those of the API stay as they are. `none`
 * says that the browser gave no passkey, and why that may be.
 */
function inWords(error: unknown, none: string): unknown {
  if (!(error instanceof DOMException)) return error;
  if (error.name === 'InvalidStateError') {
    return new Error('This device already has a passkey of your account.');
  }
  return new Error(none);
}
