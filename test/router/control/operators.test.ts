/** Operators over the API: created, listed and ended by operators. The last one cannot be ended. */
import { expect, test } from 'vitest';
import { auditOf, Browser } from './browser.ts';
import { startRig } from './rig.ts';
import { clock, crowd, rig } from './shared-crowd.ts';

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
    body: { error: { message: 'This is the last operator.' } },
  });
  const taken = { email: alone.first.operator.email, name: 'Grace' };
  expect((await alone.ask('POST', '/api/v1/operators', taken)).status).toBe(409);
});
