/** The roles of operators: an administrator does everything, a viewer reads and changes nothing. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../router/control/audit/record.ts';
import { erasePerson } from '../../../router/control/erasure/person.ts';
import {
  allowChanges as allowChangesIn,
  findAllowedChanges,
} from '../../../router/control/operator-changes/procedures.ts';
import { mintOperator, mintOperatorToken } from '../../../router/control/operators/mint.ts';
import {
  changeOperatorRole,
  insertOperator,
  promoteOperator,
  replaceOperatorToken,
  revokeOperator,
  revokeOperatorToken,
} from '../../../router/control/operators/procedures.ts';
import { lockAccountOf, unlockAccountOf } from '../../../router/control/people/account-lock.ts';
import { milliseconds } from '../../../router/store/milliseconds.ts';
import { systemClock } from '../../../shared/clock.ts';
import { mintId, type OrganizationId, type PersonId } from '../../../shared/ids.ts';
import { systemRandom } from '../../../shared/random.ts';
import { newOrganization } from '../../support/api-callers.ts';
import { fillPath } from '../../support/api-samples.ts';
import { operationsOf } from '../../support/api-schemas.ts';
import { DIALECT } from '../../support/store.ts';
import { auditOf, Browser } from './browser.ts';
import { allowChanges, signIn, type Signed } from './people.ts';
import { PEPPER, startRig } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const VIEWER = 'Your role as operator, viewer, does not allow changes';
const TABLES =
  DIALECT === 'sqlite'
    ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
    : `select tablename as name from pg_tables where schemaname = 'public'`;

/** Returns every row of the store as text, by table. */
async function rows(): Promise<Record<string, string[]>> {
  const tables = (await rig.place.sql(TABLES)) as { name: string }[];
  const all = tables.map(async ({ name }) => {
    const found = await rig.place.sql(`select * from "${name}"`);
    const text = (value: unknown) => (typeof value === 'bigint' ? String(value) : value);
    return [name, found.map((row) => JSON.stringify(row, (_, value) => text(value))).toSorted()];
  });
  return Object.fromEntries(await Promise.all(all)) as Record<string, string[]>;
}

describe('a viewer', () => {
  let viewer: Signed;
  beforeAll(async () => {
    viewer = await signIn(rig, { operator: 'viewer' });
  });

  test('is refused on every route of the description that changes something of the platform or of a customer', async () => {
    const { body: document } = await rig.ask('GET', '/api/openapi.json');
    const access = new Map(
      rig.routes.map((route) => [`${route.method} ${route.url}`, route.access]),
    );
    const organization = await newOrganization(rig);
    // Even this does not help.
    await allowChanges(rig, viewer, organization);
    const where = { organization, owner: organization, which: 'own' } as const;
    const changing: [method: string, path: string][] = [];
    for (const { method, path } of operationsOf(document)) {
      const url = path.replace(/\{(\w+)\}/g, ':$1');
      const needed = access.get(`${method} ${url}`);
      if (method === 'GET' || needed === 'public' || needed === 'person') continue;
      changing.push([method, await fillPath(rig, url, where)]);
    }
    expect(changing.length).toBeGreaterThan(50);
    expect((await viewer.ask('GET', '/api/v1/operators')).status).toBe(200);

    const before = await rows();
    for (const [method, path] of changing) {
      const { status, body } = await viewer.ask(method, path, {});
      expect([status, body.error.code], `${method} ${path}`).toEqual([403, 'forbidden']);
      expect(body.error.message).toContain(VIEWER);
    }
    expect(await rows()).toEqual(before);
  });

  test('reads what operators read, also in the organization of a customer', async () => {
    const organization = await newOrganization(rig);
    for (const path of ['people', 'agents', 'jobs', 'audit', 'organizations', 'routers']) {
      expect((await viewer.ask('GET', `/api/v1/${path}`)).status, path).toBe(200);
    }
    for (const path of ['', '/keys', '/audit', '/webhooks', '/tokens']) {
      const answer = await viewer.ask('GET', `/api/v1/organizations/${organization}${path}`);
      expect(answer.status, path).toBe(200);
    }
    const { body: me } = await viewer.ask('GET', '/api/v1/me');
    expect(me).toMatchObject({ operator: true, operator_role: 'viewer' });
  });

  test('changes, as a member of an organization, what the role of a member allows', async () => {
    const organization = await newOrganization(rig);
    const keys = `/api/v1/organizations/${organization}/keys`;
    const developer = await signIn(rig, { operator: 'viewer', role: 'developer', organization });
    expect((await developer.ask('POST', keys, { name: 'mine' })).status).toBe(201);
    const budget = await developer.ask('PUT', `/api/v1/organizations/${organization}/budget`, {
      amount: '5',
    });
    expect(budget.body.error.message).toBe('Your role, developer, does not allow this.');
    const own = await viewer.ask('POST', '/api/v1/organizations', { name: 'Own' });
    expect(own.status).toBe(201);
    const { body: me } = await viewer.ask('GET', '/api/v1/me');
    expect(me.organizations).toMatchObject([{ name: 'Own', role: 'org-admin' }]);
  });
});

