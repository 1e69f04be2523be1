/** Emails: their recipients, their text, and what happens to an email that cannot be sent. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Letter } from '../../../router/control/mail/letter.ts';
import { openTransport } from '../../../router/control/mail/transport.ts';
import {
  type InvoiceId,
  mintId,
  type OrganizationId,
  type PaymentId,
  type PersonId,
} from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import { signIn } from './people.ts';
import { DASHBOARD, openPost, type Post, readable } from './post.ts';
import { log, PEPPER, type Rig, startRig } from './rig.ts';

const clock = new ManualClock(Date.now());
let rig: Rig;
let post: Post;
let posted = 0;
beforeAll(async () => {
  rig = await startRig();
  post = await openPost(rig, { clock });
});
beforeEach(() => {
  post.received.length = 0;
});
afterAll(async () => {
  await post[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Queues an email, as `postLetter` does within a procedure. */
async function write(letter: Letter) {
  await rig.store.call(enqueueJob, {
    kind: 'letter',
    subject: 'somebody',
    idempotencyKey: `letter/${letter.kind}/test-${posted++}`,
    payload: letter,
    created: clock.now(),
  });
  await post.work();
}

/** Why the email that was written last was sent to nobody, as its job says. */
async function unsent(): Promise<string | null> {
  const key = `idempotency_key like 'letter/%/test-${posted - 1}'`;
  const [job] = await rig.place.sql(`select id from jobs where ${key}`);
  return (await rig.ask('GET', `/api/v1/jobs/${(job as { id: string }).id}`)).body.unsent;
}

const links = (subject: string) =>
  rig.place.sql(`select * from links where subject = '${subject}' order by created, digest`);

async function organization(name: string): Promise<OrganizationId> {
  return (await rig.ask('POST', '/api/v1/organizations', { name })).body.id;
}

test('a letter with a link goes to its person, and the store has only the digest of what it links to', async () => {
  const { person, email } = await signIn(rig);
  await write({ kind: 'reset-password', person: person as PersonId });
  const [letter] = post.received;
  expect(letter).toMatchObject({ from: 'no-reply@penstock.example', to: [email] });
  expect(letter?.token).toMatch(/^penstock-link-\w{40}$/);
  expect(readable(letter?.raw ?? '')).toContain(`${DASHBOARD}/reset#token=${letter?.token}`);
  expect(await links(person)).toEqual([
    {
      digest: digestSecret(PEPPER, letter?.token ?? ''),
      purpose: 'reset-password',
      subject: person,
      email,
      created: BigInt(clock.now()),
      expires: BigInt(clock.now() + 3_600_000),
      used: null,
    },
  ]);
  expect((await rig.bytes()).includes(letter?.token ?? '?')).toBe(false);
});

test('a letter after the first proof of an address does not say that a reset was requested', async () => {
  const { person } = await signIn(rig);
  await write({ kind: 'reset-password', person: person as PersonId, after: 'first-proof' });
  const [letter] = post.received;
  const text = readable(letter?.raw ?? '');
  expect(text).toContain('Subject: Set a new password');
  expect(text).toContain('confirmed in a browser that was not signed in to your account');
  expect(text).toContain(`${DASHBOARD}/reset#token=${letter?.token}`);
  expect(text).not.toContain('requested');
});

test('a letter that the server refuses is tried again with a link of its own, and its words reach no log', async () => {
  const { person } = await signIn(rig);
  post.refusals.push(`spam: ${DASHBOARD}/reset#token=quoted-by-the-server`);
  await write({ kind: 'reset-password', person: person as PersonId });
  expect(post.received).toEqual([]);
  const [job] = await rig.place.sql(`select * from jobs where payload like '%${person}%'`);
  expect(job).toMatchObject({
    state: 'waiting',
    last_error: 'mail_refused EMESSAGE 450',
  });
  expect((await rig.bytes()).includes('quoted-by-the-server')).toBe(false);
  clock.advance(10_000);
  await post.work();
  expect(post.received).toHaveLength(1);
  const digests = (await links(person)).map((row) => (row as { digest: string }).digest);
  expect(new Set(digests).size).toBe(2);
  expect(digests).toContain(digestSecret(PEPPER, post.received[0]?.token ?? ''));
});

