import { expect, test } from 'vitest';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

async function organization(): Promise<string> {
  const { body } = await rig.ask('POST', '/api/v1/organizations', { name: 'Lab' });
  return `/api/v1/organizations/${body.id}/rates`;
}

const PRICE = { prompt: '0.000002', completion: '0.00001', input_cache_read: '0.000000000001' };

test('a rate is agreed, agreed anew and taken back', async () => {
  const rates = await organization();
  const made = await rig.ask('PUT', `${rates}/qwen/qwen3-32b`, PRICE);
  expect(made.status).toBe(200);
  const rate = { model: 'qwen/qwen3-32b', ...PRICE, created: expect.stringMatching(/Z$/) };
  expect(made.body).toEqual(rate);
  expect((await rig.ask('GET', rates)).body).toEqual({ data: [rate], has_more: false, next: null });

  const cheaper = { ...PRICE, prompt: '0.000001' };
  expect((await rig.ask('PUT', `${rates}/qwen/qwen3-32b`, cheaper)).body).toMatchObject(cheaper);
  expect((await rig.ask('GET', rates)).body.data).toMatchObject([cheaper]);

  const removed = await rig.ask('DELETE', `${rates}/qwen/qwen3-32b`);
  expect(removed.body).toEqual({ model: 'qwen/qwen3-32b', deleted: true });
  expect((await rig.ask('DELETE', `${rates}/qwen/qwen3-32b`)).status).toBe(404);
  expect((await rig.ask('GET', rates)).body.data).toEqual([]);
});

test("one organization's rates are not another's", async () => {
  const [rates, others] = [await organization(), await organization()];
  await rig.ask('PUT', `${rates}/lab/model`, PRICE);
  expect((await rig.ask('GET', others)).body.data).toEqual([]);
  expect((await rig.ask('DELETE', `${others}/lab/model`)).status).toBe(404);
});

test('rates are listed by model over pages', async () => {
  const rates = await organization();
  const models = Array.from({ length: 7 }, (_, n) => `lab/model-${n}`);
  for (const model of models.toReversed()) await rig.ask('PUT', `${rates}/${model}`, PRICE);
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { body } = await rig.ask('GET', `${rates}?limit=3${query}`);
    seen.push(...body.data.map(({ model }: { model: string }) => model));
    after = body.next;
  }
  expect(seen).toEqual(models);
});

test('a name with odd characters is one name, and what is not two segments is no model', async () => {
  const rates = await organization();
  const odd = `${rates}/lab/${encodeURIComponent('model:1%')}`;
  expect((await rig.ask('PUT', odd, PRICE)).body.model).toBe('lab/model:1%');
  for (const path of ['lab', 'lab/a/b', 'lab/a%2Fb', 'lab/a%20b']) {
    expect((await rig.ask('PUT', `${rates}/${path}`, PRICE)).status, path).toBe(404);
  }
});

test.each<[fields: object, param: string]>([
  [{ prompt: '-0.1' }, 'prompt'],
  [{ prompt: '1.01' }, 'prompt'],
  [{ completion: '0.0000000000001' }, 'completion'],
  [{ completion: 0.5 }, 'completion'],
  [{ input_cache_read: undefined }, 'input_cache_read'],
  [{ input_cache_read: '0.000003' }, 'input_cache_read'],
  [{ image: '1' }, 'image'],
])('a rate with %j is refused', async (fields, param) => {
  const rates = await organization();
  const answer = await rig.ask('PUT', `${rates}/lab/model`, { ...PRICE, ...fields });
  expect(answer.status).toBe(400);
  expect(answer.body.error.param).toBe(param);
  expect((await rig.ask('GET', rates)).body.data).toEqual([]);
});
