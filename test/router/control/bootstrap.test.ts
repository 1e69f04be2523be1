import { verify } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { bootstrap } from '../../../router/control/bootstrap.ts';
import { findOrganization } from '../../../router/control/organizations/procedures.ts';
import { parseApiKey } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { PEPPER, startRig } from './rig.ts';

test('a first run makes an operator, an organization with its credit, a key and an agent', async () => {
  await using rig = await startRig();
  const { operator, organization, apiKey, agent } = rig.first;
  expect(operator.email).toBe('operator@penstock.local');
  expect(operator.token).toMatch(/^penstock-op-/);
  expect(organization.name).toBe('Default');
  expect(parseApiKey(apiKey)).not.toBeNull();
  expect(apiKey).toMatch(/^sk-test-infapi-/);
  expect(agent.joinToken).toMatch(/^penstock-join-/);

  const shown = await rig.ask('GET', `/api/v1/organizations/${organization.id}`);
  expect(shown.body).toMatchObject({ name: 'Default', region: 'global', status: 'active' });
  const credit = await rig.ask('GET', `/api/v1/organizations/${organization.id}/credit`);
  expect(credit.body).toMatchObject({ balance: '5', held: '0' });
  const keys = await rig.ask('GET', `/api/v1/organizations/${organization.id}/keys`);
  expect(keys.body.data).toMatchObject([{ name: 'default', state: 'active' }]);
  const agents = await rig.ask('GET', '/api/v1/agents');
  expect(agents.body.data).toMatchObject([{ id: agent.id, name: 'local', state: 'enrolling' }]);
});

test('a second run finds the store founded, makes nothing and tells nothing', async () => {
  await using rig = await startRig();
  const parts = { pepper: PEPPER, brand: 'test', clock, random };
  expect(await bootstrap(rig.store, parts)).toBeNull();
  expect((await rig.ask('GET', '/api/v1/organizations')).body.data).toHaveLength(1);
  expect((await rig.ask('GET', '/api/v1/agents')).body.data).toHaveLength(1);
  expect(await rig.store.call(findOrganization, rig.first.organization.id)).not.toBeNull();
});

test('the store has digests where the first run told secrets, and an argon2id password', async () => {
  await using rig = await startRig();
  const { operator, apiKey, agent } = rig.first;
  const bytes = await rig.bytes();
  for (const secret of [operator.password, operator.token, apiKey, agent.joinToken]) {
    expect(bytes).not.toContain(secret);
  }
  for (const secret of [operator.token, apiKey, agent.joinToken]) {
    expect(bytes).toContain(digestSecret(PEPPER, secret));
  }
  const stored = /\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]+\$[\w+/]+/.exec(bytes)?.[0] ?? '';
  expect(await verify(stored, operator.password)).toBe(true);
  expect(await verify(stored, `${operator.password}x`)).toBe(false);
});