test('a letter to an organization goes to each who sees to its billing, and to nobody else', async () => {
  const org = await organization('Many');
  const join = (role: 'org-admin' | 'billing-admin' | 'developer' | 'viewer') =>
    signIn(rig, { role, organization: org });
  const admin = await join('org-admin');
  const billing = await join('billing-admin');
  await join('developer');
  await join('viewer');
  const left = await join('org-admin');
  await rig.place.sql(`update members set left_at = 1 where id = '${left.member}'`);
  const erased = await join('billing-admin');
  await rig.place.sql(`update people set erased = 1 where id = '${erased.person}'`);
  const what = { kind: 'low-balance', balance: '1.5', threshold: '2' } as const;
  post.refusals.push('one of them, at first');
  await write({ ...what, organization: org });
  expect(post.received).toHaveLength(1);
  clock.advance(10_000);
  await post.work();
  expect(new Set(post.received.map(({ to }) => to[0]))).toEqual(
    new Set([admin.email, billing.email]),
  );
  expect(post.received).toHaveLength(2);
  for (const { raw } of post.received) {
    expect(readable(raw)).toMatch(
      /The balance of Many\s+is\s+USD 1.5, which is below your threshold of USD 2/,
    );
  }
});

test('the job of a letter says how many people it went to, or that there was nobody', async () => {
  const what = { kind: 'low-balance', balance: '1.5', threshold: '2' } as const;
  const recipients = async (job: unknown) =>
    (await rig.ask('GET', `/api/v1/jobs/${(job as { id: string }).id}`)).body.recipients;
  const jobsOf = (part: string) =>
    rig.place.sql(`select id from jobs where payload like '%${part}%' order by created, id`);
  const empty = await organization('Empty');
  await write({ ...what, organization: empty });
  const [toNobody] = await jobsOf(empty);
  expect(await recipients(toNobody)).toBe(0);
  expect(await unsent()).toBe('nobody_in_charge');
  const two = await organization('Two');
  const one = await signIn(rig, { role: 'org-admin', organization: two });
  const other = await signIn(rig, { role: 'billing-admin', organization: two });
  const path = '/api/v1/me';
  const muted = { muted_emails: ['low-balance'] };
  expect((await other.ask('PATCH', path, muted)).status).toBe(200);
  await write({ ...what, organization: two });
  await post.work();
  expect(post.received.map(({ to }) => to[0])).toEqual([one.email]);
  const sent = await Promise.all((await jobsOf(two)).map(recipients));
  // The email to the organization, and its copies.
  expect(new Set(sent)).toEqual(new Set([0, 1, 2]));
  const { body: copies } = await rig.ask('GET', `/api/v1/jobs?state=done&search=${other.person}`);
  expect(copies.data).toMatchObject([{ recipients: 0, unsent: 'switched_off' }]);
  const { id } = toNobody as { id: string };
  const { body: list } = await rig.ask('GET', `/api/v1/jobs?state=done&search=${id}`);
  expect(list.data).toMatchObject([
    { email: 'low-balance', attempts: 1, recipients: 0, unsent: 'nobody_in_charge' },
  ]);
});

