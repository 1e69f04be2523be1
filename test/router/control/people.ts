/** Signed-in people, written straight into the store, for tests of what they may do. */
import { systemClock as clock } from '../../../shared/clock.ts';
import type { Role } from '../../../shared/api/roles.ts';
import { mintId, mintToken } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { type Answer, PEPPER, type Rig } from './rig.ts';

export type Signed = Readonly<{
  person: string;
  /** The membership's id, or null for a person who belongs to no organization. */
  member: string | null;
  email: string;
  /** The session's token, as in its cookie. */
  token: string;
  /** Sends a request with the session's cookie, from the dashboard's own origin. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
}>;

const END_OF_CENTURY = Date.UTC(2100);

type Wanted = Readonly<{
  /** The role, and the organization. Default: the first run's organization. */
  role?: Role;
  organization?: string;
  /** `viewer`: an operator who changes nothing. */
  operator?: boolean | 'viewer';
}>;

export async function signIn(rig: Rig, wanted: Wanted = {}): Promise<Signed> {
  const person = mintId('person', clock, random);
  const email = `${person}@example.com`;
  const token = mintToken('ses', random);
  const now = clock.now();
  const operator = (wanted.operator ?? false) === false ? 0 : 1;
  const role = wanted.operator === 'viewer' ? `'viewer'` : 'null';
  await rig.place.sql(
    `insert into people (id, email, name, password_hash, operator, operator_role, created,
       email_confirmed)
     values ('${person}', '${email}', 'Somebody', '', ${operator}, ${role}, ${now},
       ${now})`,
    `insert into sessions (id, digest, rotate, person, address, client, created, last_seen, expires)
     values ('${mintId('session', clock, random)}', '${digestSecret(PEPPER, token)}', 0, '${person}',
       '127.0.0.1', 'test', ${now}, ${now}, ${now + 86_400_000})`,
  );
  const member = wanted.role === undefined ? null : mintId('member', clock, random);
  if (member !== null) {
    await rig.place.sql(
      `insert into members (id, organization, person, role, created)
       values ('${member}', '${wanted.organization ?? rig.first.organization.id}', '${person}',
         '${wanted.role}', ${now})`,
    );
  }
  const ask: Signed['ask'] = (method, path, body, headers = {}) =>
    rig.ask(method, path, body, {
      cookie: `penstock-session=${token}`,
      origin: rig.origin,
      ...headers,
    });
  return { person, member, email, token, ask };
}

/**
 * Lets an operator change an organization that they are no member of, until the end of this century,
 * since the clocks of tests may be ahead.
 */
export async function allowChanges(
  rig: Rig,
  { person }: Pick<Signed, 'person'>,
  organization: string,
): Promise<void> {
  const now = clock.now();
  await rig.place.sql(
    `insert into operator_changes (organization, person, reason, begun, ends)
     values ('${organization}', '${person}', 'a test', ${now}, ${END_OF_CENTURY})`,
  );
}
