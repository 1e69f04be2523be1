/**
 * The export of an organization's data as lines: complete, without secrets, and read only as fast
 * as the client takes it.
 */
import { fastify } from 'fastify';
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { expect, onTestFinished, test } from 'vitest';
import { refusalOf, refuse } from '../../../router/control/errors.ts';
import { exportLines } from '../../../router/control/export/lines.ts';
import { PARTS } from '../../../router/control/export/parts.ts';
import { exportRoutes } from '../../../router/control/export/routes.ts';
import type { Store } from '../../../router/store/store.ts';
import { systemClock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { parseUsd } from '../../../shared/money.ts';
import { signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/organizations';
type Line = Record<string, unknown> & { type: string };

async function organization() {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  const admin = await signIn(rig, { organization: id, role: 'org-admin' });
  return { id: id as OrganizationId, path: `${PATH}/${id}`, admin };
}

async function exported(path: string): Promise<Line[]> {
  const response = await fetch(`${rig.origin}${path}/export`, {
    headers: { authorization: `Bearer ${rig.first.operator.token}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  const text = await response.text();
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

function usageRows(id: string, count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, i) => {
    const seq = i + 1;
    return `('req_${id}_${seq}', '${id}', ${seq}, 'key_a', null, 'api', 'c${seq}', 'lab/model',
      'global', 'agt_host', 'worker', 'prc_a', 10, 0, 'reported', 5, 0, 12, 80, 'stop', 200, null,
      ${seq}, 'settled', null, 1000)`;
  });
  return rig.place.sql(
    `insert into usage (request, organization, seq, key, member, source, completion_id, model,
       region, agent, worker, price, prompt_tokens, cached_tokens, cached_source,
       completion_tokens, reasoning_tokens, ttft_ms, duration_ms, finish_reason, status, error,
       cost, outcome, transfer, created) values ${rows.join(', ')}`,
  );
}

test('it has every kind of thing, and says how many lines it has', async () => {
  const { id, path, admin } = await organization();
  const { key } = (await admin.ask('POST', `${path}/keys`, { name: 'app' })).body;
  const ended = (await admin.ask('POST', `${path}/keys`, { name: 'ended' })).body;
  expect((await admin.ask('POST', `${path}/keys/${ended.id}/revoke`)).status).toBe(200);
  const { url } = (await admin.ask('POST', `${path}/invitations`, { email: 'a@example.com' })).body;
  const price = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0' };
  const rate = await rig.ask('PUT', `${path}/rates/lab/model`, price);
  expect(rate.status).toBe(200);
  await usageRows(id, 3);
  await rig.place.sql(
    `insert into refusals (request, organization, key, region, message, status, code, created)
     values ('req_refused', '${id}', 'key_a', 'global', 'Too many.', 429, 'rate_limited', 1000)`,
    `insert into refusal_counts (organization, minute, key, code, recorder, count)
     values ('${id}', 1, 'key_a', 'rate_limited', 'a', 2)`,
  );
  const stranger = await organization();
  await stranger.admin.ask('POST', `${stranger.path}/keys`, { name: 'theirs' });

  const lines = await exported(path);
  expect(lines[0]).toMatchObject({ type: 'export', organization: id });
  expect(lines.at(-1)).toEqual({ type: 'end', lines: lines.length });
  const of = (type: string) => lines.filter((line) => line.type === type);
  expect(of('organization')).toMatchObject([{ id, name: 'Lab', region: 'global' }]);
  expect(of('credit')).toEqual([{ type: 'credit', balance: '5', held: '0' }]);
  expect(of('member')).toMatchObject([{ id: admin.member, email: admin.email, left_at: null }]);
  expect(of('invitation')).toMatchObject([{ email: 'a@example.com', state: 'open' }]);
  const exportedKeys = of('key').toSorted((a, b) =>
    String(a['name']).localeCompare(String(b['name'])),
  );
  expect(exportedKeys).toMatchObject([
    { name: 'app', state: 'active', revoked: null, revoked_by: null },
    {
      name: 'ended',
      state: 'revoked',
      revoked: expect.stringMatching(/Z$/),
      revoked_by: admin.member,
    },
  ]);
  expect(of('transfer')).toMatchObject([{ kind: 'welcome', amount: '5', seq: 1 }]);
  expect(of('rate')).toMatchObject([{ model: 'lab/model', prompt: '0.000001', cached: '0' }]);
  expect(of('usage')).toHaveLength(3);
  expect(of('refusal')).toMatchObject([{ request: 'req_refused', status: 429, model: null }]);
  expect(of('refusal_count')).toMatchObject([{ minute: '1970-01-01T00:01:00.000Z', count: 2 }]);
  // The export does not show customers which host served a request.
  expect(of('usage')[0]).not.toHaveProperty('agent');
  expect(of('audit').map(({ action }) => action)).toEqual(
    expect.arrayContaining(['organization.create', 'key.create', 'invitation.create']),
  );
  expect(of('audit').find((line) => line['action'] === 'organization.create')).toMatchObject({
    actor_kind: 'operator',
    actor: null,
    address: null,
  });
  const text = JSON.stringify(lines);
  expect(text).not.toContain('theirs');
  expect(text).not.toContain(key);
  expect(text).not.toContain(new URL(url).hash.slice('#token='.length));
  for (const row of (await rig.place.sql(`select digest from keys`)) as { digest: string }[]) {
    expect(text).not.toContain(row.digest);
  }
});

test('over many pages every line is there once, and the sums are exact', async () => {
  const { id, path } = await organization();
  await usageRows(id, 1_234);
  const usage = (await exported(path)).filter(({ type }) => type === 'usage');
  expect(usage.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_234 }, (_, i) => i + 1));
  const sum = usage.reduce((total, { cost }) => total + (parseUsd(String(cost)) ?? 0n), 0n);
  expect(sum).toBe((1_234n * 1_235n) / 2n);
});

test('no page is read before the one before it was taken, and none beyond what was there', async () => {
  const { id } = await organization();
  await usageRows(id, 1_100);
  let reads = 0;
  const store: Pick<Store, 'call'> = {
    call: (procedure, input) => {
      reads++;
      return rig.store.call(procedure, input);
    },
  };
  // The usage rows are from the first second, and everything else is later.
  const lines = exportLines(store, { organization: id, now: 1_000 });
  await lines.next();
  expect(reads).toBe(0);
  const parts = Object.keys(PARTS);
  for (let read = parts.indexOf('usage'), pieces = 0; ; pieces++) {
    const { value, done } = await lines.next();
    if (done === true) break;
    const first = JSON.parse(value.split('\n')[0] as string) as Line;
    if (first.type !== 'usage') continue;
    expect(reads).toBe(++read);
    expect(value.split('\n').length - 1).toBeLessThanOrEqual(500);
    expect(pieces).toBeLessThan(10);
  }
  // Every part is read once, and usage in three pages.
  expect(reads).toBe(parts.length + 2);
});

test('only org-admins take it along', async () => {
  const { id, path, admin } = await organization();
  for (const role of ['billing-admin', 'developer', 'viewer'] as const) {
    const other = await signIn(rig, { organization: id, role });
    expect((await other.ask('GET', `${path}/export`)).status, role).toBe(403);
  }
  const stranger = await organization();
  expect((await stranger.admin.ask('GET', `${path}/export`)).status).toBe(404);
  const cookie = `penstock-session=${admin.token}`;
  const own = await fetch(`${rig.origin}${path}/export`, { headers: { cookie } });
  expect(own.status).toBe(200);
  await own.text();
});

/** The export route alone, on a store that answers when the test releases it. */
async function serveGated(): Promise<{ ask: () => Promise<Response>; open: () => void }> {
  const gate = Promise.withResolvers<void>();
  const store: Pick<Store, 'call'> = {
    async call(procedure, input) {
      await gate.promise;
      return rig.store.call(procedure, input);
    },
  };
  const app = fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalOf(error), 'req_x'));
  exportRoutes(app, { store, clock: systemClock });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const path = `/organizations/${rig.first.organization.id}/export`;
  return { ask: () => fetch(origin + path), open: gate.resolve };
}

test('of one organization two run at once, and one that was left counts no more', async () => {
  const { ask, open } = await serveGated();
  const [left, whole] = [await ask(), await ask()];
  const third = await ask();
  expect(third.status).toBe(429);
  expect(third.headers.get('retry-after')).toBe('10');
  await left.body?.cancel();
  open();
  expect(await whole.text()).toContain('"type":"end"');
  // Both exports end when the router sees their client disconnect. Then there is room for others.
  let next = await ask();
  while (next.status === 429) next = await ask();
  expect(await next.text()).toContain('"type":"end"');
});
