/**
 * Deletion of organizations and people: nothing of them can be used or read any more, and the books
 * still balance.
 */
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../router/control/audit/record.ts';
import { openBackgroundJobs } from '../../../router/control/background-jobs.ts';
import { enqueueInvoices } from '../../../router/control/invoices/due.ts';
import { closeMonth } from '../../../router/control/invoices/monthly.ts';
import { openOwn } from '../../../router/control/organizations/procedures.ts';
import { changePerson } from '../../../router/control/people/procedures.ts';
import { beginTotp } from '../../../router/control/people/totp.ts';
import { PublicUrls } from '../../../router/control/public-urls.ts';
import { newOrganization } from '../../../router/identity/organizations.ts';
import { openLedger, type OpenLedger } from '../../../router/ledger/ledger.ts';
import { monthOf, startOfMonth } from '../../../router/store/month.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type PersonId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { type Signed, signIn } from './people.ts';
import { log, PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/organizations';
const PASSWORD = 'a long enough password';
let passwordHash: string;

let ledger: OpenLedger;
beforeAll(async () => {
  ledger = await openLedger(
    { store: rig.store, clock, random, log },
    { url: null, regions: ['global'] },
  );
  passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
});
afterAll(() => ledger[Symbol.asyncDispose]());

/** Runs the queued jobs. */
async function work(): Promise<void> {
  await using backgroundJobs = openBackgroundJobs({
    store: rig.store,
    clock,
    random,
    log,
    pepper: PEPPER,
    urls: new PublicUrls({ baseUrls: {}, listeners: [{ region: 'global' }] }),
    provider: null,
    seller: null,
    webhooks: { allowPrivateAddresses: false },
    incarnation: () => ledger.incarnation,
    nameOfModel: (id) => id,
  });
  await backgroundJobs.look();
  await backgroundJobs.idle();
}

async function issueLastInvoices(): Promise<void> {
  await rig.store.call(enqueueInvoices, { now: clock.now(), limit: 100 });
  await work();
}

async function organization(name: string) {
  const { id } = (await rig.ask('POST', PATH, { name })).body;
  const admin = await signed({ organization: id, role: 'org-admin' });
  return { id: id as string, path: `${PATH}/${id}`, admin };
}

/** A signed-in person with a password and a name of their own. */
async function signed(wanted: Parameters<typeof signIn>[1] = {}): Promise<Signed> {
  const person = await signIn(rig, wanted);
  await rig.place.sql(
    `update people set password_hash = '${passwordHash}', name = 'Name of ${person.person}'
     where id = '${person.person}'`,
  );
  return person;
}

function findKey(key: string) {
  return ledger.findKey(digestSecret(PEPPER, key));
}

/** Returns the rows of these tables as text. */
async function textOf(...tables: string[]): Promise<string> {
  const rows = await Promise.all(tables.map((table) => rig.place.sql(`select * from ${table}`)));
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

async function verify(): Promise<void> {
  expect((await rig.store.call(verifyLedger, null)).differences).toEqual([]);
}

test('a deleted organization is gone at once: its keys, tokens, people and invitations', async () => {
  const { id, path, admin } = await organization('Goner');
  const { key } = (await admin.ask('POST', `${path}/keys`, { name: 'secret project' })).body;
  const invited = await admin.ask('POST', `${path}/invitations`, { email: 'eve@example.com' });
  const viewer = await signed({ organization: id, role: 'viewer' });
  expect((await viewer.ask('DELETE', path, { name: 'Goner' })).status).toBe(403);
  const wrong = await admin.ask('DELETE', path, { name: 'Gone' });
  expect(wrong.status).toBe(409);
  expect(wrong.body.error.param).toBe('name');
  const before = await findKey(key);
  expect(before).toMatchObject({ active: true, suspended: false });

  expect((await admin.ask('DELETE', path, { name: 'Goner' })).body).toEqual({ id, deleted: true });
  const after = await findKey(key);
  // The next admission that uses cached data of the key is refused, and so is the key itself.
  expect(after).toMatchObject({ active: false, suspended: true });
  expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0n);
  for (const person of [admin, viewer]) {
    for (const part of ['', '/keys', '/credit', '/members', '/audit']) {
      expect((await person.ask('GET', path + part)).status).toBe(404);
    }
  }
  const stranger = await signed();
  const token = new URL(invited.body.url).hash.replace('#token=', '');
  const joined = await stranger.ask('POST', '/api/v1/invitations/accept', { token });
  expect(joined.status).toBe(404);
  expect((await admin.ask('DELETE', path, { name: '' })).status).toBe(404);
  await verify();
});

/** Makes the organization invoiced, and takes `taken` from its five dollars of welcome credit. */
async function invoicedFor(path: string, taken: string): Promise<void> {
  const billing = { type: 'invoiced', credit_limit: '100', payment_terms_days: 30 };
  expect((await rig.ask('PATCH', `${path}/terms`, { billing })).status).toBe(200);
  await adjust(path, `-${taken}`);
}

async function adjust(path: string, amount: string): Promise<void> {
  const made = await rig.ask('POST', `${path}/credit/adjustments`, { amount, reason: 'a test' });
  expect(made.status).toBe(201);
}

test('an organization that owes is not deleted, by its admin or by an operator, until it owes nothing', async () => {
  const { id, path, admin } = await organization('Debtor');
  await invoicedFor(path, '12.5');
  for (const who of [admin, rig]) {
    const refused = await who.ask('DELETE', path, { name: 'Debtor' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: 'conflict',
      message: 'The organization cannot be deleted: it owes USD 7.5, which must be paid first.',
    });
  }
  await adjust(path, '7.5');
  expect((await admin.ask('DELETE', path, { name: 'Debtor' })).status).toBe(200);
  // Its usage as an invoiced customer is on a last invoice, made out to its name.
  await work();
  await issueLastInvoices();
  const { data } = (await rig.ask('GET', `/api/v1/invoices`)).body;
  expect(data).toMatchObject([
    { organization: id, billed_to: 'Debtor', total: '5', amount_due: '0', status: 'paid' },
  ]);
  await verify();
});

const BUYER = { name: 'Debtor Ltd', address: '7 Lock Street\nCork', tax_id: 'IE7654321W' };

test('the last invoice of a deleted organization has its buyer, whose details are deleted then', async () => {
  const { id, path, admin } = await organization('Billed at last');
  expect((await admin.ask('PUT', `${path}/billing-details`, BUYER)).status).toBe(200);
  await invoicedFor(path, '4');
  expect((await admin.ask('DELETE', path, { name: 'Billed at last' })).status).toBe(200);
  // The erasure of its traces comes first, and leaves what the invoice needs.
  await work();
  expect(await textOf('billing_details')).toContain(BUYER.tax_id);
  await issueLastInvoices();
  const { data } = (await rig.ask('GET', `${path}/invoices`)).body;
  expect(data).toMatchObject([{ organization: id, billed_to: 'Billed at last', buyer: BUYER }]);
  expect(await textOf('billing_details', 'invoicing')).not.toMatch(/Billed at last|IE7654321W/);
  await verify();
});

test('an organization that prepays again and is deleted before its last invoice is its buyer', async () => {
  const { path, admin } = await organization('Soon gone');
  await admin.ask('PUT', `${path}/billing-details`, { ...BUYER, name: '' });
  await invoicedFor(path, '4');
  const prepaid = { billing: { type: 'prepaid' } };
  expect((await rig.ask('PATCH', `${path}/terms`, prepaid)).status).toBe(200);
  expect((await admin.ask('DELETE', path, { name: 'Soon gone' })).status).toBe(200);
  await issueLastInvoices();
  const { data } = (await rig.ask('GET', `${path}/invoices`)).body;
  const buyer = { ...BUYER, name: 'Soon gone' };
  expect(data).toMatchObject([{ billed_to: 'Soon gone', buyer }]);
  expect(await textOf('billing_details', 'invoicing')).not.toMatch(/Soon gone|IE7654321W/);
});

test('the billing details of an organization without a last invoice are deleted with it', async () => {
  const { path, admin } = await organization('Never billed');
  await admin.ask('PUT', `${path}/billing-details`, BUYER);
  expect((await admin.ask('DELETE', path, { name: 'Never billed' })).status).toBe(200);
  expect(await textOf('billing_details')).not.toContain(BUYER.tax_id);
});

test('an organization with an open invoice is not deleted', async () => {
  const { path, admin } = await organization('Billed');
  await invoicedFor(path, '6');
  const { id } = (await rig.ask('GET', path)).body;
  const month = monthOf(clock.now());
  const over = { ...clock, now: () => startOfMonth(month + 1n) };
  await closeMonth({ store: rig.store, clock: over, random, seller: null }, id, month);
  await adjust(path, '1');
  const refused = await admin.ask('DELETE', path, { name: 'Billed' });
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toMatch(
    /cannot be deleted: invoice INV-\d{6} is open, and must be paid or voided first\.$/,
  );
  const { data } = (await rig.ask('GET', `${path}/invoices`)).body;
  await rig.ask('POST', `${path}/invoices/${data[0].id}/void`, { reason: 'paid by card' });
  expect((await admin.ask('DELETE', path, { name: 'Billed' })).status).toBe(200);
});

test('who is alone in an organization that owes cannot end their account, and nothing of it happens', async () => {
  const { id, path, admin } = await organization('Alone and owing');
  await rig.place.sql(
    `update people set password_hash = '${passwordHash}' where id = '${admin.person}'`,
  );
  await invoicedFor(path, '6');
  const refused = await admin.ask('DELETE', '/api/v1/me', { password: PASSWORD });
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toBe(
    'Alone and owing would be deleted with your account, but cannot be deleted: it owes USD 1, which must be paid first.',
  );
  expect(refused.body.error.organizations).toMatchObject([{ id, reason: 'owing' }]);
  expect((await admin.ask('GET', path)).body).toMatchObject({ id, deleted: null });
  await adjust(path, '1');
  expect((await admin.ask('DELETE', '/api/v1/me', { password: PASSWORD })).status).toBe(200);
  await verify();
});

test('of a deleted organization operators read the books, and nobody changes anything', async () => {
  const { id, path, admin } = await organization('Closed');
  await admin.ask('DELETE', path, { name: 'Closed' });
  const shown = await rig.ask('GET', path);
  expect(shown.body).toMatchObject({ id, name: '', members: 0, deleted: expect.any(String) });
  expect((await rig.ask('GET', `${path}/credit`)).body.balance).toBe('5');
  expect((await rig.ask('GET', `${path}/transfers`)).body.data).toHaveLength(1);
  const listed = (await rig.ask('GET', `${PATH}?search=${id}`)).body.data;
  expect(listed).toEqual([{ ...shown.body, balance: '5', spend_30_days: '0', last_request: null }]);
  const changes: [method: string, at: string, body?: object][] = [
    ['PATCH', '', { name: 'Back' }],
    ['PATCH', '/terms', { status: 'active' }],
    ['POST', '/keys', { name: 'a' }],
    ['POST', '/invitations', { email: 'a@example.com' }],
    ['DELETE', '', { name: '' }],
  ];
  for (const [method, at, body] of changes) {
    expect((await rig.ask(method, path + at, body)).status, `${method} ${at}`).toBe(404);
  }
  // The remaining balance can be taken out of the books.
  const refund = { amount: '-5', reason: 'refunded by bank transfer' };
  expect((await rig.ask('POST', `${path}/credit/adjustments`, refund)).status).toBe(201);
  await verify();
});

/** More refusals than one slice erases. */
async function refuseSome(id: string): Promise<void> {
  const names = Array.from({ length: 600 }, (_, i) => `${id}_${i}`);
  const counts = names.map((name, i) => `('${id}', ${i}, 'key_a', 'rate_limited', '${name}', 1)`);
  const details = names.map(
    (name) =>
      `('req_${name}', '${id}', 'key_a', 'global', 'peculiar', 'm', 429, 'rate_limited', 1)`,
  );
  await rig.place.sql(
    `insert into refusal_counts (organization, minute, key, code, recorder, count)
     values ${counts.join(', ')}`,
    `insert into refusals (request, organization, key, region, model, message, status, code, created)
     values ${details.join(', ')}`,
  );
}

test('soon after, no name or address of it is in the store', async () => {
  const { id, path, admin } = await organization('Very Peculiar Name');
  const { key } = (await admin.ask('POST', `${path}/keys`, { name: 'Peculiar key' })).body;
  await admin.ask('POST', `${path}/invitations`, { email: 'peculiar@example.com' });
  await refuseSome(id);
  await admin.ask('PATCH', path, { name: 'Peculiar again' });
  await admin.ask('DELETE', path, { name: 'Peculiar again' });
  await work();
  const rows = await textOf(
    `organizations where id = '${id}'`,
    `keys where organization = '${id}'`,
    `invitations where organization = '${id}'`,
    `audit where organization = '${id}'`,
    `refusals where organization = '${id}'`,
    `refusal_counts where organization = '${id}'`,
    `jobs where state <> 'done'`,
  );
  expect(rows).toContain('organization.delete');
  expect(rows).not.toMatch(/peculiar/i);
  expect(rows).not.toContain('127.0.0.1');
  expect(rows).not.toContain(key);
  expect(rows).not.toContain('rate_limited');
  // The audit log still shows the deletion, and who made it.
  const lines = (await rig.ask('GET', `/api/v1/audit?organization=${id}`)).body.data;
  expect(lines.map(({ action }: { action: string }) => action)).toEqual([
    'organization.delete',
    'organization.change-settings',
    'invitation.create',
    'key.create',
    'organization.create',
  ]);
});

test('a management token deletes no organization', async () => {
  const { id, path } = await organization('Scripted');
  const token = `penstock-mgmt-${'t'.repeat(40)}`;
  await rig.place.sql(
    `insert into management_tokens (id, organization, digest, name, role, created)
     values ('mtk_${'0'.repeat(26)}', '${id}', '${digestSecret(PEPPER, token)}', 'ci', 'org-admin', 1)`,
  );
  const headers = { authorization: `Bearer ${token}` };
  expect((await rig.ask('GET', path, undefined, headers)).status).toBe(200);
  expect((await rig.ask('DELETE', path, { name: 'Scripted' }, headers)).status).toBe(403);
});

test('who ends their account is erased, and the organization where they were alone goes along', async () => {
  const shared = await organization('Shared');
  const person = await signed({ organization: shared.id, role: 'developer' });
  const own = (await person.ask('POST', PATH, { name: 'Own' })).body.id;
  const { key } = (await person.ask('POST', `${PATH}/${own}/keys`, { name: 'mine' })).body;
  expect((await person.ask('DELETE', '/api/v1/me', { password: 'wrong' })).status).toBe(403);

  // An email to them is being sent at that moment.
  await rig.place.sql(
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at, leased_by, created)
     values ('job_${person.person}', 'letter', '${person.person}', 'letter/${person.person}',
       '{"email":"${person.email}"}', 'running', 1, 1, '${ledger.incarnation}', 1),
      ('job_1${person.person}', 'incident-letter', '${person.person}',
       'incident-letter/${person.person}', '{"recipient":"${person.email}"}', 'done', 1, 1, null, 1)`,
  );
  const erased = await person.ask('DELETE', '/api/v1/me', { password: PASSWORD });
  expect(erased.status).toBe(200);
  expect(erased.body).toEqual({ id: person.person, erased: true });
  expect(erased.headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await person.ask('GET', shared.path)).status).toBe(401);
  expect(await findKey(key)).toMatchObject({ active: false, suspended: true });
  expect((await rig.ask('GET', `${PATH}/${own}`)).body.deleted).not.toBeNull();
  const members = (await shared.admin.ask('GET', `${shared.path}/members`)).body.data;
  expect(members).toHaveLength(1);
  await work();
  const text = await textOf(
    'people',
    'sessions',
    'audit',
    'members',
    'invitations',
    'links',
    `jobs where subject = '${person.person}'`,
  );
  expect(text).toContain(shared.admin.email);
  expect(text).not.toContain(person.email);
  expect(text).not.toContain(`Name of ${person.person}`);
  const lines = (await rig.ask('GET', `/api/v1/audit?actor=${person.person}`)).body.data;
  expect(lines.map(({ action }: { action: string }) => action).toSorted()).toEqual([
    'key.create',
    'organization.create',
    'organization.delete',
    'person.erase',
  ]);
  for (const { actor, address } of lines) {
    expect({ ...actor, address }).toMatchObject({ name: null, email: null, address: null });
  }
  await verify();
});

test('what was under way when an account ended makes nothing of theirs any more', async () => {
  const { person: id } = await signed();
  const person = id as PersonId;
  await rig.place.sql(`update people set name = '', erased = 1 where id = '${id}'`);
  const now = clock.now();
  const entry: AuditEntry = {
    id: mintId('audit', clock, random),
    organization: null,
    actor: { kind: 'person', id },
    action: 'person.change',
    target: id,
    details: {},
    address: '127.0.0.1',
    request: 'req_late',
    created: now,
  };
  const input = newOrganization({ clock, random }, { name: 'Late', region: 'global' });
  const member = mintId('member', clock, random);
  expect(await rig.store.call(openOwn, { organization: input, person, member })).toBe('erased');
  await rig.store.call(changePerson, { person, change: { name: 'Ada again' }, entry });
  await rig.store.call(beginTotp, { person, sealed: 'late', entry });
  expect(await rig.place.sql(`select name, totp_secret from people where id = '${id}'`)).toEqual([
    { name: '', totp_secret: null },
  ]);
  expect(await rig.place.sql(`select id from members where person = '${id}'`)).toEqual([]);
  expect(await rig.place.sql(`select id from audit where request = 'req_late'`)).toEqual([]);
});

test('the last org-admin of others stays until there is another one', async () => {
  const { id, admin } = await organization('Needs somebody');
  await signed({ organization: id, role: 'developer' });
  const refused = await admin.ask('DELETE', '/api/v1/me', { password: PASSWORD });
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('Needs somebody');
  expect((await admin.ask('GET', `${PATH}/${id}`)).status).toBe(200);
  await signed({ organization: id, role: 'org-admin' });
  expect((await admin.ask('DELETE', '/api/v1/me', { password: PASSWORD })).status).toBe(200);
});

test('the refusal lists every organization that stands in the way, and no other', async () => {
  const { id: others, admin } = await organization('With others');
  await signed({ organization: others, role: 'developer' });
  const alone = async (name: string) => (await admin.ask('POST', PATH, { name })).body.id as string;
  const owing = await alone('Owing');
  await alone('Owes nothing');
  await invoicedFor(`${PATH}/${owing}`, '6');
  const another = await organization('Somebody else leads');
  await rig.place.sql(
    `insert into members (id, organization, person, role, created)
     values ('${mintId('member', clock, random)}', '${another.id}', '${admin.person}', 'developer', 1)`,
  );
  const refused = await admin.ask('DELETE', '/api/v1/me', { password: PASSWORD });
  expect(refused.status).toBe(409);
  const { organizations, message } = refused.body.error;
  expect(organizations).toEqual([
    {
      id: others,
      name: 'With others',
      reason: 'last_admin',
      message:
        'You are the last administrator of With others: make another member an administrator, or delete it.',
    },
    {
      id: owing,
      name: 'Owing',
      reason: 'owing',
      message: expect.stringContaining('Owing would be deleted with your account'),
    },
  ]);
  expect(message).toBe(organizations.map((each: { message: string }) => each.message).join(' '));
  // A refusal that is about no organization has no list.
  const wrong = await admin.ask('DELETE', '/api/v1/me', { password: 'wrong' });
  expect(wrong.body.error).not.toHaveProperty('organizations');
});

test('of two org-admins who end their accounts at the same moment, one stays for the others', async () => {
  const { id, admin } = await organization('Two');
  const other = await signed({ organization: id, role: 'org-admin' });
  await signed({ organization: id, role: 'viewer' });
  const answers = await Promise.all(
    [admin, other].map((person) => person.ask('DELETE', '/api/v1/me', { password: PASSWORD })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('the last operator cannot end their account, and a password is not tried without end', async () => {
  const operators = await rig.place.sql(`select id from people where operator = 1`);
  expect(operators).toHaveLength(1);
  const { password } = rig.first.operator;
  expect((await rig.ask('DELETE', '/api/v1/me', { password })).status).toBe(409);
  const person = await signed();
  const attempt = () => person.ask('DELETE', '/api/v1/me', { password: 'guess' });
  for (let i = 0; i < 10; i++) expect((await attempt()).status).toBe(403);
  const blocked = await attempt();
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
});
