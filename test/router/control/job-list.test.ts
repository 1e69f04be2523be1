/** Background jobs over the management API: listed, tried again, and deleted when they are old. */
import { beforeEach, expect, test } from 'vitest';
import { forgetJobsTask, JOB_DAYS } from '../../../router/control/jobs/forget-task.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let number = 0;
beforeEach(() => rig.place.sql('delete from jobs'));

type Wanted = Readonly<{
  kind?: string;
  /** Of a letter. */
  email?: string;
  state?: string;
  /** ms since the epoch. */
  at?: number;
  error?: string;
  subject?: string;
}>;

async function insertJob({
  kind = 'letter',
  email = 'receipt',
  state = 'failed',
  at = clock.now(),
  error,
  subject = rig.first.organization.id,
}: Wanted = {}): Promise<string> {
  number += 1;
  const id = `job_${String(number).padStart(26, '0')}`;
  const ended = state === 'done' || state === 'failed' ? at : null;
  await rig.place.sql(
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at,
       leased_by, last_error, created, ended)
     values ('${id}', '${kind}', '${subject}', '${kind}/${email}/${id}',
       '{"email":"ada@example.com"}', '${state}', 12, ${at},
       ${state === 'running' ? "'inc_0'" : 'null'}, ${error === undefined ? 'null' : `'${error}'`},
       ${at}, ${ended})`,
  );
  return id;
}

async function list(query = ''): Promise<{ data: { id: string }[]; next: string | null }> {
  const { status, body } = await rig.ask('GET', `/api/v1/jobs?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id);
const stored = async () =>
  ((await rig.place.sql('select id from jobs order by id')) as { id: string }[]).map(
    ({ id }) => id,
  );

test('a job that was given up is listed with the class of its error, and without its payload', async () => {
  const error = 'Error: no answer of https://me:secret@host for ada@example.com';
  const id = await insertJob({ error });
  const page = await list();
  expect(page.data).toEqual([
    {
      id,
      kind: 'letter',
      email: 'receipt',
      subject: rig.first.organization.id,
      subject_name: rig.first.organization.name,
      subject_organization: null,
      state: 'failed',
      attempts: 12,
      attempts_max: 12,
      created: expect.any(String),
      next_attempt: null,
      ended: expect.any(String),
      last_error: 'Error',
      recipients: null,
      unsent: null,
      delivery_fault: null,
      delivery_next_attempt: null,
      can_retry: true,
      can_try_now: false,
    },
  ]);
  expect(JSON.stringify(page)).not.toMatch(/secret|ada@/);
});

test('an invitation is named by the address that was invited, with its organization', async () => {
  const { id: organization, name } = rig.first.organization;
  const path = `/api/v1/organizations/${organization}/invitations`;
  const invited = { email: 'carl@example.com', role: 'viewer' };
  const { id } = (await rig.ask('POST', path, invited)).body;
  await rig.place.sql('delete from jobs');
  await insertJob({ subject: id, email: 'invitation' });
  expect(await list()).toMatchObject({
    data: [
      {
        subject: id,
        subject_name: 'carl@example.com',
        subject_organization: { id: organization, name },
      },
    ],
  });
});

test('what is not known, and an address that nobody has, are not named', async () => {
  await insertJob({ subject: 'nobody' });
  expect(await list()).toMatchObject({ data: [{ subject: null, subject_name: null }] });
  await insertJob({ subject: `inv_${'0'.repeat(26)}` });
  const { data } = await list();
  expect(data[0]).toMatchObject({
    subject: `inv_${'0'.repeat(26)}`,
    subject_name: null,
    subject_organization: null,
  });
});

test('jobs are listed by state and kind, in pages: open ones the next first, others the newest first', async () => {
  const now = clock.now();
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await insertJob({ at: now + Math.floor(n / 2) }));
  const waiting = [];
  for (let n = 0; n < 3; n++) waiting.push(await insertJob({ state: 'waiting', at: now + n }));
  const refund = await insertJob({ kind: 'refund', at: now - 1 });
  const walked: string[] = [];
  let after = '';
  for (;;) {
    const page = await list(`limit=2${after}`);
    walked.push(...idsOf(page));
    if (page.next === null) break;
    after = `&after=${page.next}`;
  }
  expect(walked).toEqual([...ids.toReversed(), refund]);
  expect(idsOf(await list('kind=refund'))).toEqual([refund]);
  const first = await list('state=waiting&limit=2');
  expect(first.data).toMatchObject([{ next_attempt: new Date(now).toISOString() }, {}]);
  expect(idsOf(first)).toEqual(waiting.slice(0, 2));
  expect(idsOf(await list(`state=waiting&limit=2&after=${first.next}`))).toEqual(waiting.slice(2));
  expect(idsOf(await list('state=running'))).toEqual([]);
  const strange = await rig.ask('GET', '/api/v1/jobs?after=1');
  expect(strange).toMatchObject({ status: 400, body: { error: { param: 'after' } } });
});