test.each([
  ['low-balance', { balance: '1.5', threshold: '2' }, ''],
  ['exhausted', { balance: '0.001', held: '0', at: '2026-11-30T03:40:12.000Z' }, ''],
  ['budget', { percent: 80, spent: '8', budget: '10', month: '2026-11' }, '?view=budget'],
  ['receipt', { payment: 'pay_1' as PaymentId, amount: '20' }, '?view=payments'],
  ['recharge-failed', { payment: 'pay_1' as PaymentId, amount: '20' }, ''],
  ['invoice', { invoice: 'inv_1' as InvoiceId, amount: '20' }, '?view=payments'],
] as const)(
  'a letter of the kind %s links to the view of what it tells',
  async (kind, facts, view) => {
    const org = await organization('Billed');
    await signIn(rig, { organization: org, role: 'billing-admin' });
    await write({ kind, organization: org, ...facts } as Letter);
    const addresses = readable(post.received[0]?.raw ?? '').match(/https:\S+/g);
    expect(addresses).toEqual([`${DASHBOARD}/${org}/billing${view}`]);
  },
);

test('the letter about a request without enough credit says when it was refused, and what to do', async () => {
  const org = await organization('Empty');
  await signIn(rig, { organization: org, role: 'billing-admin' });
  const what = { kind: 'exhausted', organization: org, at: '2026-11-30T03:40:12.000Z' } as const;
  const written = async (
    facts: Readonly<{ balance: string; held: string; creditLimit?: string }>,
  ) => {
    post.received.length = 0;
    await write({ ...what, ...facts });
    return readable(post.received[0]?.raw ?? '').replaceAll(/\s+/g, ' ');
  };
  const prepaid = await written({ balance: '0.001', held: '0' });
  expect(prepaid).toContain(
    'A request of Empty was refused with status 402 on November 30, 2026 at 03:40 UTC, because',
  );
  expect(prepaid).toContain(
    'The balance was USD 0.001. Requests that need more credit than is left are refused until credit is added. Add it by hand',
  );
  const busy = await written({ balance: '4.5', held: '4.4' });
  expect(busy).toContain('USD 4.5, of which USD 4.4 is reserved for running requests.');
  const invoiced = await written({ balance: '-10', held: '0', creditLimit: '10' });
  expect(invoiced).toContain('The balance was USD -10. It may go down to USD -10.');
  expect(invoiced).not.toContain('auto-recharge');
});

test('a person who has switched a kind of letter off gets the others', async () => {
  const org = await organization('Quiet');
  const { email, ask } = await signIn(rig, { organization: org, role: 'billing-admin' });
  const change = await ask('PATCH', '/api/v1/me', { muted_emails: ['low-balance', 'receipt'] });
  expect(change).toMatchObject({ status: 200, body: { muted_emails: ['low-balance', 'receipt'] } });
  await write({ kind: 'low-balance', balance: '1.5', threshold: '2', organization: org });
  expect(post.received).toEqual([]);
  const budget = { percent: 80, spent: '8', budget: '10', month: '2026-11' };
  await write({ kind: 'budget', organization: org, ...budget });
  expect(post.received.map(({ to }) => to)).toEqual([[email]]);
  await ask('PATCH', '/api/v1/me', { muted_emails: [] });
  await write({ kind: 'low-balance', balance: '1.5', threshold: '2', organization: org });
  expect(post.received).toHaveLength(2);
  const security = await ask('PATCH', '/api/v1/me', { muted_emails: ['password-changed'] });
  expect(security.status).toBe(400);
});

test('a letter to an address that nobody has confirmed has no words of whoever typed it', async () => {
  const { person } = await signIn(rig);
  await rig.place.sql(`update people set name = 'Win at evil.example' where id = '${person}'`);
  await write({
    kind: 'confirm-email',
    person: person as PersonId,
    email: 'stranger@example.com',
  });
  const [letter] = post.received;
  expect(letter?.to).toEqual(['stranger@example.com']);
  expect(readable(letter?.raw ?? '')).toContain('Open this link within a day');
  expect(readable(letter?.raw ?? '')).not.toContain('evil.example');
});

