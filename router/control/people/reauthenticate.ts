/** Asks signed-in people for their password again before sensitive changes. */
import type { FastifyRequest } from 'fastify';
import type { PersonRow } from '../../store/schema/people.ts';
import { personOf } from '../access/gate.ts';
import { found, Refused } from '../api.ts';
import type { ControlParts } from '../parts.ts';
import { countProof, forgiveProof } from './account.ts';
import { findPerson } from './procedures.ts';
import { refuseBlocked, throttled } from './throttle.ts';

export type ReauthenticateParts = Pick<ControlParts, 'store' | 'pepper' | 'clock' | 'passwords'>;

/**
 * Returns the person if the password is right. Throws `Refused` for a wrong password, naming the
 * field `param`, and after too many attempts.
 */
export async function reauthenticate(
  { store, pepper, clock, passwords }: ReauthenticateParts,
  request: FastifyRequest,
  password: string,
  param = 'password',
): Promise<PersonRow> {
  const person = found(await store.call(findPerson, personOf(request)), 'person');
  const attempt = throttled(pepper, 'password', person.id);
  const blocked = await store.call(countProof, { attempt, now: clock.now() });
  if (blocked) return refuseBlocked(blocked);
  if (!(await passwords.verify(person.password_hash, password))) {
    throw new Refused('forbidden', 'The password is wrong.', param);
  }
  await store.call(forgiveProof, attempt);
  return person;
}
