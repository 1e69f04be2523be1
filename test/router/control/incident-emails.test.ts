/** Emails about incidents: who gets them, and how they are ended. */
import { expect, test } from 'vitest';
import { copyIncidentLetter } from '../../../router/control/mail/incident-letters.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { signIn } from './people.ts';
import { DASHBOARD, readable } from './post.ts';
import {
  chooser,
  clock,
  FIRST_RETRY_MS,
  post,
  recipients,
  report,
  rig,
  shareIncidentEmails,
} from './shared-incident-emails.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';

shareIncidentEmails();

test('nobody gets emails about incidents who has not chosen them', async () => {
  const { ask } = await signIn(rig);
  expect((await ask('GET', '/api/v1/me')).body.incident_emails).toBe('none');
  await report();
  await post.work();
  expect(post.received).toEqual([]);
});

test('each person who has chosen them gets one email for each update, with what it says', async () => {
  const [one, other] = [await chooser(), await chooser()];
  const incident = await report({ title: 'Slow models', models: [MODEL], regions: ['eu'] });
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
  const text = readable(post.received[0]?.raw ?? '');
  expect(text).toContain('Subject: Investigating: Slow models');
  expect(text).toContain('We are looking for the cause.');
  expect(text).toContain(`Affected: ${MODEL} by name; EU.`);
  expect(text).toContain(`${DASHBOARD}/status#${incident}`);
  post.received.length = 0;
  const update = { state: 'resolved', message: 'A host was replaced.' };
  await rig.ask('POST', `/api/v1/incidents/${incident}/updates`, update);
  await post.work();
  expect(recipients().toSorted()).toEqual([one.email, other.email].toSorted());
  expect(readable(post.received[0]?.raw ?? '')).toContain('Subject: Resolved: Slow models');
  post.received.length = 0;
  await rig.ask('PATCH', `/api/v1/incidents/${incident}`, { message: 'Two hosts were replaced.' });
  await post.work();
  expect(post.received).toEqual([]);
});

test('the job of an email says that nobody has chosen these emails', async () => {
  const incident = await report();
  await post.work();
  const { body } = await rig.ask('GET', '/api/v1/jobs?state=done&kind=incident-letter');
  const own = body.data.filter(({ subject }: { subject: string }) => subject === incident);
  expect(own).toMatchObject([{ recipients: 0, unsent: 'no_subscribers' }]);
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
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toEqual({
    recipients: 1,
  });
  await rig.ask('DELETE', `/api/v1/incidents/${incident}`);
  await post.work();
  expect(post.received).toEqual([]);
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
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toEqual({
    recipients: 0,
    unsent: 'superseded',
  });
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
  expect(await page.text()).toContain('>Unsubscribe</button>');
  expect(await chosen(person)).toBe('all');
  const done = await fetch(rig.origin + path, {
    method: 'POST',
    headers: { origin: rig.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
  });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('You are unsubscribed');
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
  expect(await rig.store.call(copyIncidentLetter, { letter, now: clock.now() })).toEqual({
    recipients: 1,
  });
  await ask('PATCH', '/api/v1/me', { incident_emails: 'none' });
  await post.work();
  expect(post.received).toEqual([]);
});