test('nobody is written to who is erased, has confirmed already, or whose invitation is over', async () => {
  const { person, email } = await signIn(rig);
  await write({ kind: 'confirm-email', person: person as PersonId, email });
  expect(await unsent()).toBe('address_settled');
  await rig.place.sql(`update people set locked_at = 1 where id = '${person}'`);
  await write({ kind: 'reset-password', person: person as PersonId });
  expect(await unsent()).toBe('account_locked');
  await rig.place.sql(`update people set erased = 1 where id = '${person}'`);
  await write({ kind: 'reset-password', person: person as PersonId });
  expect(await unsent()).toBe('account_deleted');
  await write({ kind: 'email-changed', person: person as PersonId, email });
  expect(await unsent()).toBe('account_deleted');
  await write({ kind: 'reset-password', person: null });
  expect(await unsent()).toBe('no_account');
  const org = await organization('Inviting');
  const invite = async (state: string, expires: number) => {
    const id = mintId('invitation', clock, random);
    await rig.place.sql(
      `insert into invitations (id, organization, email, role, state, created, expires)
       values ('${id}', '${org}', 'invited@example.com', 'viewer', '${state}', 1, ${expires})`,
    );
    await write({ kind: 'invitation', invitation: id });
    return id;
  };
  await invite('revoked', clock.now() + 1_000);
  expect(await unsent()).toBe('invitation_revoked');
  await invite('accepted', clock.now() + 1_000);
  expect(await unsent()).toBe('invitation_accepted');
  await invite('open', clock.now());
  expect(await unsent()).toBe('invitation_expired');
  expect(post.received).toEqual([]);
  const expires = clock.now() + 86_400_000;
  const open = await invite('open', expires);
  expect(await unsent()).toBeNull();
  expect(post.received).toMatchObject([{ to: ['invited@example.com'] }]);
  expect(readable(post.received[0]?.raw ?? '')).toContain('join the organization Inviting');
  expect(await links(open)).toMatchObject([{ purpose: 'invitation', expires: BigInt(expires) }]);
});

test('no name and no address adds a header or a recipient', async () => {
  const evil = 'Evil\r\nBcc: third@example.com\r\n\r\nbody';
  using transport = await openTransport(
    { smtp: post.smtp, from: 'Penstock <no-reply@penstock.example>' },
    log,
  );
  const mail = { id: 'job_1', subject: evil, text: `${evil}\n.\nQUIT\n`, link: null };
  await transport.send({ ...mail, to: 'one@example.com' });
  const [letter] = post.received;
  expect(letter?.to).toEqual(['one@example.com']);
  const [head = ''] = (letter?.raw ?? '').split('\r\n\r\n');
  expect(head).not.toMatch(/^bcc:/im);
  expect(head).toMatch(/^Message-ID: <job_1@127.0.0.1>$/m);
  post.received.length = 0;
  for (const to of [
    'one@example.com, two@example.com',
    'one@example.com\r\nBcc: two@example.com',
  ]) {
    await transport.send({ ...mail, to }).catch(() => undefined);
  }
  for (const { to, raw } of post.received) {
    expect(to).toHaveLength(1);
    expect(raw.split('\r\n\r\n')[0]).not.toMatch(/^bcc:/im);
  }
});

test('without SMTP a letter is a line in the log with its link, for the operator', async () => {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  await using logged = await openPost(rig, { clock, log: pino(sink), server: false });
  const { person, email } = await signIn(rig);
  await rig.store.call(enqueueJob, {
    kind: 'letter',
    subject: person,
    idempotencyKey: 'letter/logged',
    payload: { kind: 'reset-password', person },
    created: clock.now(),
  });
  await logged.work();
  const message = 'email was logged because SMTP is not configured';
  expect(lines.filter(({ msg }) => msg === message)).toMatchObject([
    {
      to: email,
      subject: 'Reset your password',
      link: expect.stringMatching(
        /^https:\/\/penstock\.example\/reset#token=penstock-link-\w{40}$/,
      ),
    },
  ]);
});
