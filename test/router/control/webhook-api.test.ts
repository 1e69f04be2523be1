/** Webhook endpoints in the management API: who may see and change them, and what the log says. */
import { expect, test } from 'vitest';
import { ENDPOINTS_MAX } from '../../../router/control/webhooks/procedures.ts';
import { signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

async function place(): Promise<{ organization: string; path: string }> {
  const made = await rig.ask('POST', '/api/v1/organizations', { name: 'Acme' });
  const organization: string = made.body.id;
  return { organization, path: `/api/v1/organizations/${organization}/webhooks` };
}

const WANTED = { url: 'https://example.com/hooks?key=1', events: ['balance.low', 'key.revoked'] };

test('those who manage billing create, change and delete endpoints, and others do not see them', async () => {
  const { organization, path } = await place();
  const billing = await signIn(rig, { role: 'billing-admin', organization });
  const made = await billing.ask('POST', path, WANTED);
  expect(made.status).toBe(201);
  const { secret, ...webhook } = made.body;
  expect(webhook).toEqual({
    id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
    ...WANTED,
    state: 'active',
    failing_since: null,
    former_secret_until: null,
    created_by: { person: billing.person, name: 'Somebody' },
    created: expect.any(String),
  });
  const one = `${path}/${webhook.id}`;
  expect((await billing.ask('GET', one)).body).toEqual(webhook);
  expect((await billing.ask('GET', path)).body.data).toEqual([webhook]);
  for (const role of ['developer', 'viewer'] as const) {
    const other = await signIn(rig, { role, organization });
    for (const [method, url, body] of [
      ['GET', path, undefined],
      ['GET', one, undefined],
      ['GET', `${one}/deliveries`, undefined],
      ['POST', path, WANTED],
      ['PATCH', one, { active: false }],
      ['POST', `${one}/rotate-secret`, undefined],
      ['POST', `${one}/test`, undefined],
      ['DELETE', one, undefined],
    ] as const) {
      expect((await other.ask(method, url, body)).status).toBe(403);
    }
  }
  const admin = await signIn(rig, { role: 'org-admin', organization });
  const changed = await admin.ask('PATCH', one, { active: false, events: ['payment.succeeded'] });
  expect(changed.body).toMatchObject({ state: 'off', events: ['payment.succeeded'] });
  expect((await admin.ask('POST', `${one}/test`)).body.error.message).toContain('is off');
  expect((await admin.ask('DELETE', one)).body).toEqual({ id: webhook.id, deleted: true });
  expect((await admin.ask('GET', one)).status).toBe(404);
  expect((await admin.ask('DELETE', one)).status).toBe(404);
  expect(secret).toMatch(/^whsec_/);
});

test('an endpoint of another organization is as one that does not exist', async () => {
  const { path } = await place();
  const { id } = (await rig.ask('POST', path, WANTED)).body;
  const other = await place();
  const admin = await signIn(rig, { role: 'org-admin', organization: other.organization });
  for (const [method, end, body] of [
    ['GET', '', undefined],
    ['GET', '/deliveries', undefined],
    ['PATCH', '', { active: false }],
    ['POST', '/rotate-secret', undefined],
    ['POST', '/test', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    expect((await admin.ask(method, `${other.path}/${id}${end}`, body)).status).toBe(404);
  }
  expect((await rig.ask('GET', `${path}/${id}`)).body.state).toBe('active');
});

test('an organization has a limited number of endpoints', async () => {
  const { path } = await place();
  for (let n = 0; n < ENDPOINTS_MAX; n++) {
    expect((await rig.ask('POST', path, WANTED)).status).toBe(201);
  }
  const { status, body } = await rig.ask('POST', path, WANTED);
  expect([status, body.error.message]).toEqual([
    409,
    'An organization has at most 10 webhook endpoints: delete one that is not needed any more.',
  ]);
});

test.each([
  [[], 'Choose at least one event.'],
  [['balance.low', 'balance.low'], 'Name each event once.'],
])('the events %j are refused', async (events, message) => {
  const { path } = await place();
  const { status, body } = await rig.ask('POST', path, { ...WANTED, events });
  expect([status, body.error]).toMatchObject([400, { param: 'events', message }]);
});

test('the audit log has each change as a sentence, with the host of the URL alone', async () => {
  const { organization, path } = await place();
  const one = `${path}/${(await rig.ask('POST', path, WANTED)).body.id}`;
  await rig.ask('PATCH', one, { events: ['balance.low'] });
  await rig.ask('PATCH', one, { url: 'https://hooks.example.org/2' });
  await rig.ask('PATCH', one, { active: false });
  await rig.ask('PATCH', one, { active: true });
  await rig.ask('POST', `${one}/rotate-secret`);
  const { id } = (await rig.ask('POST', `${one}/test`)).body;
  await rig.ask('POST', `${one}/deliveries/${id}/send-again`);
  await rig.ask('DELETE', one);
  const log = await rig.ask('GET', `/api/v1/organizations/${organization}/audit?action=webhook`);
  const summaries = log.body.data.map(({ summary }: { summary: string }) => summary).toReversed();
  expect(summaries).toEqual([
    'Operator created the webhook endpoint at example.com',
    'Operator changed the events of the webhook endpoint at example.com from balance.low, key.revoked to balance.low',
    'Operator changed the host of the webhook endpoint at example.com from example.com to hooks.example.org',
    'Operator turned the webhook endpoint at hooks.example.org off',
    'Operator turned the webhook endpoint at hooks.example.org on',
    'Operator replaced the secret of the webhook endpoint at hooks.example.org',
    'Operator sent a test event to the webhook endpoint at hooks.example.org',
    'Operator had an event sent again to the webhook endpoint at hooks.example.org',
    'Operator deleted the webhook endpoint at hooks.example.org',
  ]);
  expect(JSON.stringify(log.body)).not.toContain('key=1');
});
