import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const PATH = '/api/v1/organizations';
const NOBODY = `org_${'0'.repeat(26)}`;

test('a new organization is global, active, prepaid, and has its welcome credit', async () => {
  const made = await rig.ask('POST', PATH, { name: ' Lab ' });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^org_[0-9a-z]{26}$/),
    name: 'Lab',
    region: 'global',
    status: 'active',
    billing: 'prepaid',
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect((await rig.ask('GET', `${PATH}/${made.body.id}`)).body).toEqual(made.body);
  const transfers = await rig.ask('GET', `${PATH}/${made.body.id}/transfers`);
  expect(transfers.body.data).toMatchObject([{ kind: 'welcome', amount: '5', seq: 1 }]);
});

test('its region is written in either case', async () => {
  const made = await rig.ask('POST', PATH, { name: 'Lab', region: 'EU' });
  expect(made.body.region).toBe('eu');
});

test('an organization that is not there, and what is no id, look the same', async () => {
  const answers = [
    await rig.ask('GET', `${PATH}/${NOBODY}`),
    await rig.ask('GET', `${PATH}/${rig.first.agent.id}`),
    await rig.ask('GET', `${PATH}/1%27%20or%201=1`),
  ];
  for (const { status, body } of answers) {
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'not_found' });
  }
});

test('whatever stands below an organization that is not there is not there', async () => {
  const below: [method: string, path: string, body?: object][] = [
    ['GET', 'keys'],
    ['POST', 'keys', { name: 'a' }],
    ['POST', 'keys/key_000000000000/revoke'],
    ['DELETE', 'keys/key_000000000000'],
    ['GET', 'credit'],
    ['POST', 'credit/adjustments', { amount: '1', reason: 'a' }],
    ['GET', 'transfers'],
    ['GET', 'usage'],
  ];
  for (const [method, path, body] of below) {
    const answer = await rig.ask(method, `${PATH}/${NOBODY}/${path}`, body);
    expect(answer.status, path).toBe(404);
  }
});

test('250 organizations are listed newest first, each once, over pages', async () => {
  const made: string[] = [];
  for (let i = 0; i < 250; i++) {
    made.unshift((await rig.ask('POST', PATH, { name: `Lab ${i}` })).body.id);
  }
  const seen: string[] = [];
  let query = '?limit=60';
  for (let pages = 1; ; pages++) {
    const { body } = await rig.ask('GET', PATH + query);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    expect(body.has_more).toBe(body.next !== null);
    if (!body.has_more) break;
    expect(body.data).toHaveLength(60);
    query = `?limit=60&after=${body.next}`;
  }
  // Ids of one millisecond are in no order of time: it is the set that counts, and that it is sorted.
  expect(seen).toEqual(seen.toSorted().toReversed());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(made));
});
