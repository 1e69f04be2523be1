/**
 * Challenges that authenticators sign. A challenge carries its time and a MAC, so that every router
 * can check it and nobody fills the store by asking for challenges. The store has only those that
 * were used, until they have expired: each works once (docs/decisions/0051-passkeys.md).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { PersonId } from '../../../shared/ids.ts';
import type { Pepper } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { ControlParts } from '../parts.ts';

export const CHALLENGE_MS = 5 * MINUTE_MS;
/** Another router's clock may be a little ahead. */
const AHEAD_MS_MAX = MINUTE_MS;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const STEM_BYTES = NONCE_BYTES + TIME_BYTES;
const MAC_BYTES = 32;

/** What a challenge is for. For another purpose it is not accepted. */
export type Attempt =
  | Readonly<{ kind: 'sign-in' }>
  /**
   * `by`: the session or token with which the person adds a passkey. `passwordHash`: of the password
   * that was asked for, so that the challenge is void once it has changed.
   */
  | Readonly<{ kind: 'add'; person: PersonId; by: string; passwordHash: string }>;

export type ChallengeParts = Pick<ControlParts, 'pepper' | 'clock' | 'random'>;

export function mintChallenge({ pepper, clock, random }: ChallengeParts, attempt: Attempt): string {
  const stem = Buffer.alloc(STEM_BYTES);
  stem.set(random.bytes(NONCE_BYTES));
  stem.writeUIntBE(Math.floor(clock.now()), NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([stem, macOf(pepper.newest, attempt, stem)]).toString('base64url');
}

/** Whether a router of this installation has made the challenge for this attempt, not too long ago. */
export function isChallengeOf(
  { pepper, clock }: Pick<ChallengeParts, 'pepper' | 'clock'>,
  attempt: Attempt,
  challenge: string,
): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  // Several texts decode to the same bytes. Only the canonical one is accepted, because used
  // challenges are kept as text.
  if (bytes.length !== STEM_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
    return false;
  const stem = bytes.subarray(0, STEM_BYTES);
  const mac = bytes.subarray(STEM_BYTES);
  const age = clock.now() - stem.readUIntBE(NONCE_BYTES, TIME_BYTES);
  if (age >= CHALLENGE_MS || age < -AHEAD_MS_MAX) return false;
  return pepper.all.some((one) => timingSafeEqual(macOf(one, attempt, stem), mac));
}

function macOf({ secret }: Pepper, attempt: Attempt, stem: Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update(`penstock/passkey-challenge/${purposeOf(attempt)}/`)
    .update(stem)
    .digest();
}

function purposeOf(attempt: Attempt): string {
  if (attempt.kind === 'sign-in') return attempt.kind;
  const { kind, person, by, passwordHash } = attempt;
  return [kind, person, by, passwordHash].join('/');
}

/** For procedures: notes that a challenge was used. Returns false when it was used before. */
export async function useChallenge(db: Db, challenge: string, now: number): Promise<boolean> {
  const used = await db
    .insertInto('used_challenges')
    .values({ challenge, expires: milliseconds(now + CHALLENGE_MS + AHEAD_MS_MAX) })
    .onConflict((conflict) => conflict.column('challenge').doNothing())
    .returning('challenge')
    .executeTakeFirst();
  return used !== undefined;
}
