/** Which key a join token binds to which agent, and what is left of both once it is revoked. */
import { expect, test } from 'vitest';
import { makeAgentRegistry } from '../../../router/control/agent-registry.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { agentOf, enrol } from './enrol.ts';
import { PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const DAY_MS = 24 * 60 * 60 * 1000;

const openRegistry = () => makeAgentRegistry({ store: rig.store, pepper: PEPPER, clock });

test('an enrolment tells its join token once, good for a day, and keeps only a digest', async () => {
  const { join_token, ...agent } = await enrol(rig, { name: 'gpu-1', region: 'US' });
  expect(join_token).toMatch(/^penstock-join-[0-9A-Za-z]{40}$/);
  expect(Date.parse(agent.expires) - Date.parse(agent.created)).toBe(DAY_MS);
  expect(await agentOf(rig, agent.id)).toEqual({
    id: agent.id,
    name: 'gpu-1',
    region: 'us',
    state: 'enrolling',
    connected: false,
    created: agent.created,
    last_seen: null,
    absence: null,
  });
  const bytes = await rig.bytes();
  expect(bytes).toContain(digestSecret(PEPPER, join_token));
  expect(bytes).not.toContain(join_token);
});

test('a join token is spent by its first key, and that key may use it again', async () => {
  const registry = openRegistry();
  const { id, join_token } = await enrol(rig, { name: 'gpu-2' });
  expect(await registry.find('key one')).toBeNull();
  const known = { agent: id, name: 'gpu-2', region: 'global' };
  expect(await registry.join(join_token, 'key one')).toEqual(known);
  expect(await registry.join(join_token, 'key two')).toBeNull();
  expect(await registry.join(join_token, 'key one')).toEqual(known);
  expect(await registry.find('key one')).toEqual(known);
  expect(await registry.find('key two')).toBeNull();
  expect(await agentOf(rig, id)).toMatchObject({
    state: 'enrolled',
    last_seen: expect.any(String),
  });
});

test('two keys that bring one token at once: one of them joins', async () => {
  const registry = openRegistry();
  const { join_token } = await enrol(rig, { name: 'gpu-3' });
  const keys = Array.from({ length: 20 }, (_, i) => `key of many ${i}`);
  const joined = await Promise.all(keys.map((key) => registry.join(join_token, key)));
  expect(joined.filter((agent) => agent !== null)).toHaveLength(1);
});

test('what is no join token opens nothing', async () => {
  const registry = openRegistry();
  for (const token of ['', 'penstock-join-', rig.first.operator.token, rig.first.apiKey]) {
    expect(await registry.join(token, 'a key')).toBeNull();
  }
});

test('one key is one agent: with the token of another it does not join', async () => {
  const registry = openRegistry();
  const first = await enrol(rig, { name: 'gpu-4' });
  const second = await enrol(rig, { name: 'gpu-5' });
  await registry.join(first.join_token, 'the only key');
  expect(await registry.join(second.join_token, 'the only key')).toBeNull();
  expect(await registry.join(second.join_token, 'another key')).toMatchObject({ agent: second.id });
});

test('a revoked agent comes back neither with its key nor with its token', async () => {
  const registry = openRegistry();
  const joined = await enrol(rig, { name: 'gpu-6' });
  const waiting = await enrol(rig, { name: 'gpu-7' });
  await registry.join(joined.join_token, 'the revoked key');
  for (const { id } of [joined, waiting]) {
    const { status, body } = await rig.ask('POST', `/api/v1/agents/${id}/revoke`);
    expect({ status, state: body.state }).toEqual({ status: 200, state: 'revoked' });
  }
  expect(await registry.find('the revoked key')).toBeNull();
  expect(await registry.join(joined.join_token, 'the revoked key')).toBeNull();
  expect(await registry.join(waiting.join_token, 'a new key')).toBeNull();
  expect((await rig.ask('POST', `/api/v1/agents/${joined.id}/revoke`)).status).toBe(200);
});

test('an agent that is not there cannot be revoked', async () => {
  for (const id of [`agt_${'0'.repeat(26)}`, rig.first.organization.id, 'x']) {
    expect((await rig.ask('POST', `/api/v1/agents/${id}/revoke`)).status).toBe(404);
  }
});
