/**
 * An operator's session begins read-only in an organization that the operator is no member of,
 * until the operator allows changes there, for 30 minutes.
 */
import { beforeAll, expect, test } from 'vitest';
import {
  expireChanges,
  findExpiredChanges,
  operatorChangesTask,
} from '../../../router/control/operator-changes/expire.ts';
import { mintId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { newOrganization } from '../../support/api-callers.ts';
import { signIn, type Signed } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;

let rig: Rig;
const clock = new ManualClock(Date.now());
beforeAll(async () => {
  rig = await startRig(clock);
  return () => rig[Symbol.asyncDispose]();
});

const changesOf = (organization: string) =>
  `/api/v1/organizations/${organization}/operator-changes`;
const keysOf = (organization: string) => `/api/v1/organizations/${organization}/keys`;

function allow(operator: Signed, organization: string, reason = 'Asked by phone.') {
  return operator.ask('POST', changesOf(organization), { reason });
}

async function sweep(): Promise<void> {
  await operatorChangesTask({ store: rig.store, clock, random }).run();
}

async function summaries(organization: string, action: string): Promise<string[]> {
  const { body } = await rig.ask('GET', `/api/v1/audit?organization=${organization}&limit=100`);
  return (body.data as { action: string; summary: string }[])
    .filter((entry) => entry.action === action)
    .map(({ summary }) => summary);
}

test('an operator reads everything of a customer, and changes nothing until changes are allowed', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  expect((await operator.ask('GET', keysOf(organization))).status).toBe(200);
  const refused = await operator.ask('POST', keysOf(organization), { name: 'theirs' });
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({
    code: 'changes_not_allowed',
    message: expect.stringContaining('allow changes first'),
  });

  const allowed = await allow(operator, organization);
  expect(allowed.status).toBe(201);
  const until = new Date(clock.now() + 30 * MINUTE_MS).toISOString();
  expect(allowed.body.allowed).toMatchObject({ reason: 'Asked by phone.', until });
  expect((await operator.ask('GET', changesOf(organization))).body).toEqual(allowed.body);
  expect((await operator.ask('POST', keysOf(organization), { name: 'theirs' })).status).toBe(201);
  expect((await allow(operator, organization)).status).toBe(409);
});

test('changes are allowed for one operator in one organization', async () => {
  const [one, other] = [await newOrganization(rig), await newOrganization(rig)];
  const operator = await signIn(rig, { operator: true });
  await allow(operator, one);
  expect((await operator.ask('POST', keysOf(other), { name: 'x' })).status).toBe(403);
  const colleague = await signIn(rig, { operator: true });
  expect((await colleague.ask('POST', keysOf(one), { name: 'x' })).status).toBe(403);
});

test('an operator ends changes, and beginning and end are in the audit log with the reason', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  const admin = await signIn(rig, { role: 'org-admin', organization });
  clock.advance(1);
  await allow(operator, organization, 'The key leaked.');
  clock.advance(1);
  const ended = await operator.ask('DELETE', changesOf(organization));
  expect(ended.body).toEqual({ organization, allowed: null });
  expect((await operator.ask('POST', keysOf(organization), { name: 'x' })).status).toBe(403);
  expect((await operator.ask('DELETE', changesOf(organization))).status).toBe(409);

  const { body } = await admin.ask('GET', `/api/v1/organizations/${organization}/audit`);
  const seen = (body.data as { summary: string; actor: object }[]).slice(0, 2);
  expect(seen.map(({ summary }) => summary)).toEqual([
    'An operator ended the changes that had been allowed for this reason: The key leaked.',
    'An operator allowed changes for 30 minutes: The key leaked.',
  ]);
  expect(seen[0]?.actor).toEqual({ kind: 'operator', id: null, name: null, email: null });
  expect(await summaries(organization, 'operator.allow-changes')).toEqual([
    'Somebody allowed changes for 30 minutes: The key leaked.',
  ]);
});

test('changes end after 30 minutes by the clock, and the audit log says so once', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  await allow(operator, organization);
  clock.advance(30 * MINUTE_MS - 1);
  await sweep();
  expect((await operator.ask('POST', keysOf(organization), { name: 'x' })).status).toBe(201);
  clock.advance(1);
  // Nothing has swept it yet.
  expect((await operator.ask('POST', keysOf(organization), { name: 'x' })).status).toBe(403);
  expect((await operator.ask('GET', changesOf(organization))).body.allowed).toBeNull();

  const found = await rig.store.call(findExpiredChanges, { now: clock.now() });
  await sweep();
  for (const key of found) {
    const expiry = { id: mintId('audit', clock, random), now: clock.now() };
    await rig.store.call(expireChanges, { ...key, expiry });
  }
  expect(await summaries(organization, 'operator.end-changes')).toEqual([
    'The time in which Somebody had allowed changes ran out: Asked by phone.',
  ]);
  expect(await rig.store.call(findExpiredChanges, { now: clock.now() })).toEqual([]);
});

