/** Emails about incidents: who gets them, how they are queued, and how they are ended. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  BATCH_MAX,
  BATCH_PAUSE_MS,
  copyIncidentLetter,
  RETRIED_PAUSE_MS,
  RETRIED_MAX,
} from '../../../router/control/mail/incident-letters.ts';
import { JobRunner } from '../../../router/jobs/runner.ts';
import type { IncarnationId, IncidentId } from '../../../shared/ids.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { countCopyStatements } from './count-statements.ts';
import { signIn } from './people.ts';
import { DASHBOARD, openPost, type Post, readable } from './post.ts';
import { log, type Rig, startRig } from './rig.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

const clock = new ManualClock(Date.now());
let rig: Rig;
let post: Post;
beforeAll(async () => {
  rig = await startRig(clock);
  post = await openPost(rig, { clock });
});
beforeEach(async () => {
  await rig.place.sql('update people set incident_emails = null');
  post.received.length = 0;
});
afterAll(async () => {
  await post[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** A job that failed once is tried again after this time. */
const FIRST_RETRY_MS = 10_000;

let reported = 0;

async function report(fields: object = {}): Promise<IncidentId> {
  const title = `Slow answers ${++reported}`;
  const body = { title, message: 'We are looking for the cause.', ...fields };
  const answer = await rig.ask('POST', '/api/v1/incidents', body);
  expect(answer.status).toBe(201);
  return answer.body.id as IncidentId;
}

async function chooser() {
  const signed = await signIn(rig);
  const answer = await signed.ask('PATCH', '/api/v1/me', { incident_emails: 'all' });
  expect(answer).toMatchObject({ status: 200, body: { incident_emails: 'all' } });
  return signed;
}

/** Adds people who have chosen the emails. */
async function addChoosers(count: number, name: string): Promise<void> {
  const values = Array.from({ length: count }, (_none, at) => {
    const id = `per_${name}${String(at).padStart(6, '0')}`;
    return `('${id}', '${id}@example.com', '', '', 0, 1, 1, 'all')`;
  });
  await rig.place.sql(
    `insert into people (id, email, name, password_hash, operator, created, email_confirmed,
       incident_emails) values ${values.join(', ')}`,
  );
}

const recipients = () => post.received.flatMap(({ to }) => to);

/** Queues emails that are due and go to nobody. */
async function enqueueDue(count: number, name: string): Promise<void> {
  for (let at = 0; at < count; at++) {
    await rig.store.call(enqueueJob, {
      kind: 'letter',
      subject: 'nobody',
      idempotencyKey: `letter/reset-password/${name}-${at}`,
      payload: { kind: 'reset-password', person: null },
      created: clock.now(),
    });
  }
}

test('nobody gets emails about incidents who has not chosen them', async () => {
  const { ask } = await signIn(rig);
  expect((await ask('GET', '/api/v1/me')).body.incident_emails).toBe('none');
  await report();
  await post.work();
  expect(post.received).toEqual([]);
});

test('each person who has chosen them gets one email for each update, with what it says', async () => {
  const [one, other] = [await chooser(), await chooser()];
  const incident = await report({ models: [MODEL], regions: ['eu'] });
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
  const text = readable(post.received[0]?.raw ?? '');
  expect(text).toContain(`Subject: Investigating: Slow answers ${reported}`);
  expect(text).toContain('We are looking for the cause.');
  expect(text).toContain(`Affected: ${MODEL} by name; EU.`);
  expect(text).toContain(`${DASHBOARD}/status#${incident}`);
  post.received.length = 0;
  const update = { state: 'resolved', message: 'A host was replaced.' };
  await rig.ask('POST', `/api/v1/incidents/${incident}/updates`, update);
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
  expect(readable(post.received[0]?.raw ?? '')).toContain('Subject: Resolved: Slow answers');
  post.received.length = 0;
  await rig.ask('PATCH', `/api/v1/incidents/${incident}`, { message: 'Two hosts were replaced.' });
  await post.work();
  expect(post.received).toEqual([]);
});

test('people who are locked, erased or unconfirmed get none, and nobody one about a deleted incident', async () => {
  const [locked, erased, unconfirmed, reader] = [
    await chooser(),
    await chooser(),
    await chooser(),
    await chooser(),
  ];
  await rig.place.sql(
    `update people set locked_at = 1 where id = '${locked.person}'`,
    `update people set erased = 1 where id = '${erased.person}'`,
    `update people set email_confirmed = null where id = '${unconfirmed.person}'`,
  );
  await report();
  await post.work();
  expect(recipients()).toEqual([reader.email]);
  post.received.length = 0;
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toBe(1);
  await rig.ask('DELETE', `/api/v1/incidents/${incident}`);
  await post.work();
  expect(post.received).toEqual([]);
});

