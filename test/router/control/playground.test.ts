/** Playground sessions: a temporary key of one member, whose usage is recorded separately. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteExpiredKeys } from '../../../router/control/playground/procedures.ts';
import { playgroundTask } from '../../../router/control/playground/tidy.ts';
import { systemClock } from '../../../shared/clock.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { DataPlane } from './data-plane.ts';
import { allowChanges, type Signed, signIn } from './people.ts';
import { PEPPER, type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;

let rig: Rig;
let clock: ManualClock;
let plane: DataPlane;
let own: string;
let session: string;
beforeAll(async () => {
  clock = new ManualClock(systemClock.now());
  rig = await startRig(clock);
  plane = await DataPlane.open(rig, clock);
  own = `/api/v1/organizations/${rig.first.organization.id}`;
  session = `${own}/playground/session`;
});
afterAll(async () => {
  await plane[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

type Opened = Readonly<{ id: string; key: string; expires: string; base_url: string | null }>;

async function open(member: Signed): Promise<Opened> {
  const answer = await member.ask('POST', session);
  expect(answer.status).toBe(201);
  // Each session has its own instant, so that their ages differ.
  clock.advance(1);
  return answer.body;
}

test('a member gets a key for a quarter of an hour, and where to use it', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const now = clock.now();
  const answer = await member.ask('POST', session);
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
    key: expect.stringMatching(/^sk-test-infapi-[0-9A-Za-z]{46}$/),
    expires: new Date(now + 15 * MINUTE_MS).toISOString(),
    base_url: `${rig.origin}/v1`,
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const { key } = answer.body;
  expect(await plane.authenticate(key)).toMatchObject({
    source: 'playground',
    member: member.member,
    organization: rig.first.organization.id,
  });
  clock.advance(15 * MINUTE_MS - 1);
  expect(await plane.refusal(key)).toBeNull();
  clock.advance(1);
  expect(await plane.refusal(key)).toBe('invalid_api_key');
});

test('its usage is marked, the member’s, billed as any other, and keeps its name when the key is gone', async () => {
  const member = await signIn(rig, { role: 'org-admin' });
  const { id, key } = await open(member);
  const credit = async () => (await rig.ask('GET', `${own}/credit`)).body.balance;
  const before = await credit();
  await plane.serve(key, 20);
  expect(await credit()).not.toBe(before);
  clock.advance(16 * MINUTE_MS);
  await playgroundTask({ store: rig.store, clock }).run();
  expect(await rig.place.sql(`select state from keys where id = '${id}'`)).toEqual([
    { state: 'deleted' },
  ]);
  const [entry] = (await rig.ask('GET', `${own}/usage?limit=1`)).body.data;
  expect(entry).toMatchObject({ key_id: id, key_name: 'Playground', source: 'playground' });
  expect(await rig.place.sql(`select member from usage where key = '${id}'`)).toEqual([
    { member: member.member },
  ]);
});

test('who may use it: persons whose role allows it, in their own organization', async () => {
  for (const role of ['viewer', 'billing-admin'] as const) {
    const member = await signIn(rig, { role });
    expect((await member.ask('POST', session)).status).toBe(403);
  }
  const stranger = await signIn(rig);
  expect((await stranger.ask('POST', session)).status).toBe(404);
  const operator = await signIn(rig, { operator: true });
  await allowChanges(rig, operator, rig.first.organization.id);
  const foreign = await operator.ask('POST', session);
  expect([foreign.status, foreign.body.error.message]).toEqual([
    403,
    expect.stringContaining('members'),
  ]);
  const admin = await signIn(rig, { role: 'org-admin' });
  const wanted = { name: 'script', role: 'org-admin' };
  const { token } = (await admin.ask('POST', `${own}/tokens`, wanted)).body;
  const script = await rig.ask('POST', session, undefined, { authorization: `Bearer ${token}` });
  expect([script.status, script.body.error.message]).toEqual([
    403,
    expect.stringContaining('cannot use the playground'),
  ]);
});

test('playground keys are on no list, and cannot be changed, revoked or deleted as keys', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const { id, key } = await open(member);
  const { body } = await member.ask('GET', `${own}/keys?limit=1000`);
  expect(JSON.stringify(body)).not.toContain(id);
  const path = `${own}/keys/${id}`;
  const missing = await member.ask('GET', `${own}/keys/key_000000000000`);
  for (const answer of [
    await member.ask('GET', path),
    await member.ask('PATCH', path, { expires: null }),
    await member.ask('POST', `${path}/revoke`),
    await member.ask('DELETE', path),
  ]) {
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual(missing.body.error);
  }
  expect(await plane.refusal(key)).toBeNull();
});

test('a member has five at once: one more ends the oldest, and nobody else’s', async () => {
  const [member, other] = [
    await signIn(rig, { role: 'developer' }),
    await signIn(rig, { role: 'developer' }),
  ];
  const theirs = await open(other);
  const opened: Opened[] = [];
  for (let i = 0; i < 6; i++) opened.push(await open(member));
  const refusals = await Promise.all(opened.map(({ key }) => plane.refusal(key)));
  expect(refusals).toEqual(['invalid_api_key', null, null, null, null, null]);
  expect(await plane.refusal(theirs.key)).toBeNull();
});

test('asked for at once by one member, no more than five live', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const opened = await Promise.all(Array.from({ length: 12 }, () => member.ask('POST', session)));
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 201));
  const live = await rig.place.sql(
    `select id from keys where member = '${member.member}' and state = 'active'`,
  );
  expect(live).toHaveLength(5);
});

test('all of a member’s end when asked for, as of the next admission; their own API keys stay', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const { key: kept } = (await member.ask('POST', `${own}/keys`, { name: 'stays' })).body;
  const opened = [await open(member), await open(member)];
  const epoch = async () => {
    const caller = await plane.authenticate(kept);
    return 'epoch' in caller ? caller.epoch : null;
  };
  const before = await epoch();
  const ended = await member.ask('DELETE', session);
  expect([ended.status, ended.body]).toEqual([200, { ended: 2 }]);
  // Cached data of the keys is stale.
  expect(await epoch()).toBe((before ?? 0n) + 1n);
  for (const { key } of opened) expect(await plane.refusal(key)).toBe('invalid_api_key');
  expect((await member.ask('DELETE', session)).body).toEqual({ ended: 0 });
  expect(await epoch()).toBe((before ?? 0n) + 1n);
});

test('expired ones are taken off in slices; what lives and what is listed stays', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const wanted = { name: 'expiring', expires: new Date(clock.now() + MINUTE_MS).toISOString() };
  const { id: api } = (await member.ask('POST', `${own}/keys`, wanted)).body;
  for (let i = 0; i < 3; i++) await open(member);
  clock.advance(20 * MINUTE_MS);
  const live = await open(member);
  const slice = { before: clock.now(), limit: 2 };
  expect(await rig.store.call(deleteExpiredKeys, slice)).toBe(2);
  await playgroundTask({ store: rig.store, clock }).run();
  expect(await rig.store.call(deleteExpiredKeys, slice)).toBe(0);
  expect(await plane.refusal(live.key)).toBeNull();
  expect((await rig.ask('GET', `${own}/keys/${api}`)).body.state).toBe('expired');
});

test('the store has the digest of a playground key and not the key, and so has the audit log', async () => {
  const member = await signIn(rig, { role: 'developer' });
  const { id, key } = await open(member);
  const bytes = await rig.bytes();
  expect(bytes).toContain(digestSecret(PEPPER, key));
  expect(bytes).not.toContain(key);
  expect(bytes).not.toContain(key.slice(-34, -6));
  expect(await rig.place.sql(`select action, actor from audit where target = '${id}'`)).toEqual([
    { action: 'playground.open', actor: member.person },
  ]);
});
