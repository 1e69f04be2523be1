/**
 * API keys as members see them: who created a key, when it expires, what it has spent, and how many
 * keys there may be.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldSlice } from '../../../router/usage/rollups/fold.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { formatUsd, parseUsd } from '../../../shared/money.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { DataPlane } from './data-plane.ts';
import { allowChanges, signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
let clock: ManualClock;
let plane: DataPlane;
let keys: string;
beforeAll(async () => {
  clock = new ManualClock(systemClock.now());
  rig = await startRig(clock);
  plane = await DataPlane.open(rig, clock);
  keys = `/api/v1/organizations/${rig.first.organization.id}/keys`;
});
afterAll(async () => {
  await plane[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function organization(): Promise<string> {
  return (await rig.ask('POST', '/api/v1/organizations', { name: 'Other' })).body.id;
}

const inDays = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();

test('a key shows which member made it, also after they have left, and nobody once they are erased', async () => {
  const developer = await signIn(rig, { role: 'developer' });
  const { body } = await developer.ask('POST', keys, { name: 'mine' });
  const shown = async () => (await rig.ask('GET', `${keys}/${body.id}`)).body.created_by;
  expect(body.created_by).toEqual({ member: developer.member, name: 'Somebody' });
  expect(await plane.authenticate(body.key)).toMatchObject({ member: developer.member });
  await rig.place.sql(`update members set left_at = 1 where id = '${developer.member}'`);
  expect(await shown()).toEqual(body.created_by);
  await rig.place.sql(`update people set erased = 1 where id = '${developer.person}'`);
  expect(await shown()).toEqual({ member: developer.member, name: null });
});

test('a key that an operator or a token makes and revokes is nobody’s, and shows which of them it was', async () => {
  const operator = await signIn(rig, { operator: true });
  await allowChanges(rig, operator, rig.first.organization.id);
  const tokens = keys.replace(/keys$/, 'tokens');
  const admin = await signIn(rig, { role: 'org-admin' });
  const { id: tokenId, token } = (
    await admin.ask('POST', tokens, { name: 'script', role: 'developer' })
  ).body;
  const asToken = { authorization: `Bearer ${token}` };
  const ours = await operator.ask('POST', keys, { name: 'ours' });
  const theirs = await rig.ask('POST', keys, { name: 'x' }, asToken);
  const anOperator = { kind: 'operator', id: null, name: null };
  const theToken = { kind: 'management-token', id: tokenId, name: 'script' };
  expect([ours.status, theirs.status]).toEqual([201, 201]);
  expect(ours.body).toMatchObject({ created_by: null, created_by_other: anOperator });
  expect(theirs.body).toMatchObject({ created_by: null, created_by_other: theToken });

  await rig.ask('POST', `${keys}/${ours.body.id}/revoke`, undefined, asToken);
  await operator.ask('POST', `${keys}/${theirs.body.id}/revoke`);
  const { data } = (await admin.ask('GET', `${keys}?limit=1000`)).body;
  const listed = (id: string) => data.find((one: { id: string }) => one.id === id);
  const nobody = { created_by: null, revoked_by: null };
  expect(listed(ours.body.id)).toMatchObject({
    ...nobody,
    created_by_other: anOperator,
    revoked_by_other: theToken,
  });
  expect(listed(theirs.body.id)).toMatchObject({
    ...nobody,
    created_by_other: theToken,
    revoked_by_other: anOperator,
  });
  expect(JSON.stringify(data)).not.toContain(operator.person);
});

test('a key names nobody if the audit log has no entry of it', async () => {
  const { id } = (await rig.ask('POST', keys, { name: 'older' })).body;
  await rig.place.sql(
    `update keys set member = null where id = '${id}'`,
    `update audit set target = null where target = '${id}'`,
  );
  expect((await rig.ask('GET', `${keys}/${id}`)).body).toMatchObject({
    created_by: null,
    created_by_other: null,
  });
});

test('one key is read by itself, and no other organization’s', async () => {
  const { key: _once, ...made } = (await rig.ask('POST', keys, { name: 'one' })).body;
  expect((await rig.ask('GET', `${keys}/${made.id}`)).body).toEqual(made);
  const other = `/api/v1/organizations/${await organization()}/keys`;
  const foreign = await rig.ask('GET', `${other}/${made.id}`);
  const missing = await rig.ask('GET', `${keys}/key_000000000000`);
  expect(foreign.status).toBe(404);
  expect(foreign.body.error).toEqual(missing.body.error);
});

test('a key past its date is shown as expired and refused, and lives again when that is put off', async () => {
  const expires = inDays(2);
  const { id, key, ...made } = (await rig.ask('POST', keys, { name: 'soon', expires })).body;
  expect(made).toMatchObject({ state: 'active', expires });
  expect(await plane.refusal(key)).toBeNull();
  clock.advance(2 * DAY_MS);
  const state = async () => (await rig.ask('GET', `${keys}/${id}`)).body.state;
  expect(await state()).toBe('expired');
  expect(await plane.refusal(key)).toBe('invalid_api_key');

  const later = await rig.ask('PATCH', `${keys}/${id}`, { expires: inDays(1) });
  expect(later.body).toMatchObject({ state: 'active', expires: inDays(1) });
  expect(await plane.refusal(key)).toBeNull();
  clock.advance(DAY_MS);
  expect(await state()).toBe('expired');
  expect((await rig.ask('PATCH', `${keys}/${id}`, { expires: null })).body).toMatchObject({
    state: 'active',
    expires: null,
  });
  expect(await plane.refusal(key)).toBeNull();
  await rig.ask('PATCH', `${keys}/${id}`, { expires: inDays(1) });
  await rig.ask('POST', `${keys}/${id}/revoke`);
  clock.advance(2 * DAY_MS);
  expect(await state()).toBe('revoked');
});

test('a date that is past, or none, is refused for new keys and old ones', async () => {
  const { id } = (await rig.ask('POST', keys, { name: 'odd' })).body;
  for (const expires of [
    inDays(-1),
    inDays(0),
    'tomorrow',
    '2027-13-01T00:00:00Z',
    1_800_000_000,
  ]) {
    for (const answer of [
      await rig.ask('PATCH', `${keys}/${id}`, { expires }),
      await rig.ask('POST', keys, { name: 'odd', expires }),
    ]) {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({ code: 'invalid_value', param: 'expires' });
    }
  }
});

test('a key is renamed, and what was not asked to change stays', async () => {
  const wanted = { name: 'before', monthly_cap: '7', expires: inDays(9) };
  const { key: _once, ...made } = (await rig.ask('POST', keys, wanted)).body;
  const renamed = await rig.ask('PATCH', `${keys}/${made.id}`, { name: ' after ' });
  expect(renamed.body).toEqual({ ...made, name: 'after' });
  expect((await rig.ask('PATCH', `${keys}/${made.id}`, { name: '' })).status).toBe(400);
  const [line] = await rig.place.sql(
    `select details, before from audit where target = '${made.id}' and action = 'key.change'`,
  );
  expect(line).toMatchObject({
    details: '{"name":"after"}',
    before: '{"name":"before"}',
  });
});

test('a key shows what it has spent this month and in all, to the newest request', async () => {
  const made = async (name: string) => (await rig.ask('POST', keys, { name })).body;
  const [busy, other, idle] = [await made('busy'), await made('other'), await made('idle')];
  const now = new Date(clock.now());
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const before = await plane.serve(busy.key, 5, monthStart - 1);
  const since =
    (await plane.serve(busy.key, 7, monthStart)) + (await plane.serve(busy.key, 9, clock.now()));
  const others = await plane.serve(other.key, 11, clock.now());
  const { body } = await rig.ask('GET', `${keys}?limit=1000`);
  const spendOf = (id: string) => body.data.find((one: { id: string }) => one.id === id).spend;
  expect(spendOf(busy.id)).toMatchObject({
    month: formatUsd(since),
    total: formatUsd(before + since),
  });
  expect(spendOf(other.id)).toMatchObject({ month: formatUsd(others), total: formatUsd(others) });
  expect(spendOf(idle.id)).toEqual({ today: '0', month: '0', total: '0' });
  const one = await plane.serve(busy.key, 1, clock.now());
  expect((await rig.ask('GET', `${keys}/${busy.id}`)).body.spend).toMatchObject({
    month: formatUsd(since + one),
    total: formatUsd(before + since + one),
  });
});

test('what a key has spent is the same before and after it was folded, and with a charge given back', async () => {
  const { id, key } = (await rig.ask('POST', keys, { name: 'folded' })).body;
  const now = new Date(clock.now());
  const monthStart = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  await plane.serve(key, 3, monthStart - 400 * DAY_MS);
  await plane.serve(key, 5, monthStart - 1);
  await plane.serve(key, 7, monthStart);
  const spend = async () => (await rig.ask('GET', `${keys}/${id}`)).body.spend;
  const before = await spend();
  const owner = rig.first.organization.id;
  const fold = { organization: owner, now: clock.now() };
  while ((await foldSlice(rig.store, fold)) === 'folded');
  expect(await spend()).toEqual(before);
  const more = await plane.serve(key, 9, clock.now());
  const { month } = await spend();
  expect(parseUsd(month)).toBe((parseUsd(before.month) ?? 0n) + more);

  const [row] = await rig.place.sql(
    `select request, cost, status from usage where key = '${id}' and created = ${monthStart}`,
  );
  const { request, cost, status } = row as { request: string; cost: bigint; status: bigint };
  await rig.place.sql(
    `insert into usage_reversals (request, organization, status, cost)
     values ('${request}', '${owner}', ${status}, ${cost})`,
    `update usage set cost = 0, outcome = 'voided' where request = '${request}'`,
  );
  const given = await spend();
  expect(parseUsd(given.month)).toBe((parseUsd(month) ?? 0n) - cost);
  while ((await foldSlice(rig.store, fold)) === 'folded');
  expect(await spend()).toEqual(given);
});

test('what a key has spent in years is exact beyond 64 bits', async () => {
  const { id, key } = (await rig.ask('POST', keys, { name: 'years' })).body;
  await plane.serve(key, 1);
  await plane.serve(key, 1);
  await plane.serve(key, 1);
  await rig.place.sql(`update usage set cost = 4000000000000000001 where key = '${id}'`);
  const { spend } = (await rig.ask('GET', `${keys}/${id}`)).body;
  expect(spend.total).toBe('12000000.000000000003');
});

test('keys of a suspended organization are refused, and those of a deleted one are not to be found', async () => {
  const id = await organization();
  const own = `/api/v1/organizations/${id}/keys`;
  const { key } = (await rig.ask('POST', own, { name: 'x' })).body;
  expect(await plane.authenticate(key)).toMatchObject({ suspended: false });
  const suspended = { organization: id as OrganizationId, status: 'suspended' } as const;
  expect(await rig.store.call(setStatus, suspended)).toBe('done');
  expect(await plane.authenticate(key)).toMatchObject({ suspended: true });
  expect((await rig.ask('GET', own)).body.data).toHaveLength(1);
  await rig.place.sql(`update organizations set deleted = 1 where id = '${id}'`);
  // Operators can still read its books.
  expect((await rig.ask('GET', own)).status).toBe(200);
  expect((await rig.ask('POST', own, { name: 'y' })).status).toBe(404);
});

test('an organization has so many keys and no more, until one is deleted', async () => {
  const id = await organization();
  const own = `/api/v1/organizations/${id}/keys`;
  const { body } = await rig.ask('POST', own, { name: 'first' });
  const copies = Array.from({ length: limits.keysPerOrganizationMax - 2 }, (_, i) => {
    const copy = `copy${String(i).padStart(8, '0')}`;
    return `('key_${copy}', '${id}', '${id}${copy}', 'copy', '…', 'revoked', 'api', 1)`;
  });
  await rig.place.sql(
    `insert into keys (id, organization, digest, name, label, state, source, created)
     values ${copies.join(', ')}`,
  );
  const all = await rig.ask('GET', `${own}?limit=1000`);
  expect([all.status, all.body.data.length]).toEqual([200, limits.keysPerOrganizationMax - 1]);
  // Two requests compete for the last key that the organization may have.
  const answers = await Promise.all([1, 2].map(() => rig.ask('POST', own, { name: 'last' })));
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201, 409]));
  const full = answers.find(({ status }) => status === 409);
  expect(full?.body.error).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`${limits.keysPerOrganizationMax}`),
  });
  await rig.ask('POST', `${own}/${body.id}/revoke`);
  expect((await rig.ask('POST', own, { name: 'more' })).status).toBe(409);
  await rig.ask('DELETE', `${own}/${body.id}`);
  expect((await rig.ask('POST', own, { name: 'more' })).status).toBe(201);
});

test('a new key is in no store and no audit line, whole or by its secret part', async () => {
  const { key } = (await rig.ask('POST', keys, { name: 'secret' })).body;
  await rig.ask('GET', keys, undefined, { authorization: `Bearer ${key}` });
  const bytes = await rig.bytes();
  expect(bytes).toContain('key.create');
  expect(bytes).not.toContain(key);
  expect(bytes).not.toContain(key.slice(-34, -6));
});