test('emails to many people are queued in batches, so that one to somebody who signs up waits for one batch at most', async () => {
  const count = 2 * BATCH_MAX + 30;
  await addChoosers(count, 'many');
  await report();
  await post.work();
  expect(post.received).toHaveLength(BATCH_MAX);
  const { person, email } = await signIn(rig);
  await rig.store.call(enqueueJob, {
    kind: 'letter',
    subject: person,
    idempotencyKey: 'letter/reset-password/between',
    payload: { kind: 'reset-password', person },
    created: clock.now(),
  });
  await post.work();
  expect(post.received.at(-1)?.to).toEqual([email]);
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(post.received).toHaveLength(2 * BATCH_MAX + 1);
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(new Set(recipients()).size).toBe(count + 1);
  expect(recipients()).toHaveLength(count + 1);
});

test('while other jobs are due, fewer are queued, and a batch that a crash repeats queues nobody twice', async () => {
  await addChoosers(BATCH_MAX, 'busy');
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  // The job of the incident itself is due, too.
  const others = 39;
  await enqueueDue(others, 'busy');
  const now = clock.now();
  expect(await rig.store.call(copyIncidentLetter, { letter, now })).toBe(BATCH_MAX - others - 1);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toHaveLength(BATCH_MAX);
  expect(new Set(recipients()).size).toBe(BATCH_MAX);
});

test('while as many other jobs are due as are in a batch, none are queued, and the next batch comes as soon', async () => {
  await addChoosers(1, 'late');
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  await enqueueDue(BATCH_MAX, 'full');
  const now = clock.now();
  expect(await rig.store.call(copyIncidentLetter, { letter, now })).toBe(0);
  const key = `incident-letter/${incident}/1/batch-1`;
  const next = await rig.place.sql(`select run_at from jobs where idempotency_key = '${key}'`);
  expect(next).toEqual([{ run_at: BigInt(now + BATCH_PAUSE_MS) }]);
  await post.work();
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toHaveLength(1);
});

test('a router of the version before leaves the emails to one that has them', async () => {
  const [one, other] = [await chooser(), await chooser()];
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  // Those of the people are queued as well, so that it meets both.
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toBe(2);
  const [alive] = await rig.place.sql('select id from incarnations where beat > 0');
  const { id: incarnation } = alive as { id: IncarnationId };
  const ended: string[] = [];
  const before = new JobRunner(
    {
      store: rig.store,
      clock,
      log,
      lane: 'others',
      incarnation: () => incarnation,
      onJob: (_kind, result) => void ended.push(result),
    },
    { letter: () => Promise.resolve({ recipients: 0 }) },
  );
  await before.look();
  await before[Symbol.asyncDispose]();
  expect(ended).toEqual(['retried', 'retried', 'retried']);
  clock.advance(FIRST_RETRY_MS);
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
});

test('an email about an update that has a newer one is not sent any more, whether it waits or is taken', async () => {
  const { person, email } = await chooser();
  const incident = await report();
  post.refusals.push('450 Try again later');
  await post.work();
  expect(post.received).toEqual([]);
  const update = { state: 'resolved', message: 'A host was replaced.' };
  await rig.ask('POST', `/api/v1/incidents/${incident}/updates`, update);
  const letter = { kind: 'incident', incident, update: 1 } as const;
  // A router had taken the jobs of the first update before, and returns them now.
  await rig.store.call(enqueueJob, {
    kind: 'incident-letter',
    subject: person,
    idempotencyKey: `incident-letter/${incident}/1/returned`,
    payload: { ...letter, recipient: person },
    created: clock.now(),
  });
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toBe(0);
  clock.advance(FIRST_RETRY_MS);
  await post.work();
  expect(recipients()).toEqual([email]);
  expect(readable(post.received[0]?.raw ?? '')).toContain('Subject: Resolved: Slow answers');
});

test.each([
  ['has a newer update', 'POST', '/updates'],
  ['is deleted', 'DELETE', ''],
])('emails about an incident that wait are deleted when it %s', async (_what, method, path) => {
  await chooser();
  const incident = await report();
  post.refusals.push('450 Try again later');
  await post.work();
  const waiting = () =>
    rig.place.sql(
      `select id from jobs where state = 'waiting' and idempotency_key like '%/${incident}/1/%'`,
    );
  expect(await waiting()).toHaveLength(1);
  const body = method === 'POST' ? { state: 'monitoring', message: 'It works.' } : undefined;
  await rig.ask(method, `/api/v1/incidents/${incident}${path}`, body);
  expect(await waiting()).toEqual([]);
  await post.work();
});