test('a role holds for the token as well, and changes at once', async () => {
  const wanted = { email: 'grace@example.com', name: 'Grace', role: 'viewer' };
  const { body: made } = await rig.ask('POST', '/api/v1/operators', wanted);
  expect(made.role).toBe('viewer');
  const authorization = { authorization: `Bearer ${made.token}` };
  const create = (name: string) =>
    rig.ask('POST', '/api/v1/organizations', { name }, authorization);
  const enrol = () => rig.ask('POST', '/api/v1/agents', { name: 'gpu' }, authorization);
  expect((await enrol()).body.error.message).toContain(VIEWER);

  const path = `/api/v1/operators/${made.id}`;
  const changed = await rig.ask('PATCH', path, { role: 'administrator' });
  expect(changed.body).toMatchObject({ id: made.id, role: 'administrator' });
  expect((await enrol()).status).toBe(201);
  expect((await create('By Grace')).status).toBe(201);
  await rig.ask('PATCH', path, { role: 'viewer' });
  expect((await enrol()).status).toBe(403);
  const { body: audit } = await rig.ask('GET', '/api/v1/audit?limit=100');
  expect((audit.data as { summary: string }[]).map(({ summary }) => summary)).toEqual(
    expect.arrayContaining([
      'Operator made Grace an operator as viewer',
      'Operator changed the operator role of Grace from viewer to administrator',
      'Operator changed the operator role of Grace from administrator to viewer',
    ]),
  );
  const listed = (await rig.ask('GET', '/api/v1/operators?limit=1000')).body.data;
  expect(listed).toContainEqual(expect.objectContaining({ id: made.id, role: 'viewer' }));
});

test('an administrator makes an existing account an operator, whose sessions end', async () => {
  const ada = await Browser.signedUp(rig, 'ada@example.com');
  const add = (email: string) =>
    rig.ask('POST', '/api/v1/operators/existing', { email, role: 'viewer' });
  const unconfirmed = await add('ada@example.com');
  expect(unconfirmed).toMatchObject({ status: 409, body: { error: { param: 'email' } } });
  expect((await add('nobody@example.com')).body.error).toMatchObject({
    message: unconfirmed.body.error.message,
  });
  await rig.place.sql(`update people set email_confirmed = 1 where email = 'ada@example.com'`);

  const since = Date.now();
  const { status, body: operator } = await add(' ADA@example.com');
  expect(status).toBe(201);
  expect(operator).toMatchObject({
    email: 'ada@example.com',
    role: 'viewer',
    token_created: null,
    created_by: { by: 'operator' },
  });
  expect(Date.parse(operator.created)).toBeGreaterThanOrEqual(since - 1);
  expect(await ada.isSignedIn()).toBe(false);
  await ada.signIn('ada@example.com');
  expect((await ada.ask('GET', '/operators')).status).toBe(200);
  expect((await ada.ask('POST', '/agents', { name: 'gpu' })).status).toBe(403);
  expect((await add('ada@example.com')).body.error.message).toBe(
    'This person is an operator already.',
  );
  expect(await auditOf(rig, 'ada@example.com')).toContain('operator.create');

  const ended = await rig.ask('DELETE', `/api/v1/operators/${operator.id}`);
  expect(ended.body).toEqual({ id: operator.id, operator: false });
  await ada.signIn('ada@example.com');
  expect((await ada.ask('GET', '/operators')).status).toBe(403);
  expect((await ada.ask('GET', '/me')).body.operator_role).toBeNull();
});

test('the last administrator is neither removed nor made a viewer, whoever else may read', async () => {
  await using alone = await startRig();
  const [first] = (await alone.ask('GET', '/api/v1/operators')).body.data;
  expect(first.role).toBe('administrator');
  await signIn(alone, { operator: 'viewer' });
  const path = `/api/v1/operators/${first.id}`;
  const message = 'This is the last administrator: make another operator one first.';
  for (const answer of [
    await alone.ask('DELETE', path),
    await alone.ask('PATCH', path, { role: 'viewer' }),
  ]) {
    expect(answer).toMatchObject({ status: 409, body: { error: { message } } });
  }
  expect((await alone.ask('PATCH', path, { role: 'administrator' })).status).toBe(200);
  // One whose account is locked cannot sign in, and does not count.
  const locked = await signIn(alone, { operator: true });
  await alone.place.sql(`update people set locked_at = 1 where id = '${locked.person}'`);
  expect((await alone.ask('DELETE', path)).status).toBe(409);
  await alone.place.sql(`update people set locked_at = null where id = '${locked.person}'`);
  expect((await alone.ask('PATCH', path, { role: 'viewer' })).status).toBe(200);
});