test('jobs are found by whom they are for, by name, address or id, and counted so', async () => {
  const { organization } = rig.first;
  const invitations = `/api/v1/organizations/${organization.id}/invitations`;
  const invited = await rig.ask('POST', invitations, { email: 'eve@example.com', role: 'viewer' });
  const elsewhere = (await rig.ask('POST', '/api/v1/organizations', { name: 'Ünal & Co_' })).body;
  const { body: people } = await rig.ask('GET', '/api/v1/people?limit=1');
  const [person] = people.data;
  const own = await rig.ask('POST', `/api/v1/organizations/${elsewhere.id}/invitations`, {
    email: person.email,
    role: 'viewer',
  });
  await rig.place.sql('delete from jobs');
  const toPerson = await insertJob({ subject: person.id, email: 'new-sign-in' });
  const toInvited = await insertJob({ subject: invited.body.id, email: 'invitation' });
  const toOrganization = await insertJob();
  const charged = await insertJob({ kind: 'charge', state: 'done' });
  const toOther = await insertJob({ subject: elsewhere.id });
  const toOwnAddress = await insertJob({ subject: own.body.id, email: 'invitation' });
  const found = async (search: string, more = '') =>
    idsOf(await list(`search=${encodeURIComponent(search)}${more}`));
  expect(await found(organization.id)).toEqual([toOrganization, toInvited]);
  expect(await found(organization.name.toUpperCase())).toEqual([toOrganization, toInvited]);
  expect(await found(organization.name, '&state=done')).toEqual([charged]);
  expect(await found(organization.name, '&state=done&kind=letter')).toEqual([]);
  expect(await found('EVE@example')).toEqual([toInvited]);
  expect(await found(person.id)).toEqual([toOwnAddress, toPerson]);
  expect(await found(person.email)).toEqual([toOwnAddress, toPerson]);
  expect(await found('ünal & co_')).toEqual([toOwnAddress, toOther]);
  expect(await found('ünal & co%')).toEqual([]);
  expect(await found(toOther)).toEqual([toOther]);
  expect(await found('nobody')).toEqual([]);
  const counts = await rig.ask('GET', `/api/v1/jobs/counts?search=${organization.id}`);
  expect(counts.body).toEqual({ failed: 2, waiting: 0, running: 0, done: 1 });
  const ofKind = await rig.ask('GET', `/api/v1/jobs/counts?search=${organization.id}&kind=charge`);
  expect(ofKind.body).toEqual({ failed: 0, waiting: 0, running: 0, done: 1 });
  const first = await list(`search=${organization.id}&limit=1`);
  expect(idsOf(await list(`search=${organization.id}&limit=1&after=${first.next}`))).toEqual([
    toInvited,
  ]);
});

test.each(['search=', 'search=%00', `search=${'a'.repeat(101)}`, 'search=a&search=b'])(
  'a search that is no search (%s) is refused',
  async (query) => {
    for (const path of ['/api/v1/jobs', '/api/v1/jobs/counts']) {
      const { status, body } = await rig.ask('GET', `${path}?${query}`);
      expect([status, body.error.param]).toEqual([400, 'search']);
    }
  },
);

const NOT_FAILED = 'This job has not failed, or is due already, so it cannot be tried again.';

test('a job that was given up is tried again once, which the audit log says', async () => {
  const id = await insertJob();
  const retried = await rig.ask('POST', `/api/v1/jobs/${id}/retry`);
  expect(retried).toMatchObject({
    status: 200,
    body: { id, state: 'waiting', attempts: 0, ended: null, can_retry: false },
  });
  const again = await rig.ask('POST', `/api/v1/jobs/${id}/retry`);
  expect(again.body.error.message).toBe(NOT_FAILED);
  expect(again.status).toBe(409);
  const { body } = await rig.ask('GET', '/api/v1/audit?action=job.retry');
  expect(body.data).toMatchObject([
    { target: id, summary: 'Operator tried a job of the kind letter again' },
  ]);
  const none = await rig.ask('POST', `/api/v1/jobs/job_${'f'.repeat(26)}/retry`);
  expect(none.status).toBe(404);
});

