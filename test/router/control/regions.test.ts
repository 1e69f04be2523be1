/**
 * The region of an organization: chosen by its org-admin once, and in force at the data plane with
 * the next request.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLedger, type OpenLedger } from '../../../router/ledger/ledger.ts';
import { Callers } from '../../../router/request/authenticate.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { isRefusal } from '../../../shared/refusals.ts';
import type { Region } from '../../../shared/region.ts';
import { signIn } from './people.ts';
import { log, PEPPER, type Rig, startRig } from './rig.ts';

const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null };
const PATH = '/api/v1/organizations';

let rig: Rig;
let ledger: OpenLedger;
let callers: Callers;
let hear = () => {};
beforeAll(async () => {
  rig = await startRig();
  const config = { url: null, regions: ['global', 'us', 'eu'] as const };
  ledger = await openLedger({ store: rig.store, clock, random, log }, config);
  callers = new Callers({
    findKey: (digest) => ledger.findKey(digest),
    pepper: PEPPER,
    saltSecret: PEPPER.newest.secret,
    digestAgain: () => {},
    limits: () => ({ organization: NO_LIMITS, key: NO_LIMITS }),
    clock,
  });
  // A router drops what it has cached of an organization when it is notified of a change.
  rig.store.onAnnouncement((changed) => {
    callers.forgetOrganization(changed);
    hear();
  });
});
afterAll(async () => {
  callers.close();
  await ledger[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function organization() {
  const { id } = (await rig.ask('POST', PATH, { name: 'Lab' })).body;
  const admin = await signIn(rig, { organization: id, role: 'org-admin' });
  const path = `${PATH}/${id}`;
  const { key } = (await admin.ask('POST', `${path}/keys`, { name: 'app' })).body;
  return { path, admin, key: key as string };
}

/** Returns the data plane's verdict on a key at an endpoint of this region. */
async function told(key: string, region: Region): Promise<string> {
  const caller = await callers.authenticate(`Bearer ${key}`, region);
  return isRefusal(caller) ? caller.code : 'accepted';
}

/**
 * Moves the organization. Resolves when every router has been notified, which on PostgreSQL happens
 * independently of the answer.
 */
async function move(admin: Pick<Rig, 'ask'>, path: string, region: string) {
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const moved = await admin.ask('PATCH', path, { region });
  if (moved.status === 200) await heard;
  return moved;
}

test('a move is in force at once: the same key, elsewhere; keys, credits and billing as they were', async () => {
  const { path, admin, key } = await organization();
  expect(await told(key, 'global')).toBe('accepted');
  expect(await told(key, 'eu')).toBe('wrong_region');
  const parts = ['', '/keys', '/credit', '/transfers'];
  const read = async () =>
    await Promise.all(parts.map(async (part) => (await admin.ask('GET', path + part)).body));
  const [before, ...rest] = await read();

  const moved = await move(admin, path, 'EU');
  expect(moved.status).toBe(200);
  expect(moved.body).toEqual({ ...before, region: 'eu', base_url: null });
  expect(await told(key, 'global')).toBe('wrong_region');
  expect(await told(key, 'eu')).toBe('accepted');
  const [after, ...same] = await read();
  expect(after).toEqual(moved.body);
  expect(same).toEqual(rest);
});

test('base URLs are told before a move, of those regions that the router knows, and after it', async () => {
  await using elsewhere = await startRig(
    clock,
    ['global'],
    {},
    {
      eu: 'https://eu.example.com/v1',
    },
  );
  const path = `${PATH}/${elsewhere.first.organization.id}`;
  expect((await elsewhere.ask('GET', path)).body).toMatchObject({
    base_url: `${elsewhere.origin}/v1`,
    moves: [{ region: 'eu', base_url: 'https://eu.example.com/v1' }],
  });
  const moved = await elsewhere.ask('PATCH', path, { region: 'eu' });
  expect(moved.body).toMatchObject({
    region: 'eu',
    base_url: 'https://eu.example.com/v1',
    moves: [],
  });
});

test('from US or EU an org-admin moves nowhere, and an operator anywhere', async () => {
  const { path, admin, key } = await organization();
  expect((await move(admin, path, 'us')).status).toBe(200);
  for (const region of ['global', 'eu']) {
    const refused = await admin.ask('PATCH', path, { region, name: 'Moved' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      param: 'region',
      message: expect.stringContaining('from Global to US or EU'),
    });
  }
  expect((await admin.ask('GET', path)).body).toMatchObject({ region: 'us', name: 'Lab' });
  expect(await told(key, 'us')).toBe('accepted');
  // Setting the same region again is no move.
  expect((await move(admin, path, 'us')).status).toBe(200);
  for (const region of ['eu', 'global'] as const) {
    expect((await move(rig, path, region)).status).toBe(200);
    expect(await told(key, region)).toBe('accepted');
    expect(await told(key, 'us')).toBe('wrong_region');
  }
});

test('of two moves at the same moment one is made', async () => {
  const { path, admin } = await organization();
  const answers = await Promise.all(
    ['us', 'eu'].map((region) => admin.ask('PATCH', path, { region })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('nobody but an org-admin moves it', async () => {
  const { path } = await organization();
  for (const role of ['billing-admin', 'developer', 'viewer'] as const) {
    const organizationId = path.slice(PATH.length + 1);
    const other = await signIn(rig, { organization: organizationId, role });
    expect((await other.ask('PATCH', path, { region: 'us' })).status, role).toBe(403);
  }
  const stranger = await signIn(rig);
  expect((await stranger.ask('PATCH', path, { region: 'us' })).status).toBe(404);
});
