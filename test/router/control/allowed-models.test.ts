/** The models that a key may call, in the management API. */
import { beforeAll, expect, test } from 'vitest';
import { openLedger } from '../../../router/ledger/ledger.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { limits } from '../../../shared/limits.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { log, PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const ONE = 'lab/model';
const TWO = 'lab/other';

let organization: string;
let keys: string;
beforeAll(() => {
  organization = `/api/v1/organizations/${rig.first.organization.id}`;
  keys = `${organization}/keys`;
});

async function made(allowed?: unknown): Promise<{ id: string; key: string }> {
  const answer = await rig.ask('POST', keys, { name: 'ci', allowed_models: allowed });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** The list and the epoch of a key as the data plane sees them. */
async function asDataPlaneSees(value: string) {
  await using ledger = await openLedger(
    { store: rig.store, clock, random, log },
    { url: null, regions: ['global'] },
  );
  return await ledger.findKey(digestSecret(PEPPER, value));
}

const change = (id: string, allowed_models: unknown) =>
  rig.ask('PATCH', `${keys}/${id}`, { allowed_models });

test('a key may call all models, until it is given a list', async () => {
  const { id, key } = await made();
  const shown = async () => (await rig.ask('GET', `${keys}/${id}`)).body.allowed_models;
  expect(await shown()).toBeNull();
  expect(await asDataPlaneSees(key)).toMatchObject({ allowedModels: null, epoch: 0n });
  expect((await change(id, [ONE, TWO])).body.allowed_models).toEqual([ONE, TWO]);
  expect(await shown()).toEqual([ONE, TWO]);
  const { body } = await rig.ask('GET', `${keys}?limit=1000`);
  const listed = body.data.find((one: { id: string }) => one.id === id);
  expect(listed.allowed_models).toEqual([ONE, TWO]);
  // As after a revocation, the next admission on any router knows it.
  expect(await asDataPlaneSees(key)).toMatchObject({ allowedModels: [ONE, TWO], epoch: 1n });
  const other = await rig.ask('PATCH', `${keys}/${id}`, { name: 'renamed' });
  expect(other.body).toMatchObject({ name: 'renamed', allowed_models: [ONE, TWO] });
  expect((await change(id, null)).body.allowed_models).toBeNull();
  expect(await asDataPlaneSees(key)).toMatchObject({ allowedModels: null });
});

test('a new key has the list that it is created with', async () => {
  const { key } = await made([TWO]);
  expect(await asDataPlaneSees(key)).toMatchObject({ allowedModels: [TWO] });
});

test('an empty list is no list, an id is kept once, and a model may be named before there is one', async () => {
  expect(await made([])).toMatchObject({ allowed_models: null });
  expect(await made([TWO, ONE, TWO])).toMatchObject({ allowed_models: [TWO, ONE] });
  const { id } = await made(['lab/not-yet']);
  expect((await change(id, [])).body).toMatchObject({ allowed_models: null });
});

test('the longest list is kept, and no longer one', async () => {
  const most = Array.from({ length: limits.allowedModelsMax }, (_, nth) => `lab/${nth}`);
  expect(await made(most)).toMatchObject({ allowed_models: most });
  const refused = await rig.ask('POST', keys, { name: 'ci', allowed_models: [...most, ONE] });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({
    code: 'invalid_value',
    param: 'allowed_models',
    message: expect.stringContaining('at most 100 models'),
  });
});

test('all ids of a list together are bounded, in bytes', async () => {
  const idOf = (nth: number, bytes: number) => `型/${nth}`.padEnd(bytes - 2, 'x');
  const longest = limits.modelIdCharsMax;
  const rest = limits.allowedModelsBytesMax % (longest + 1);
  const long = Array.from(
    { length: Math.floor(limits.allowedModelsBytesMax / (longest + 1)) },
    (_, nth) => idOf(nth, longest),
  );
  const full = [...long, idOf(99, rest)];
  expect(Buffer.byteLength(full.join(' '))).toBe(limits.allowedModelsBytesMax);
  const { id } = await made(full);
  const { status, body } = await change(id, [...long, idOf(99, rest + 1)]);
  expect([status, body.error.param]).toEqual([400, 'allowed_models']);
  expect(body.error.message).toContain('at most 4096 bytes');
});

test.each<[what: string, value: unknown]>([
  ['a text', ONE],
  ['a number', 3],
  ['a map', { [ONE]: true }],
  ['a list of numbers', [1]],
  ['an id without a namespace', ['model']],
  ['an id with two slashes', ['a/b/c']],
  ['an id with a space', ['lab/a b']],
  ['an id with a line break', ['lab/a\nb']],
  ['an id with a NUL', ['lab/a\u0000b']],
  ['an id with a space of no width', ['lab/a\u200bb']],
  ['an id with half a character', ['lab/a\ud800b']],
  ['an empty id', ['']],
  ['a null in the list', [null]],
  ['an id that is too long', [`lab/${'x'.repeat(limits.modelIdCharsMax)}`]],
])('%s is refused, for a new key and for an old one', async (_what, allowed_models) => {
  const { id } = await made([ONE]);
  for (const { status, body } of [
    await change(id, allowed_models),
    await rig.ask('POST', keys, { name: 'odd', allowed_models }),
  ]) {
    expect([status, body.error.code]).toEqual([400, 'invalid_value']);
    expect(body.error.param).toMatch(/^allowed_models/);
  }
  expect((await rig.ask('GET', `${keys}/${id}`)).body.allowed_models).toEqual([ONE]);
});

test('the audit log says from which models to which', async () => {
  const { id } = await made();
  await change(id, [ONE, TWO]);
  await change(id, [TWO]);
  await change(id, null);
  await change(id, null);
  const { body } = await rig.ask('GET', `${organization}/audit?action=key.change&limit=1000`);
  const entries = body.data
    .filter(({ target }: { target: string }) => target === id)
    .map(({ summary, before, details }: Record<string, unknown>) => ({
      summary,
      before,
      details,
    }));
  expect(entries.toReversed()).toEqual([
    {
      summary: expect.stringMatching(
        / changed the allowed models of the API key "ci" from all to lab\/model, lab\/other$/,
      ),
      before: { allowed_models: null },
      details: { allowed_models: 'lab/model, lab/other' },
    },
    {
      summary: expect.stringMatching(/ from lab\/model, lab\/other to lab\/other$/),
      before: { allowed_models: 'lab/model, lab/other' },
      details: { allowed_models: 'lab/other' },
    },
    {
      summary: expect.stringMatching(/ from lab\/other to all$/),
      before: { allowed_models: 'lab/other' },
      details: { allowed_models: null },
    },
    {
      summary: expect.stringMatching(/ saved the API key "ci" \(no changes\)$/),
      before: { allowed_models: null },
      details: { allowed_models: null },
    },
  ]);
});