test('a job that waits for another attempt is due at once, with the attempts that it has left', async () => {
  await rig.place.sql('delete from audit');
  const later = clock.now() + 3_600_000;
  const waiting = async (attempts: number, job: Parameters<typeof insertJob>[0] = {}) => {
    const id = await insertJob({ state: 'waiting', ...job });
    await rig.place.sql(
      `update jobs set attempts = ${attempts}, run_at = ${later}, ended = null where id = '${id}'`,
    );
    return id;
  };
  const retry = (id: string) => rig.ask('POST', `/api/v1/jobs/${id}/retry`);
  const id = await waiting(6);
  const before = await rig.ask('GET', `/api/v1/jobs/${id}`);
  expect(before.body).toMatchObject({ can_retry: false, can_try_now: true });
  const tried = await retry(id);
  expect(tried).toMatchObject({
    status: 200,
    body: { state: 'waiting', attempts: 6, can_try_now: false },
  });
  expect(Date.parse(tried.body.next_attempt)).toBeLessThan(later);
  const again = await retry(id);
  expect([again.status, again.body.error.message]).toEqual([409, NOT_FAILED]);

  // One that has not failed runs at its time, and one of a charge never at the wish of an operator.
  const fresh = await waiting(0);
  const charge = await waiting(6, { kind: 'charge' });
  for (const other of [fresh, charge]) {
    expect((await rig.ask('GET', `/api/v1/jobs/${other}`)).body.can_try_now).toBe(false);
    expect((await retry(other)).status).toBe(409);
    const { body } = await rig.ask('GET', `/api/v1/jobs/${other}`);
    expect(body.next_attempt).toBe(new Date(Math.round(later)).toISOString());
  }
  const { body } = await rig.ask('GET', '/api/v1/audit?action=job.retry');
  expect(body.data).toMatchObject([{ target: id }]);
});

test('several jobs are tried again at once, each once, and those that cannot be are named', async () => {
  await rig.place.sql('delete from audit');
  const [first, second, refund, link, open] = [
    await insertJob(),
    await insertJob({ kind: 'invoice' }),
    await insertJob({ kind: 'refund' }),
    await insertJob({ email: 'reset-password' }),
    await insertJob({ state: 'waiting' }),
  ];
  const none = `job_${'f'.repeat(26)}`;
  const jobs = [first, refund, second, first, link, open, none];
  const retried = await rig.ask('POST', '/api/v1/jobs/retry', { jobs });
  expect(retried).toMatchObject({
    status: 200,
    body: {
      retried: 2,
      data: [
        { id: first, outcome: 'retried' },
        { id: refund, outcome: 'refused' },
        { id: second, outcome: 'retried' },
        { id: link, outcome: 'refused' },
        { id: open, outcome: 'not_failed' },
        { id: none, outcome: 'unknown' },
      ],
    },
  });
  expect(idsOf(await list())).toEqual([link, refund]);
  const again = await rig.ask('POST', '/api/v1/jobs/retry', { jobs: [first, second] });
  expect(again.body).toMatchObject({
    retried: 0,
    data: [{ outcome: 'not_failed' }, { outcome: 'not_failed' }],
  });
  const { body } = await rig.ask('GET', '/api/v1/audit?action=job.retry');
  expect(body.data.map(({ target }: { target: string }) => target).toSorted()).toEqual(
    [first, second].toSorted(),
  );
});

test('a call tries at most 100 jobs again, and takes only ids of jobs', async () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, n) => `job_${String(n).padStart(26, '0')}`);
  const statusOf = async (body: object) =>
    (await rig.ask('POST', '/api/v1/jobs/retry', body)).status;
  expect(await statusOf({ jobs: ids(100) })).toBe(200);
  for (const body of [
    { jobs: ids(101) },
    { jobs: [] },
    { jobs: ['job_1'] },
    { jobs: 'job_1' },
    {},
  ]) {
    expect(await statusOf(body)).toBe(400);
  }
});

test.each([
  ['charge', 'could move the money twice'],
  ['refund', 'could move the money twice'],
  ['from-a-later-version', 'This version cannot try jobs of the kind from-a-later-version again.'],
])('a job of the kind %s is not tried again', async (kind, why) => {
  const id = await insertJob({ kind });
  expect((await list()).data).toMatchObject([{ id, can_retry: false }]);
  const refused = await rig.ask('POST', `/api/v1/jobs/${id}/retry`);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain(why);
  expect((await list()).data).toMatchObject([{ id, state: 'failed' }]);
});