test('changes can be allowed again before the end of the former ones was recorded', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  await allow(operator, organization, 'First.');
  clock.advance(30 * MINUTE_MS);
  expect((await allow(operator, organization, 'Second.')).status).toBe(201);
  await sweep();
  expect(await summaries(organization, 'operator.end-changes')).toEqual([
    'The time in which Somebody had allowed changes ran out: First.',
  ]);
  expect((await operator.ask('POST', keysOf(organization), { name: 'x' })).status).toBe(201);
});

test('tokens of operators, members, and the work of operators need no permission', async () => {
  const organization = await newOrganization(rig);
  expect((await rig.ask('POST', keysOf(organization), { name: 'by token' })).status).toBe(201);
  const member = await signIn(rig, { operator: true, role: 'developer', organization });
  expect((await member.ask('POST', keysOf(organization), { name: 'mine' })).status).toBe(201);

  const operator = await signIn(rig, { operator: true });
  const path = `/api/v1/organizations/${organization}`;
  const suspended = await operator.ask('PATCH', `${path}/terms`, { status: 'suspended' });
  expect(suspended.status).toBe(200);
  const credit = await operator.ask(
    'POST',
    `${path}/credit/adjustments`,
    { amount: '5', reason: 'sorry' },
    { 'idempotency-key': 'sorry' },
  );
  expect(credit.status).toBe(201);
  expect((await operator.ask('PATCH', path, { region: 'eu' })).status).toBe(200);
  const both = await operator.ask('PATCH', path, { region: 'us', name: 'Mine' });
  expect(both.body.error.code).toBe('changes_not_allowed');
  expect((await operator.ask('GET', path)).body).toMatchObject({ region: 'eu', name: 'Sample' });
});

test('a reason is required and bounded, and so is the number of organizations', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  for (const reason of ['', ' ', 'x'.repeat(501), 'a\u0000b', 'a\nb']) {
    const refused = await allow(operator, organization, reason);
    expect(refused.status, JSON.stringify(reason)).toBe(400);
    expect(refused.body.error.param).toBe('reason');
  }
  expect((await allow(operator, organization, 'x'.repeat(500))).status).toBe(201);
  for (let more = 1; more < 20; more += 1) {
    expect((await allow(operator, await newOrganization(rig))).status).toBe(201);
  }
  const last = await newOrganization(rig);
  const refused = await allow(operator, last);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('too many organizations');
  // Those whose time is over do not count.
  clock.advance(30 * MINUTE_MS);
  await sweep();
  expect((await allow(operator, last)).status).toBe(201);
  const missing = await allow(operator, `org_${'0'.repeat(26)}`);
  expect(missing.status).toBe(404);
});

test('who is no operator cannot allow themselves changes', async () => {
  const organization = await newOrganization(rig);
  const admin = await signIn(rig, { role: 'org-admin', organization });
  expect((await allow(admin, organization)).status).toBe(403);
});

test('an operator who is a member needs permission for what the role of the member does not allow', async () => {
  const organization = await newOrganization(rig);
  const member = await signIn(rig, { operator: true, role: 'viewer', organization });
  const refused = await member.ask('POST', keysOf(organization), { name: 'x' });
  expect(refused.body.error.code).toBe('changes_not_allowed');
  await allow(member, organization);
  expect((await member.ask('POST', keysOf(organization), { name: 'x' })).status).toBe(201);
});

test('a request without any field needs permission, too', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  const refused = await operator.ask('PATCH', `/api/v1/organizations/${organization}`, {});
  expect(refused.body.error.code).toBe('changes_not_allowed');
  expect(await summaries(organization, 'organization.change-settings')).toEqual([]);
});

test.each([
  ['becomes a viewer', 'PATCH', { role: 'viewer' }, ''],
  ['is revoked', 'DELETE', undefined, ''],
  ['is locked', 'POST', {}, 'lock'],
] as const)('changes end when an administrator %s', async (_, method, body, what) => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  await allow(operator, organization);
  const { person } = operator;
  const path = what === '' ? `/api/v1/operators/${person}` : `/api/v1/people/${person}/${what}`;
  expect((await rig.ask(method, path, body)).status).toBe(200);
  await sweep();
  expect(await summaries(organization, 'operator.end-changes')).toHaveLength(1);
});

test('customers do not find out which operator acted by asking for the entries of one', async () => {
  const organization = await newOrganization(rig);
  const operator = await signIn(rig, { operator: true });
  await allow(operator, organization);
  const admin = await signIn(rig, { role: 'org-admin', organization });
  const of = (actor: string) => `/api/v1/organizations/${organization}/audit?actor=${actor}`;
  expect((await admin.ask('GET', of(operator.person))).body.data).toEqual([]);
  expect((await rig.ask('GET', of(operator.person))).body.data).toHaveLength(1);
  await admin.ask('POST', keysOf(organization), { name: 'x' });
  expect((await admin.ask('GET', of(admin.person))).body.data).toHaveLength(1);
});
