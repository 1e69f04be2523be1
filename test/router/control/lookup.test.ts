/** What an id or a number names: within an organization, and for operators in all of them. */
import { beforeAll, expect, test } from 'vitest';
import { SAMPLES } from '../../support/api-samples.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let own: string;
let other: string;
const ids: Record<'payment' | 'invoice' | 'key' | 'job', string> = {
  payment: '',
  invoice: '',
  key: '',
  job: '',
};

beforeAll(async () => {
  const organization = async (name: string) =>
    (await rig.ask('POST', '/api/v1/organizations', { name })).body.id as string;
  own = await organization('Own');
  other = await organization('Other');
  for (const kind of Object.keys(ids) as (keyof typeof ids)[]) {
    ids[kind] = (await SAMPLES[kind]?.make?.(rig, own)) ?? '';
  }
});

async function found(id: string, organization: string | null = null) {
  const path = organization === null ? '/api/v1' : `/api/v1/organizations/${organization}`;
  const { status, body } = await rig.ask('GET', `${path}/lookup?id=${id}`);
  expect(status).toBe(200);
  return body.found;
}

test('keys, payments, invoices and jobs are found by their ids', async () => {
  for (const kind of ['key', 'payment', 'invoice'] as const) {
    const named = { kind, id: ids[kind], organization_id: own };
    expect(await found(ids[kind])).toMatchObject(named);
    expect(await found(ids[kind], own)).toMatchObject(named);
    // Another organization has no such thing.
    expect(await found(ids[kind], other)).toBeNull();
  }
  expect(await found(ids.job)).toMatchObject({ kind: 'job', id: ids.job, organization_id: null });
  expect(await found(ids.job, own)).toBeNull();
});

test('an invoice is found by its number, in any case and without its zeros', async () => {
  const { name } = await found(ids.invoice);
  expect(name).toMatch(/^INV-\d{6}$/);
  const bare = name.toLowerCase().replace(/-0+/, '-');
  for (const number of [name, bare]) expect((await found(number, own)).id).toBe(ids.invoice);
  expect(await found(name, other)).toBeNull();
});

test('nothing is found for other texts, and none that is no id is looked up', async () => {
  expect(await found('REC-999999')).toBeNull();
  expect(await found('key_0000000000')).toBeNull();
  expect((await rig.ask('GET', `/api/v1/lookup?id=${'a'.repeat(65)}`)).status).toBe(400);
  expect((await rig.ask('GET', '/api/v1/lookup?id=%25')).status).toBe(400);
});
