/**
 * Every kind of caller of the management API, each created fresh, and the verdict that the gate
 * must reach for it.
 */
import type { Access } from '../../router/control/access/gate.ts';
import { ROLES, type Role } from '../../shared/api/roles.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { mintId, mintToken } from '../../shared/ids.ts';
import { digestSecret } from '../../shared/peppers.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { allowChanges, signIn } from '../router/control/people.ts';
import { PEPPER, type Rig } from '../router/control/rig.ts';

/**
 * What each role may do. This repeats the table in the code on purpose, so that a change there
 * fails a test.
 */
export const MAY: Readonly<Record<string, readonly Role[]>> = {
  read: ['org-admin', 'billing-admin', 'developer', 'viewer'],
  keys: ['org-admin', 'developer'],
  playground: ['org-admin', 'developer'],
  billing: ['org-admin', 'billing-admin'],
  members: ['org-admin'],
  settings: ['org-admin'],
  audit: ['org-admin'],
};

type Kind = Readonly<{
  name: string;
  as: 'nobody' | 'person' | 'token' | 'operator';
  /** The caller's role in the organization that the request names. */
  role: Role | null;
  /** Makes a new caller of this kind, and returns its request headers. */
  make: (rig: Rig, organization: string) => Promise<Record<string, string>>;
}>;

export const CALLERS: readonly Kind[] = [
  { name: 'nobody', as: 'nobody', role: null, make: async () => ({ authorization: '' }) },
  {
    name: 'an API key',
    as: 'nobody',
    role: null,
    make: async (rig) => bearer(rig.first.apiKey),
  },
  { name: 'a session that has ended', as: 'nobody', role: null, make: endedSession },
  ...ROLES.map(
    (role): Kind => ({
      name: `a ${role}`,
      as: 'person',
      role,
      make: async (rig, organization) => session(rig, await signIn(rig, { role, organization })),
    }),
  ),
  {
    name: 'an org-admin of another organization',
    as: 'person',
    role: null,
    make: async (rig) => {
      const organization = await newOrganization(rig);
      return session(rig, await signIn(rig, { role: 'org-admin', organization }));
    },
  },
  ...ROLES.map(
    (role): Kind => ({
      name: `a management token of a ${role}`,
      as: 'token',
      role,
      make: (rig, organization) => managementToken(rig, organization, role),
    }),
  ),
  {
    name: 'a management token of another organization',
    as: 'token',
    role: null,
    make: async (rig) => managementToken(rig, await newOrganization(rig), 'org-admin'),
  },
  {
    name: 'an operator in a session',
    as: 'operator',
    role: null,
    make: async (rig, organization) => {
      const operator = await signIn(rig, { operator: true });
      await allowChanges(rig, operator, organization);
      return session(rig, operator);
    },
  },
  { name: 'an operator by token', as: 'operator', role: null, make: operatorToken },
];

export type Verdict = 'let in' | 'unknown caller' | 'not allowed' | 'nothing there';

/** Returns the gate's correct verdict for a caller on a route with this `access`. */
export function verdictOf(access: Access, { as, role }: Kind): Verdict {
  if (access === 'public') return 'let in';
  if (as === 'nobody') return 'unknown caller';
  if (access === 'person') return as === 'token' ? 'not allowed' : 'let in';
  if (access === 'operator') return as === 'operator' ? 'let in' : 'not allowed';
  if (as === 'operator') return 'let in';
  if (role === null) return 'nothing there';
  // Otherwise a removed member could add themselves back with a token that they had created before.
  if (as === 'token' && access.organization === 'members') return 'not allowed';
  return MAY[access.organization]?.includes(role) === true ? 'let in' : 'not allowed';
}

const GATE_MESSAGE =
  /^(?:Your role, [a-z-]+, does not|Only operators of the platform|A management token (?:acts only for|cannot do this))/;

/**
 * Reads the gate's verdict from a response. Any error of the route itself counts as `let in`,
 * because the gate must have passed the request.
 */
export function verdictIn(status: number, text: string): Verdict {
  if (status < 400) return 'let in';
  const { code, message } = errorIn(text);
  if (code === 'not_signed_in' || code === 'invalid_token') return 'unknown caller';
  if (code === 'forbidden' && GATE_MESSAGE.test(message)) return 'not allowed';
  if (message === 'There is no such organization.') return 'nothing there';
  return 'let in';
}

export function errorIn(text: string): { code: string; message: string; param: string | null } {
  const { error } = JSON.parse(text || '{"error":{"code":"","message":""}}');
  return error;
}

export async function newOrganization(rig: Rig): Promise<string> {
  const made = await rig.ask('POST', '/api/v1/organizations', { name: 'Sample' });
  return made.body.id;
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

function session(rig: Rig, { token }: Readonly<{ token: string }>): Record<string, string> {
  return { cookie: `penstock-session=${token}`, origin: rig.origin };
}

async function endedSession(rig: Rig, organization: string): Promise<Record<string, string>> {
  const signed = await signIn(rig, { role: 'org-admin', organization });
  await rig.place.sql(
    `update sessions set expires = ${clock.now() - 1} where person = '${signed.person}'`,
  );
  return session(rig, signed);
}

async function managementToken(
  rig: Rig,
  organization: string,
  role: Role,
): Promise<Record<string, string>> {
  const token = mintToken('mgmt', random);
  await rig.place.sql(
    `insert into management_tokens (id, organization, digest, name, role, created)
     values ('${mintId('managementToken', clock, random)}', '${organization}',
       '${digestSecret(PEPPER, token)}', 'script', '${role}', ${clock.now()})`,
  );
  return bearer(token);
}

async function operatorToken(rig: Rig): Promise<Record<string, string>> {
  const { person } = await signIn(rig, { operator: true });
  const token = mintToken('op', random);
  await rig.place.sql(
    `insert into operator_tokens (id, digest, person, name, created)
     values ('opt_${person}', '${digestSecret(PEPPER, token)}', '${person}', 'script',
       ${clock.now()})`,
  );
  return bearer(token);
}