test('while too many emails wait for a retry because the mail server refuses them, no more are queued', async () => {
  const { email } = await chooser();
  await rig.place.sql("update jobs set state = 'done' where state = 'waiting'");
  const later = clock.now() + RETRIED_PAUSE_MS + 1;
  const refused = Array.from({ length: RETRIED_MAX }, (_none, at) => {
    const id = `job_refused_${at}`;
    return `('${id}', 'incident-letter', 'per_${at}', '${id}', '{}', 'waiting', 1, ${later}, 1)`;
  });
  await rig.place.sql(
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at, created)
     values ${refused.join(', ')}`,
  );
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toBe(0);
  await post.work();
  await rig.place.sql("update jobs set state = 'done' where id = 'job_refused_0'");
  clock.advance(BATCH_PAUSE_MS);
  await post.work();
  expect(post.received).toEqual([]);
  clock.advance(RETRIED_PAUSE_MS - BATCH_PAUSE_MS);
  await post.work();
  expect(recipients()).toEqual([email]);
  await rig.place.sql("delete from jobs where id like 'job_refused_%'");
});

test('a batch is queued by as many statements as one email is', async () => {
  await addChoosers(1, 'one');
  const incident = await report();
  await post.work();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  const now = clock.now();
  const forOne = await rig.store.call(countCopyStatements, { letter, now });
  expect(forOne).toBeGreaterThan(0);
  await addChoosers(BATCH_MAX, 'full');
  expect(await rig.store.call(countCopyStatements, { letter, now })).toBe(forOne);
  const queued = await rig.place.sql("delete from jobs where state = 'waiting' returning id");
  // The copies, and the job that queues the next batch.
  expect(queued).toHaveLength(BATCH_MAX + 1);
});

async function unsubscribeLink(): Promise<{ path: string; raw: string }> {
  await report();
  await post.work();
  const raw = post.received.at(-1)?.raw ?? '';
  const head = raw.split('\r\n\r\n')[0] ?? '';
  const url = /^List-Unsubscribe: <(.+)>$/m.exec(head.replaceAll(/\r\n\s+/g, ' '))?.[1] ?? '';
  expect(url.startsWith(`${DASHBOARD}/unsubscribe?`)).toBe(true);
  return { path: url.slice(DASHBOARD.length), raw };
}

const chosen = async (person: string) => {
  const [row] = await rig.place.sql(`select incident_emails from people where id = '${person}'`);
  return (row as { incident_emails: string | null }).incident_emails;
};

test('a link in each email opens a page with a button, and only the button ends the emails', async () => {
  const { person, ask } = await chooser();
  const { path, raw } = await unsubscribeLink();
  expect(readable(raw)).toContain(`${DASHBOARD}${path}`);
  const page = await fetch(rig.origin + path);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Get no more of these emails');
  expect(await chosen(person)).toBe('all');
  const done = await fetch(rig.origin + path, {
    method: 'POST',
    headers: { origin: rig.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('You get no more emails about incidents');
  expect((await ask('GET', '/api/v1/me')).body.incident_emails).toBe('none');
  post.received.length = 0;
  await report();
  await post.work();
  expect(post.received).toEqual([]);
});

test.each([
  ['a form', () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
  [
    'a form in parts',
    () => {
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      return form;
    },
  ],
  ['a type that is none', () => 'List-Unsubscribe=One-Click', { 'content-type': 'x' }],
] as readonly [
  name: string,
  body: () => URLSearchParams | FormData | string,
  headers?: Record<string, string>,
][])(
  'the button of a mail program ends the emails with %s, from anywhere and without a cookie',
  async (_name, body, headers = {}) => {
    const { person } = await chooser();
    const { path, raw } = await unsubscribeLink();
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const click = () =>
      fetch(rig.origin + path, {
        method: 'POST',
        headers: { origin: 'https://mail.example', ...headers },
        body: body(),
      });
    expect((await click()).status).toBe(200);
    expect((await click()).status).toBe(200);
    expect(await chosen(person)).toBeNull();
    const entries = await rig.place.sql(
      `select details from audit where target = '${person}' and details like '%the link%'`,
    );
    expect(entries).toHaveLength(1);
  },
);

test('a link with another proof, or with the proof of another person, ends nothing', async () => {
  const [one, other] = [await chooser(), await chooser()];
  const { path } = await unsubscribeLink();
  const owner = path.includes(one.person) ? one : other;
  const stranger = owner === one ? other : one;
  for (const wrong of [
    path.replace(owner.person, stranger.person),
    `${path}0`,
    path.slice(0, -1),
    `${path}&proof=0`,
    `${path}%00`,
    path.replace(owner.person, owner.person.padEnd(200, '0')),
    '/unsubscribe',
  ]) {
    const answer = await fetch(rig.origin + wrong, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('This link does not work');
  }
  expect([await chosen(one.person), await chosen(other.person)]).toEqual(['all', 'all']);
});

test('an email that was queued before its recipient ended them is not sent', async () => {
  const { ask } = await chooser();
  const incident = await report();
  const letter = { kind: 'incident', incident, update: 1 } as const;
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toBe(1);
  await ask('PATCH', '/api/v1/me', { incident_emails: 'none' });
  await post.work();
  expect(post.received).toEqual([]);
});
