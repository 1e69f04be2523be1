/** The gate before every route: who is admitted, as whom, and from which origin. */
import { beforeAll, expect, test } from 'vitest';
import { checkOrigin } from '../../../router/control/access/gate.ts';
import { signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let keys: string;
beforeAll(async () => {
  keys = `/api/v1/organizations/${rig.first.organization.id}/keys`;
});

test('a member does what their role may, and is told what it may not', async () => {
  const developer = await signIn(rig, { role: 'developer' });
  expect((await developer.ask('POST', keys, { name: 'mine' })).status).toBe(201);
  const viewer = await signIn(rig, { role: 'viewer' });
  expect((await viewer.ask('GET', keys)).status).toBe(200);
  const refused = await viewer.ask('POST', keys, { name: 'mine' });
  expect(refused.status).toBe(403);
  expect(refused.body.error).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('viewer'),
  });
});

test('an organization of others cannot be told from one that is not there', async () => {
  const stranger = await signIn(rig);
  const foreign = await stranger.ask('GET', keys);
  const missing = await stranger.ask('GET', keys.replace(/org_\w+/, `org_${'0'.repeat(26)}`));
  const malformed = await stranger.ask('GET', keys.replace(/org_\w+/, 'org_x'));
  for (const answer of [foreign, missing, malformed]) {
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual(foreign.body.error);
  }
});

test('only operators reach the platform', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  expect((await admin.ask('GET', '/api/v1/organizations')).status).toBe(403);
  const operator = await signIn(rig, { operator: true });
  expect((await operator.ask('GET', '/api/v1/organizations')).status).toBe(200);
  expect((await operator.ask('GET', keys)).status).toBe(200);
});

test('a mutation from a page of another origin is refused, and so is one that hides where it is from', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  const ask = (headers: Record<string, string>) => admin.ask('POST', keys, { name: 'x' }, headers);
  for (const origin of [
    'https://evil.example',
    'null',
    `${rig.origin}0`,
    `https://${rig.origin}`,
  ]) {
    const answer = await ask({ origin });
    expect(answer.status).toBe(403);
    expect(answer.body.error.code).toBe('foreign_origin');
  }
  expect((await ask({ origin: rig.origin })).status).toBe(201);
  // Reads pass, because the browser itself keeps other origins from reading the answer.
  expect((await admin.ask('GET', keys, undefined, { origin: 'https://evil.example' })).status).toBe(
    200,
  );
});

test('no origin is that of a request that does not say to which host it goes', () => {
  // HTTP/1.0 requests may leave out the Host header, and a sandboxed page has the origin `null`.
  expect(() => checkOrigin({ headers: { origin: 'null', cookie: 'a=b' } })).toThrow(
    'another origin',
  );
});

test('a token needs no origin, and a password that browsers send on their own does', async () => {
  const foreign = { origin: 'https://evil.example', cookie: '' };
  const authorization = `Bearer ${rig.first.operator.token}`;
  const made = await rig.ask('POST', keys, { name: 'a script' }, { ...foreign, authorization });
  expect(made.status).toBe(201);
  const basic = { ...foreign, authorization: 'Basic YTpi' };
  const refused = await rig.ask('POST', '/api/v1/sign-out', undefined, basic);
  expect(refused.body.error.code).toBe('foreign_origin');
});

test('a session ends by its own date, by disuse, and with its person', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  const status = async () => (await admin.ask('GET', keys)).status;
  expect(await status()).toBe(200);
  const longAgo = Date.now() - 8 * 86_400_000;
  await rig.place.sql(
    `update sessions set last_seen = ${longAgo} where person = '${admin.person}'`,
  );
  expect(await status()).toBe(401);
  await rig.place.sql(
    `update sessions set last_seen = ${Date.now()}, expires = ${longAgo} where person = '${admin.person}'`,
  );
  expect(await status()).toBe(401);
  await rig.place.sql(
    `update sessions set expires = ${Date.now() + 1e6} where person = '${admin.person}'`,
    `update people set erased = 1 where id = '${admin.person}'`,
  );
  expect(await status()).toBe(401);
});

test('every mutation leaves its line in the audit log, and one that failed none', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  const made = await admin.ask('POST', keys, { name: 'audited' });
  await admin.ask('POST', `${keys}/key_aaaaaaaaaaaa/revoke`);
  const lines = await rig.place.sql(`select * from audit where actor = '${admin.person}'`);
  expect(lines).toEqual([
    expect.objectContaining({
      organization: rig.first.organization.id,
      actor_kind: 'person',
      action: 'key.create',
      target: made.body.id,
      details: '{"name":"audited"}',
      address: '127.0.0.1',
      request: made.headers.get('x-request-id'),
    }),
  ]);
});
