/** The entries of the audit log about one object, found by its id. */
import { expect, test } from 'vitest';
import { recordAuditEntry } from '../../../router/control/audit/record.ts';
import { mintId } from '../../../shared/ids.ts';
import { systemRandom } from '../../../shared/random.ts';
import { actionsOf, clock, organizationOf, rig, shareAuditRig } from './audit-rig.ts';
import { type Signed, signIn } from './people.ts';

shareAuditRig();

test('it is narrowed to one object, in the log of its organization and in that of the platform', async () => {
  const { id, path, admin } = await organizationOf();
  const elsewhere = await organizationOf();
  const make = async (method: string, below: string, body?: object) => {
    clock.advance(1);
    const answer = await admin.ask(method, `${path}${below}`, body);
    expect(answer.status).toBeLessThan(300);
    return answer.body.id as string;
  };
  const key = await make('POST', '/keys', { name: 'a' });
  await make('POST', '/keys', { name: 'b' });
  const token = await make('POST', '/tokens', { name: 'ci', role: 'viewer' });
  const webhook = await make('POST', '/webhooks', {
    url: 'https://example.com/hook',
    events: ['payment.succeeded'],
  });
  const adjustment = { amount: '1', reason: 'a test' };
  const adjusted = await rig.ask('POST', `${path}/credit/adjustments`, adjustment);
  await make('PATCH', '', { name: 'Ours' });
  await make('POST', `/keys/${key}/revoke`);
  const own = async (target: string, of = path, who: Pick<Signed, 'ask'> = admin) =>
    actionsOf((await who.ask('GET', `${of}/audit?target=${target}`)).body);
  const anywhere = async (target: string, more = '') =>
    actionsOf((await rig.ask('GET', `/api/v1/audit?target=${target}${more}`)).body);
  const ofKey = ['key.revoke', 'key.create'];
  const ofOrganization = ['organization.change-settings', 'organization.create'];
  for (const [target, actions] of [
    [key, ofKey],
    [token, ['token.create']],
    [webhook, ['webhook.create']],
    [id, ofOrganization],
    [adjusted.body.transfer.id, ['credit.adjust']],
  ] as const) {
    expect(await own(target), target).toEqual(actions);
    expect(await anywhere(target), target).toEqual(actions);
    expect(await anywhere(target, `&organization=${id}`), target).toEqual(actions);
    expect(await anywhere(target, `&organization=${elsewhere.id}`), target).toEqual([]);
    expect(await own(target, elsewhere.path, elsewhere.admin), target).toEqual([]);
  }
  expect(await anywhere(key, '&action=key.create')).toEqual(['key.create']);
  const csv = await fetch(`${rig.origin}${path}/audit?format=csv&target=${key}`, {
    headers: { cookie: `penstock-session=${admin.token}` },
  });
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(3);

  // The row of a deleted endpoint is gone, so its organization cannot be looked up.
  await make('DELETE', `/webhooks/${webhook}`);
  const ofEndpoint = ['webhook.delete', 'webhook.create'];
  expect(await own(webhook)).toEqual(ofEndpoint);
  expect(await anywhere(webhook, `&organization=${id}`)).toEqual(ofEndpoint);
  expect(await anywhere(webhook)).toEqual([]);

  for (const target of ['x', 'key_1', `${key}%25`, `agt_${'0'.repeat(26)}/vllm`]) {
    const query = `target=${encodeURIComponent(target)}`;
    expect((await admin.ask('GET', `${path}/audit?${query}`)).status, target).toBe(400);
    expect((await rig.ask('GET', `/api/v1/audit?${query}`)).status, target).toBe(400);
  }
});

test('the log of the platform is narrowed to an agent with its workers, and to a person', async () => {
  const agent = `agt_${'2'.repeat(26)}`;
  const other = `agt_${'3'.repeat(26)}`;
  const person = (await signIn(rig, { operator: true })).person;
  const targets = [agent, `${agent}/vllm`, other, `${other}/vllm`, person];
  for (const [at, target] of targets.entries()) {
    await rig.store.call(recordAuditEntry, {
      id: mintId('audit', clock, systemRandom),
      organization: null,
      actor: { kind: 'system', id: null },
      action: target === person ? 'person.lock' : 'worker.drain',
      target,
      details: {},
      address: '',
      request: `req-${at}`,
      created: clock.now(),
    });
    clock.advance(1);
  }
  const found = async (target: string) => {
    const { data } = (await rig.ask('GET', `/api/v1/audit?target=${target}`)).body;
    return data.map((entry: { target: string }) => entry.target);
  };
  expect(await found(agent)).toEqual([`${agent}/vllm`, agent]);
  expect(await found(person)).toContain(person);
  expect(await found(`agt_${'4'.repeat(26)}`)).toEqual([]);
});
