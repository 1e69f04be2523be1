/**
 * Limits how often something may be tried. Attempts are counted in the store, so the limits hold
 * across routers and restarts. An attempt is counted before it is checked, so that a thousand
 * concurrent attempts gain nothing over sequential ones. If it succeeds, it is subtracted again.
 *
 * Nobody can lock somebody else out for long. If strangers guess at an account, its owner can still
 * sign in from wherever they have a session, because those attempts are counted separately. A
 * password reset by email clears the counts of attempts by password.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { type OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import { Refused } from '../api.ts';

export { addressBlock } from '../../../shared/bounds/address-block.ts';

const THROTTLES = {
  'sign-in-account': { attemptsMax: 10n, windowMs: 15 * MINUTE_MS },
  'sign-in-address': { attemptsMax: 50n, windowMs: 15 * MINUTE_MS },
  /** Of a credential. A signature cannot be guessed, but each attempt costs its verification. */
  'sign-in-passkey': { attemptsMax: 10n, windowMs: 15 * MINUTE_MS },
  /**
   * For people who know the password. There are a million codes, of which three are right at any
   * time.
   */
  'second-factor': { attemptsMax: 20n, windowMs: DAY_MS },
  /** For the password that a signed-in person must repeat before sensitive changes. */
  password: { attemptsMax: 10n, windowMs: 15 * MINUTE_MS },
  /** Each sign-up creates an organization. */
  'sign-up-address': { attemptsMax: 20n, windowMs: DAY_MS },
  'letter-account': { attemptsMax: 5n, windowMs: HOUR_MS },
  /** Apart from the above, so that somebody who waits for an email can still correct the address. */
  'confirmation-account': { attemptsMax: 5n, windowMs: HOUR_MS },
  'letter-address': { attemptsMax: 20n, windowMs: HOUR_MS },
  /** Bounds the emails that an organization can send to addresses that somebody else has typed. */
  invitations: { attemptsMax: BigInt(limits.invitationLettersPerDayMax), windowMs: DAY_MS },
} as const satisfies Record<string, Readonly<{ attemptsMax: bigint; windowMs: number }>>;

type ThrottleName = keyof typeof THROTTLES;

export const LONGEST_WINDOW_MS = DAY_MS;

/** Whose attempts are counted, and of which kind. The store has only a digest of whose. */
export type Throttled = Readonly<{ throttle: ThrottleName; subject: string }>;

export function throttled(pepper: Peppers, throttle: ThrottleName, whose: string): Throttled {
  return { throttle, subject: `${throttle}/${digestSecret(pepper, whose).slice(-32)}` };
}

/** Like `throttled`, for an organization, whose id need not be hidden. */
export function throttledOf(throttle: ThrottleName, organization: OrganizationId): Throttled {
  return { throttle, subject: `${throttle}/${organization}` };
}

export type Blocked = Readonly<{
  blocked: ThrottleName;
  retryAfterMs: number;
  /** Whether this is the first refusal in its window, which is the one to record. */
  first: boolean;
}>;

/**
 * For procedures: counts an attempt under each of `what` and returns null. If one of them has
 * reached its limit, counts no attempt and returns which.
 */
export async function countAttempt(
  db: Db,
  what: readonly Throttled[],
  nowMs: number,
): Promise<Blocked | null> {
  const now = milliseconds(nowMs);
  const rows: { subject: string; count: bigint; since: bigint }[] = [];
  for (const { throttle, subject } of what) {
    const { attemptsMax, windowMs } = THROTTLES[throttle];
    const row = await db
      .selectFrom('throttles')
      .selectAll()
      .where('subject', '=', subject)
      .executeTakeFirst();
    // The absolute difference, because another router's clock may be a little ahead.
    const isOver = !row || Math.abs(Number(now - row.since)) >= windowMs;
    const { count, since } = isOver ? { count: 0n, since: now } : row;
    if (count >= attemptsMax) {
      const first = count === attemptsMax;
      if (first) await keep(db, { subject, count: count + 1n, since });
      return { blocked: throttle, retryAfterMs: Number(since - now) + windowMs, first };
    }
    rows.push({ subject, count: count + 1n, since });
  }
  for (const row of rows) await keep(db, row);
  return null;
}

async function keep(
  db: Db,
  row: Readonly<{ subject: string; count: bigint; since: bigint }>,
): Promise<void> {
  const { count, since } = row;
  await db
    .insertInto('throttles')
    .values(row)
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ count, since }))
    .execute();
}

/** For procedures: subtracts one attempt from a count that includes other people's attempts. */
export async function forgiveAttempt(db: Db, { subject }: Throttled): Promise<void> {
  await db
    .updateTable('throttles')
    .set((row) => ({ count: row('count', '-', 1n) }))
    .where('subject', '=', subject)
    .where('count', '>', 0n)
    .execute();
}

/** For procedures: clears a count, because the person it counts has proven who they are. */
export async function forgiveAll(db: Db, { subject }: Throttled): Promise<void> {
  await db.deleteFrom('throttles').where('subject', '=', subject).execute();
}

export function refuseBlocked(
  { retryAfterMs }: Pick<Blocked, 'retryAfterMs'>,
  message = 'Too many attempts: try again later.',
): never {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw new Refused('rate_limited', message, undefined, seconds);
}