test('two administrators who make each other viewers at the same moment leave one', async () => {
  await using pair = await startRig();
  const [first] = (await pair.ask('GET', '/api/v1/operators')).body.data;
  const other = await signIn(pair, { operator: true });
  const role = { role: 'viewer' };
  const answers = await Promise.all([
    pair.ask('PATCH', `/api/v1/operators/${other.person}`, role),
    other.ask('PATCH', `/api/v1/operators/${first.id}`, role),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

const entryOf = (action: AuditEntry['action'], person: PersonId): AuditEntry => ({
  id: mintId('audit', systemClock, systemRandom),
  organization: null,
  actor: { kind: 'operator', id: person },
  action,
  target: person,
  details: {},
  address: '',
  request: '',
  created: systemClock.now(),
});

describe('an administrator whose request was let in before they became a viewer', () => {
  const by = async () => (await signIn(rig, { operator: 'viewer' })).person as PersonId;
  const somebody = async () => (await signIn(rig, { operator: true })).person as PersonId;

  test('locks nobody', async () => {
    const person = await somebody();
    const entry = entryOf('person.lock', person);
    expect(await rig.store.call(lockAccountOf, { person, by: await by(), entry })).toBe(
      'locked_out',
    );
  });

  test('does not take back what was decided about them', async () => {
    const person = await by();
    const change = { by: person, person, entry: entryOf('operator.change-role', person) };
    const { store } = rig;
    expect([
      await store.call(changeOperatorRole, { ...change, role: 'administrator' }),
      await store.call(unlockAccountOf, change),
      await store.call(revokeOperator, { ...change, person: await somebody() }),
      await store.call(revokeOperatorToken, { ...change, person: await somebody() }),
      await store.call(promoteOperator, {
        ...change,
        email: `${person}@example.com`,
        role: 'administrator',
        now: milliseconds(systemClock.now()),
      }),
    ]).toEqual(['locked_out', 'locked_out', 'locked_out', 'locked_out', 'locked_out']);
    expect((await rig.ask('GET', '/api/v1/operators')).body.data).toContainEqual(
      expect.objectContaining({ id: person, role: 'viewer' }),
    );
  });

  test('allows themselves no changes in an organization', async () => {
    const [person, organization] = [await by(), (await newOrganization(rig)) as OrganizationId];
    const now = systemClock.now();
    const row = {
      organization,
      person,
      reason: 'test',
      begun: milliseconds(now),
      ends: milliseconds(now + 60_000),
    };
    const expiry = { id: mintId('audit', systemClock, systemRandom), now };
    const entry = entryOf('operator.allow-changes', person);
    expect(await rig.store.call(allowChangesIn, { row, expiry, entry })).toBe('locked_out');
    expect(await rig.store.call(findAllowedChanges, { organization, person, now })).toBeNull();
  });

  test('makes no operator and no token', async () => {
    const parts = { clock: systemClock, random: systemRandom, pepper: PEPPER };
    const minted = await mintOperator(parts, { email: 'new@example.com', name: 'New' });
    const change = { by: await by(), entry: entryOf('operator.create', minted.person.id) };
    const inserted = { ...change, person: minted.person, token: minted.tokenRow };
    expect(await rig.store.call(insertOperator, inserted)).toBe('locked_out');
    const { row } = mintOperatorToken(parts, await somebody());
    expect(await rig.store.call(replaceOperatorToken, { ...change, token: row })).toBe(
      'locked_out',
    );
  });
});

test('a role that an operator has already is not changed again', async () => {
  const made = await signIn(rig, { operator: 'viewer' });
  const path = `/api/v1/operators/${made.person}`;
  expect((await rig.ask('PATCH', path, { role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
  expect(await auditOf(rig, made.email)).toEqual([]);
});

test('the last two administrators who delete their accounts at the same moment leave one', async () => {
  await using pair = await startRig();
  const [first] = (await pair.ask('GET', '/api/v1/operators')).body.data;
  const both = [await signIn(pair, { operator: true }), await signIn(pair, { operator: true })];
  await both[0]?.ask('PATCH', `/api/v1/operators/${first.id}`, { role: 'viewer' });
  await pair.place.sql(`update people set password_hash = 'same'`);
  const answers = await Promise.all(
    both
      .map(({ person }) => person as PersonId)
      .map((person) =>
        pair.store.call(erasePerson, {
          person,
          passwordHash: 'same',
          now: systemClock.now(),
          address: person,
          entry: entryOf('person.erase', person),
          deletions: {},
        }),
      ),
  );
  expect(answers.filter((answer) => answer === 'last_operator')).toHaveLength(1);
});

test('an unknown role is refused', async () => {
  const made = await signIn(rig, { operator: true });
  for (const role of ['owner', '', null, 'viewer\u0000']) {
    const refused = await rig.ask('PATCH', `/api/v1/operators/${made.person}`, { role });
    expect(refused, JSON.stringify(role)).toMatchObject({
      status: 400,
      body: { error: { param: 'role' } },
    });
  }
});
