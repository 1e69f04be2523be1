/** Incidents, which operators write and everybody reads with the status. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INCIDENT_UPDATES_MAX, INCIDENTS_MAX } from '../../../shared/incidents.ts';
import { Status } from '../../../shared/api/public-figures.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const DAY_MS = 24 * 60 * 60_000;
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(Date.UTC(2026, 2, 10, 12));
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

async function report(fields: object = {}) {
  const body = { title: 'Slow answers', message: 'We are looking for the cause.', ...fields };
  return await rig.ask('POST', '/api/v1/incidents', body);
}

async function incidents() {
  clock.advance(1_000);
  const { body } = await rig.ask('GET', '/api/v1/status', undefined, { authorization: '' });
  return Status.parse(body).incidents;
}

test('an incident is shown at once, with all of its updates, until 90 days after it began', async () => {
  expect(await incidents()).toEqual([]);
  const { status, body } = await report({ models: [MODEL], regions: ['eu'] });
  expect(status).toBe(201);
  expect(body).toMatchObject({ state: 'investigating', resolved: null });
  expect(await incidents()).toEqual([body]);
  clock.advance(DAY_MS);
  const path = `/api/v1/incidents/${body.id}/updates`;
  const updated = await rig.ask('POST', path, { state: 'resolved', message: 'It is over.' });
  expect(updated.status).toBe(201);
  expect(updated.body).toMatchObject({
    title: 'Slow answers',
    state: 'resolved',
    models: [MODEL],
    regions: ['eu'],
    resolved: updated.body.updates[0].created,
    updates: [
      { state: 'resolved', message: 'It is over.' },
      { state: 'investigating', message: 'We are looking for the cause.' },
    ],
  });
  expect(await incidents()).toEqual([updated.body]);
  clock.advance(90 * DAY_MS);
  expect(await incidents()).toEqual([]);
  // It was not over.
  const again = await rig.ask('POST', path, { state: 'monitoring', message: 'It came back.' });
  expect(again.body).toMatchObject({ state: 'monitoring', resolved: null });
  expect(await incidents()).toEqual([again.body]);
  expect((await rig.ask('DELETE', `/api/v1/incidents/${body.id}`)).status).toBe(200);
  expect(await incidents()).toEqual([]);
});

test('each change has an entry in the audit log, which says what the incident was called', async () => {
  const { body } = await report({ title: 'No answers' });
  const path = `/api/v1/incidents/${body.id}`;
  clock.advance(1);
  await rig.ask('POST', `${path}/updates`, { state: 'identified', message: 'A cable.' });
  const { body: log } = await rig.ask('GET', '/api/v1/audit?action=incident&limit=2');
  expect(log.data).toMatchObject([
    {
      action: 'incident.update',
      target: body.id,
      details: { state: 'identified' },
      before: { state: 'investigating' },
      summary: expect.stringMatching(/updated the incident "No answers": identified$/),
    },
    { action: 'incident.create', summary: expect.stringMatching(/reported the incident "No ans/) },
  ]);
  await rig.ask('DELETE', path);
});

test('an incident that is sent twice is reported once, until it is resolved', async () => {
  const { body } = await report({ title: 'Sent twice' });
  const again = await report({ title: 'Sent twice' });
  expect([again.status, again.body.error.param]).toEqual([409, 'title']);
  const path = `/api/v1/incidents/${body.id}`;
  await rig.ask('POST', `${path}/updates`, { state: 'resolved', message: 'It is over.' });
  const { status, body: later } = await report({ title: 'Sent twice' });
  expect(status).toBe(201);
  for (const id of [body.id, later.id]) await rig.ask('DELETE', `/api/v1/incidents/${id}`);
});

test('of two incidents of one title that are reported at the same moment, one is reported', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => report({ title: 'At once' })));
  const refused = answers.filter(({ status }) => status === 409);
  const reported = answers.filter(({ status }) => status === 201);
  expect([reported.length, refused.length]).toEqual([1, 7]);
  const id = reported[0]?.body.id;
  const path = `/api/v1/incidents/${id}`;
  // No correction and no update brings a second open incident of the title, either.
  const { body: other } = await report({ title: 'Other' });
  const renamed = await rig.ask('PATCH', `/api/v1/incidents/${other.id}`, { title: 'At once' });
  expect([renamed.status, renamed.body.error.param]).toEqual([409, 'title']);
  await rig.ask('POST', `${path}/updates`, { state: 'resolved', message: 'Over.' });
  const { body: second } = await report({ title: 'At once' });
  const back = { state: 'monitoring', message: 'It came back.' };
  const reopened = await rig.ask('POST', `${path}/updates`, back);
  expect([reopened.status, reopened.body.error.param]).toEqual([409, 'state']);
  for (const one of [id, other.id, second.id]) await rig.ask('DELETE', `/api/v1/incidents/${one}`);
});

test('the start of an incident can be set and corrected, within the last 90 days', async () => {
  const now = clock.now();
  const at = (ms: number) => new Date(now + ms).toISOString();
  const { status, body } = await report({ title: 'Noticed late', started: at(-3_600_000) });
  expect(status).toBe(201);
  expect(body).toMatchObject({ created: at(-3_600_000), updates: [{ created: at(0) }] });
  clock.advance(1_000);
  const path = `/api/v1/incidents/${body.id}`;
  const corrected = await rig.ask('PATCH', path, { started: at(-7_200_000) });
  expect(corrected.body).toMatchObject({ created: at(-7_200_000), updates: [{ created: at(0) }] });
  const { body: log } = await rig.ask('GET', '/api/v1/audit?action=incident&limit=1');
  expect(log.data).toMatchObject([
    { details: { started: at(-7_200_000) }, before: { started: at(-3_600_000) } },
  ]);
  const refusedStart = { error: { code: 'invalid_value', param: 'started' } };
  for (const started of [at(60_000), at(-91 * DAY_MS)]) {
    expect((await report({ title: 'Never', started })).body).toMatchObject(refusedStart);
    expect((await rig.ask('PATCH', path, { started })).body).toMatchObject(refusedStart);
  }
  // It is not after its first update.
  expect((await rig.ask('PATCH', path, { started: at(500) })).body).toMatchObject(refusedStart);
  expect((await report({ title: 'Never', started: 'yesterday' })).status).toBe(400);
  // However many digits the seconds have, the audit log has milliseconds.
  const long = at(-7_200_000).replace('Z', `${'1'.repeat(10_000)}Z`);
  expect((await rig.ask('PATCH', path, { started: long })).status).toBe(200);
  const { body: newest } = await rig.ask('GET', '/api/v1/audit?action=incident&limit=1');
  expect(newest.data[0].details.started).toHaveLength(24);
  await rig.ask('DELETE', path);
});

test('a correction changes the incident and its newest update, and the audit log has what was there', async () => {
  const { body } = await report({ title: 'Slwo answers', models: [MODEL] });
  const path = `/api/v1/incidents/${body.id}`;
  clock.advance(1);
  await rig.ask('POST', `${path}/updates`, { state: 'identified', message: 'A cabel.' });
  clock.advance(1);
  const corrected = { title: 'Slow answers', models: [], message: 'A cable.' };
  const answer = await rig.ask('PATCH', path, corrected);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    title: 'Slow answers',
    state: 'identified',
    models: [],
    updates: [{ message: 'A cable.' }, { message: 'We are looking for the cause.' }],
  });
  expect(await incidents()).toEqual([answer.body]);
  const { body: log } = await rig.ask('GET', '/api/v1/audit?action=incident&limit=1');
  expect(log.data).toMatchObject([
    {
      action: 'incident.correct',
      details: { title: 'Slow answers', models: '', message: 'A cable.' },
      before: { title: 'Slwo answers', models: MODEL, message: 'A cabel.' },
      summary: expect.stringMatching(/corrected the incident "Slow answers"$/),
    },
  ]);
  const none = `/api/v1/incidents/icd_${'0'.repeat(26)}`;
  expect((await rig.ask('PATCH', none, corrected)).status).toBe(404);
  for (const [fields, param] of [
    [{}, null],
    [{ state: 'resolved' }, 'state'],
    [{ models: ['no/such'] }, 'models'],
    [{ message: 'one\ttwo' }, 'message'],
  ] as const) {
    const { status, body: refused } = await rig.ask('PATCH', path, fields);
    expect([status, refused.error.param]).toEqual([400, param]);
  }
  const nothing = await rig.ask('PATCH', path, {});
  expect(nothing.body.error.message).toBe('Enter what is to be corrected.');
  await rig.ask('DELETE', path);
});

test('a model that is not in the catalog, a title of several lines and an empty one are refused', async () => {
  for (const [fields, param] of [
    [{ models: ['no/such'] }, 'models'],
    [{ regions: ['mars'] }, 'regions[0]'],
    [{ title: '' }, 'title'],
    [{ title: 'one\ntwo' }, 'title'],
    [{ message: 'one\ttwo' }, 'message'],
    [{ message: 'one\rtwo' }, 'message'],
    [{ message: 'one\u2028two' }, 'message'],
    [{ message: 'x'.repeat(2_001) }, 'message'],
    [{ state: 'over' }, 'state'],
  ] as const) {
    const { status, body } = await report(fields);
    expect([status, body.error.param]).toEqual([400, param]);
  }
  expect(await incidents()).toEqual([]);
});

test('the message of an incident keeps its paragraphs, and its lines end with LF', async () => {
  const { status, body } = await report({ message: '\r\nA cable.\r\n\r\nWe replace it.\n' });
  expect(status).toBe(201);
  const path = `/api/v1/incidents/${body.id}`;
  expect(body.updates).toMatchObject([{ message: 'A cable.\n\nWe replace it.' }]);
  // A line break counts as one character.
  const long = `${'x'.repeat(999)}\r\n${'y'.repeat(1_000)}`;
  const update = { state: 'identified', message: long };
  expect((await rig.ask('POST', `${path}/updates`, update)).status).toBe(201);
  const corrected = await rig.ask('PATCH', path, { message: 'One.\r\nTwo.' });
  expect(corrected.body.updates[0].message).toBe('One.\nTwo.');
  const tab = await rig.ask('PATCH', path, { message: 'One.\tTwo.' });
  expect(tab.body.error.message).toBe('Remove control characters. Line breaks may stay.');
  await rig.ask('DELETE', path);
});

test('updates and incidents that are shown have a bound', async () => {
  const { body } = await report();
  const path = `/api/v1/incidents/${body.id}`;
  const update = { state: 'monitoring', message: 'Still there.' };
  for (let nth = 1; nth < INCIDENT_UPDATES_MAX; nth++) {
    expect((await rig.ask('POST', `${path}/updates`, update)).status).toBe(201);
  }
  const refused = await rig.ask('POST', `${path}/updates`, { ...update, state: 'resolved' });
  expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
  const [shown] = await incidents();
  expect(shown).toMatchObject({ state: 'monitoring', resolved: null });
  expect(shown?.updates).toHaveLength(INCIDENT_UPDATES_MAX);
  const made: string[] = [];
  for (let nth = 0; nth < INCIDENTS_MAX; nth++) {
    clock.advance(1);
    made.push((await report({ title: `Slow answers ${nth}` })).body.id);
  }
  expect((await incidents()).map(({ id }) => id)).toEqual(made.toReversed());
});

test('only operators write incidents, and what nobody reported is not found', async () => {
  const admin = await signIn(rig, { role: 'org-admin' });
  const body = { title: 'Mine', message: 'Mine.' };
  expect((await admin.ask('POST', '/api/v1/incidents', body)).status).toBe(403);
  const none = `/api/v1/incidents/icd_${'0'.repeat(26)}`;
  const update = { state: 'resolved', message: 'Over.' };
  expect((await rig.ask('POST', `${none}/updates`, update)).status).toBe(404);
  expect((await rig.ask('DELETE', none)).status).toBe(404);
});

test('everybody who is signed in is told of open incidents, and of when they changed', async () => {
  const open = async () => {
    const member = await signIn(rig, { role: 'viewer' });
    const { status, body } = await member.ask('GET', '/api/v1/incidents/open');
    expect(status).toBe(200);
    return body.data;
  };
  const { body } = await report({ title: 'No answers at all', regions: ['eu'] });
  const mine = async () => (await open()).filter(({ id }: { id: string }) => id === body.id);
  const shown = {
    id: body.id,
    title: 'No answers at all',
    state: 'investigating',
    models: [],
    regions: ['eu'],
    created: body.created,
    updated: body.created,
  };
  expect(await mine()).toEqual([shown]);
  clock.advance(1_000);
  const path = `/api/v1/incidents/${body.id}/updates`;
  const { body: changed } = await rig.ask('POST', path, { state: 'monitoring', message: 'Fixed.' });
  const updated = changed.updates[0].created;
  expect(await mine()).toEqual([{ ...shown, state: 'monitoring', updated }]);
  await rig.ask('POST', path, { state: 'resolved', message: 'Over.' });
  expect(await mine()).toEqual([]);
  const visitor = await rig.ask('GET', '/api/v1/incidents/open', undefined, { authorization: '' });
  expect(visitor.status).toBe(401);
});

test('operators, and nobody else, see who wrote each update', async () => {
  const { body } = await report({ title: 'Written by whom' });
  clock.advance(1_000);
  await rig.ask('POST', `/api/v1/incidents/${body.id}/updates`, {
    state: 'monitoring',
    message: 'Somebody did this.',
  });
  const { status, body: list } = await rig.ask('GET', '/api/v1/incidents');
  expect(status).toBe(200);
  const found = list.data.find(({ id }: { id: string }) => id === body.id);
  const author = { id: expect.stringMatching(/^per_/), name: expect.any(String) };
  expect(found.updates).toMatchObject([
    { message: 'Somebody did this.', author },
    { message: 'We are looking for the cause.', author },
  ]);
  const admin = await signIn(rig, { role: 'org-admin' });
  expect((await admin.ask('GET', '/api/v1/incidents')).status).toBe(403);
  expect(JSON.stringify(await incidents())).not.toContain('author');
});
