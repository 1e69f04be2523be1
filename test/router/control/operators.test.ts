/** Operators over the API: created, listed and ended by operators. The last one cannot be ended. */
import { expect, test } from 'vitest';
import { mintId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { auditOf, Browser } from './browser.ts';
import { startRig } from './rig.ts';
import { clock, crowd, rig, shareCrowd } from './shared-crowd.ts';

shareCrowd();

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const mayAct = async (token: string) =>
  (await rig.ask('GET', '/api/v1/operators', undefined, as(token))).status === 200;

async function makeOperator() {
  const email = crowd.newEmail();
  const made = await rig.ask('POST', '/api/v1/operators', { email, name: 'Grace' });
  expect(made.status).toBe(201);
  return made.body as { id: string; email: string; password: string; token: string };
}

async function signedIn({ email, password }: { email: string; password: string }) {
  const browser = new Browser(rig);
  expect((await browser.signIn(email, password)).status).toBe(200);
  return browser;
}

test('an operator who is made acts with the token and signs in with the password', async () => {
  const made = await makeOperator();
  expect(await mayAct(made.token)).toBe(true);
  const browser = await signedIn(made);
  expect((await browser.ask('GET', '/operators')).status).toBe(200);
  const listed = (await rig.ask('GET', '/api/v1/operators')).body.data;
  expect(listed).toContainEqual(
    expect.objectContaining({ id: made.id, token_created: expect.any(String) }),
  );
  expect(JSON.stringify(listed)).not.toContain(made.token);
  const bytes = await rig.bytes();
  for (const secret of [made.token, made.password]) expect(bytes).not.toContain(secret);
  expect(await auditOf(rig, made.email)).toContain('operator.create');
});

test('a token that is replaced is good for nothing', async () => {
  const made = await makeOperator();
  const replaced = await rig.ask('POST', `/api/v1/operators/${made.id}/token`);
  expect(replaced.status).toBe(201);
  expect(await mayAct(made.token)).toBe(false);
  expect(await mayAct(replaced.body.token)).toBe(true);
});

test('an operator who is revoked has neither token nor session, and is a person still', async () => {
  const made = await makeOperator();
  const browser = await signedIn(made);
  const path = `/api/v1/operators/${made.id}`;
  expect((await rig.ask('DELETE', path)).body).toEqual({ id: made.id, operator: false });
  expect(await mayAct(made.token)).toBe(false);
  expect((await browser.ask('GET', '/me')).status).toBe(401);
  const again = await signedIn(made);
  expect((await again.ask('GET', '/me')).body).toMatchObject({ operator: false });
  expect((await rig.ask('DELETE', path)).status).toBe(404);
  expect((await rig.ask('POST', `${path}/token`)).status).toBe(404);
});

test('the last operator stays, and an address that somebody has makes none', async () => {
  await using alone = await startRig(clock);
  const [first] = (await alone.ask('GET', '/api/v1/operators')).body.data;
  const refused = await alone.ask('DELETE', `/api/v1/operators/${first.id}`);
  expect(refused).toMatchObject({
    status: 409,
    body: {
      error: { message: 'This is the last administrator: make another operator one first.' },
    },
  });
  const taken = { email: alone.first.operator.email, name: 'Grace' };
  expect((await alone.ask('POST', '/api/v1/operators', taken)).status).toBe(409);
});

test('an operator is listed with who made them, when they were last seen, and when their token was last used', async () => {
  const made = await makeOperator();
  const listed = async () => {
    const { data } = (await rig.ask('GET', '/api/v1/operators?limit=1000')).body;
    return data.find(({ id }: { id: string }) => id === made.id);
  };
  const first = (await rig.ask('GET', '/api/v1/me')).body;
  expect(made).toMatchObject({ created_by: { by: 'operator', person: first.id } });
  expect(await listed()).toMatchObject({
    created_by: { by: 'operator', person: first.id, name: 'Operator' },
    last_seen: null,
    token_last_used: null,
  });
  clock.advance(1_000);
  const used = new Date(clock.now()).toISOString();
  expect(await mayAct(made.token)).toBe(true);
  expect(await listed()).toMatchObject({ last_seen: used, token_last_used: used });
  clock.advance(1_000);
  await signedIn(made);
  expect(await listed()).toMatchObject({
    last_seen: new Date(clock.now()).toISOString(),
    token_last_used: used,
  });
});

test('the operator of the first start was made by nobody, and one of the command by it', async () => {
  await using alone = await startRig(clock);
  const id = mintId('person', clock, random);
  await alone.place.sql(
    `insert into people (id, email, name, password_hash, operator, created)
     values ('${id}', 'grace@example.com', 'Grace', '', 1, ${clock.now()})`,
    `insert into audit (id, organization, actor_kind, actor, action, target, details, address,
       request, created)
     values ('${mintId('audit', clock, random)}', null, 'system', null, 'operator.create', '${id}',
       '{}', '', '', ${clock.now()})`,
  );
  const { data } = (await alone.ask('GET', '/api/v1/operators')).body;
  const command = { by: 'command', person: null, name: null };
  // Both were made in the same millisecond, so either may be the first.
  const makers = new Map(
    data.map((one: { name: string; created_by: unknown }) => [one.name, one.created_by]),
  );
  expect(makers.get('Grace')).toEqual(command);
  makers.delete('Grace');
  expect([...makers.values()]).toEqual([null]);
});

test('a token that is revoked is good for nothing, and another one can be created', async () => {
  const made = await makeOperator();
  const path = `/api/v1/operators/${made.id}/token`;
  expect((await rig.ask('DELETE', path)).body).toEqual({ id: made.id, token: null });
  expect(await mayAct(made.token)).toBe(false);
  expect((await rig.ask('DELETE', path)).status).toBe(404);
  expect(await auditOf(rig, made.email)).toContain('operator.revoke-token');
  const another = await rig.ask('POST', path);
  expect(await mayAct(another.body.token)).toBe(true);
});