test.each(['confirm-email', 'reset-password'])(
  'an email with a link to an account (%s) is not sent again',
  async (email) => {
    const id = await insertJob({ email });
    expect((await list()).data).toMatchObject([{ id, email, can_retry: false }]);
    const refused = await rig.ask('POST', `/api/v1/jobs/${id}/retry`);
    expect(refused.status).toBe(409);
    expect(refused.body.error.message).toBe(
      'An email with a link to an account is not sent again: the person can ask for another.',
    );
  },
);

test('a delivery of a webhook that was given up is tried again', async () => {
  const id = await insertJob({ kind: 'webhook' });
  const retried = await rig.ask('POST', `/api/v1/jobs/${id}/retry`);
  expect(retried).toMatchObject({ status: 200, body: { id, state: 'waiting' } });
});

test('an attempt that did not deliver its webhook says why, and an earlier one does not', async () => {
  const { organization } = rig.first;
  const delivery = `dlv_${'d'.repeat(26)}`;
  await rig.place.sql(
    `insert into webhook_deliveries (id, organization, webhook, event, type, body, state, attempts,
       round, last_fault, next_attempt, created)
     values ('${delivery}', '${organization.id}', 'whk_0', 'e', 'key.revoked', '{}', 'waiting', 2, 2,
       'connection', 60000, 0)`,
  );
  const [first, second] = [
    await insertJob({ kind: 'webhook', state: 'done' }),
    await insertJob({ kind: 'webhook', state: 'done' }),
  ];
  for (const [nth, id] of [first, second].entries()) {
    await rig.place.sql(
      `update jobs set idempotency_key = 'webhook/${delivery}/${nth + 1}' where id = '${id}'`,
    );
  }
  expect((await list('state=done')).data).toMatchObject([
    {
      id: second,
      delivery_fault: 'connection',
      delivery_next_attempt: '1970-01-01T00:01:00.000Z',
    },
    { id: first, delivery_fault: null, delivery_next_attempt: null },
  ]);
});

test('jobs are deleted 30 days after they ended, but no open one and no erasure that was given up', async () => {
  const old = clock.now() - JOB_DAYS * DAY_MS - 1;
  const recent = old + DAY_MS;
  await insertJob({ state: 'done', at: old });
  await insertJob({ state: 'failed', at: old });
  await insertJob({ state: 'done', kind: 'erase-person', at: old });
  const kept = [
    await insertJob({ state: 'failed', kind: 'erase-person', at: old }),
    await insertJob({ state: 'waiting', at: old }),
    await insertJob({ state: 'running', at: old }),
    await insertJob({ state: 'done', at: recent }),
    await insertJob({ state: 'failed', at: recent }),
  ];
  await forgetJobsTask({ store: rig.store, clock }).run();
  expect(await stored()).toEqual(kept);
});

test('a job is opened with what it was given, but no address or text', async () => {
  const id = await insertJob({ error: 'mail_refused EMESSAGE 450' });
  const { organization } = rig.first;
  await rig.place.sql(
    `update jobs set payload = '${JSON.stringify({
      kind: 'receipt',
      organization: organization.id,
      payment: 'pay_1',
      amount: '20',
      email: 'ada@example.com',
      after: 'a text of a later version',
    })}' where id = '${id}'`,
  );
  const { status, body } = await rig.ask('GET', `/api/v1/jobs/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    last_error: 'The mail server did not accept the email: EMESSAGE 450',
    facts: [
      { name: 'organization', value: organization.id, value_name: organization.name },
      { name: 'payment', value: 'pay_1', value_name: null },
      { name: 'amount', value: '20', value_name: null },
    ],
    attempt_log: [],
    run: null,
    retry_refusal: null,
    delivery: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/ada@|later version/);
  const unknown = await rig.ask('GET', `/api/v1/jobs/job_${'f'.repeat(26)}`);
  expect(unknown.status).toBe(404);
});

test('an opened job says why it cannot be tried again', async () => {
  const id = await insertJob({ kind: 'refund' });
  const { body } = await rig.ask('GET', `/api/v1/jobs/${id}`);
  expect(body.retry_refusal).toContain('could move the money twice');
});

test('the jobs of each state are counted', async () => {
  await insertJob();
  await insertJob({ kind: 'refund' });
  await insertJob({ state: 'done' });
  const { status, body } = await rig.ask('GET', '/api/v1/jobs/counts');
  expect(status).toBe(200);
  expect(body).toEqual({ failed: 2, waiting: 0, running: 0, done: 1 });
});
