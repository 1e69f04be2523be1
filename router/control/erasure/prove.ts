/** Somebody who is signed in shows again that it is them, before their account is ended. */
import { verify } from '@node-rs/argon2';
import type { PersonId } from '../../../shared/ids.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import { found, Refused } from '../api.ts';
import { countWithin } from '../invitations/throttle.ts';

const ATTEMPTS_MAX = 10;
const WINDOW_MS = 15 * 60 * 1000;

/** The hash of a person's password, counted as an attempt at it. */
export const countPasswordAttempt: Procedure<
  Readonly<{ person: PersonId; now: number }>,
  Readonly<{ hash: string | null; retryAfterMs: number | null }>
> = {
  name: 'countPasswordAttempt',
  access: 'write',
  async run(db, { person, now }) {
    const subject = `erasure/${person}`;
    const retryAfterMs = await countWithin(db, {
      subject,
      max: ATTEMPTS_MAX,
      windowMs: WINDOW_MS,
      now,
    });
    const row = await db
      .selectFrom('people')
      .select('password_hash')
      .where('id', '=', person)
      .where('erased', 'is', null)
      .executeTakeFirst();
    return { hash: row?.password_hash ?? null, retryAfterMs };
  },
};

/** Answers the hash that was proven. Throws Refused for a wrong password, and after too many of them. */
export async function proveOwnPassword(
  store: Pick<Store, 'call'>,
  { person, password, now }: Readonly<{ person: PersonId; password: string; now: number }>,
): Promise<string> {
  const { hash, retryAfterMs } = await store.call(countPasswordAttempt, { person, now });
  if (retryAfterMs !== null) {
    const message = 'Too many attempts: try again later.';
    throw new Refused('rate_limited', message, undefined, Math.ceil(retryAfterMs / 1000));
  }
  const proven = found(hash, 'person');
  if (proven === '' || !(await verify(proven, password))) {
    throw new Refused('forbidden', 'The password is wrong.', 'password');
  }
  return proven;
}
