/**
 * Runs `penstock admin` and `penstock ledger verify` as child processes against a real control
 * plane.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { closeMonth } from '../../router/control/invoices/monthly.ts';
import { insertTransfer } from '../../router/ledger/credit.ts';
import { monthBefore, startOfMonth } from '../../router/store/month.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { idsFrom, mintId } from '../../shared/ids.ts';
import { PICO_PER_USD } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { DialingAgent, idleEngine, newAgentKey } from '../router/control/dialing-agent.ts';
import { CARDS, payAt } from '../router/control/payments-rig.ts';
import { signIn } from '../router/control/people.ts';
import { startRig } from '../router/control/rig.ts';
import { rig, shareRig } from '../router/control/shared-rig.ts';
import { type Ran, run } from './run.ts';

shareRig();

const admin = (...args: string[]): Promise<Ran> =>
  run(['admin', '--url', rig.origin, ...args], {
    PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
  });

// `any`, because each test states the shape of the output that it expects.
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...args: string[]): Promise<any> {
  const { status, stdout, stderr } = await admin(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The cells of a line of a table. */
const cells = (line: string): string[] => line.split(/ {2,}/);

const organization = () => rig.first.organization.id;

describe('where answers are lost', () => {
  /** Forwards requests, and loses the first `losing` answers. */
  async function losingProxy(losing: number) {
    const keys: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      void passOn(request).then(({ status, body }) => {
        if (keys.length <= losing) return request.socket.destroy();
        return response.writeHead(status).end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      keys,
      url: `http://127.0.0.1:${port}`,
      [Symbol.asyncDispose]: async () => void server.close(),
    };
  }

  async function passOn(request: IncomingMessage) {
    const { method, url, headers } = request;
    const sent = Object.entries(headers).filter(([name]) => !['host', 'connection'].includes(name));
    const answer = await fetch(`${rig.origin}${url}`, {
      method: method ?? 'GET',
      headers: Object.fromEntries(sent) as Record<string, string>,
      body: await text(request),
    });
    return { status: answer.status, body: await answer.text() };
  }

  const adjust = (url: string, id: string, ...more: string[]) =>
    run(
      ['admin', 'credit', 'adjust', '--organization', id, '--amount', '7', '--reason', 'goodwill']
        .concat(['--url', url])
        .concat(more),
      { PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token },
    );

  async function balanceOf(id: string): Promise<string> {
    return (await json('credit', 'show', '--organization', id)).balance;
  }

  test('an adjustment is sent again by itself, and made once', async () => {
    const { id } = await json('organization', 'create', '--name', 'Lossy');
    await using proxy = await losingProxy(2);
    expect(await adjust(proxy.url, id)).toMatchObject({ status: 0, stderr: '' });
    expect(proxy.keys).toHaveLength(3);
    expect(new Set(proxy.keys).size).toBe(1);
    expect(await balanceOf(id)).toBe('12');
    await adjust(rig.origin, id);
    expect(await balanceOf(id)).toBe('19');
  });

  test('a command that never hears says with which key it may be run again', async () => {
    const { id } = await json('organization', 'create', '--name', 'Deaf');
    await using proxy = await losingProxy(5);
    const { status, stderr } = await adjust(proxy.url, id);
    expect(status).toBe(1);
    const key = /--idempotency-key ([0-9a-f]{32}) /.exec(stderr)?.[1] ?? '';
    expect(key).toBe(proxy.keys[0]);
    expect((await adjust(rig.origin, id, '--idempotency-key', key)).status).toBe(0);
    expect(await balanceOf(id)).toBe('12');
  });
});

describe('with --json', () => {
  test('organizations are created, shown and listed', async () => {
    const made = await json('organization', 'create', '--name', 'Lab', '--region', 'EU');
    expect(made).toMatchObject({ id: expect.stringMatching(/^org_/), name: 'Lab', region: 'eu' });
    expect(await json('organization', 'show', '--organization', made.id)).toEqual(made);
    expect(await json('organization', 'list')).toContainEqual(made);
    expect(await json('organization', 'create', '--name', 'Plain')).toMatchObject({
      region: 'global',
    });
  });

  test('organizations are suspended, resumed, moved, limited and invoiced', async () => {
    const made = await json('organization', 'create', '--name', 'Changing');
    const change = (verb: string, ...flags: string[]) =>
      json('organization', verb, '--organization', made.id, ...flags);
    expect(await change('suspend')).toEqual({ ...made, status: 'suspended' });
    expect(await change('resume')).toEqual(made);
    const moved = { ...made, region: 'us', base_url: null };
    expect(await change('region', '--region', 'US')).toEqual(moved);
    expect(await change('rename', '--name', 'New')).toEqual({ ...moved, name: 'New' });
    const some = ['--requests-per-minute', '60', '--tokens-per-minute', '5000'];
    const limits = { requests_per_minute: 60, tokens_per_minute: 5_000, concurrent_requests: null };
    expect(await change('limits', ...some)).toMatchObject({ limits });
    const other = ['--concurrent-requests=4', '--tokens-per-minute', 'default'];
    expect(await change('limits', ...other)).toMatchObject({
      limits: { requests_per_minute: 60, tokens_per_minute: null, concurrent_requests: 4 },
    });
    const billing = { type: 'invoiced', credit_limit: '100.5', payment_terms_days: 14 };
    const invoiced = ['--credit-limit', '100.5', '--terms-days', '14'];
    expect(await change('billing', ...invoiced)).toMatchObject({ billing });
    expect(await json('credit', 'show', '--organization', made.id)).toEqual({
      balance: '5',
      held: '0',
      credit_limit: '100.5',
      available: '105.5',
    });
    const prepaid = await change('billing', '--credit-limit', 'none');
    expect(prepaid).toMatchObject({ billing: { type: 'prepaid' } });
    expect(await json('organization', 'show', '--organization', made.id)).toEqual(prepaid);
  });

  test('invoices are listed, shown, sent again, paid and withdrawn', async () => {
    const { id } = await json('organization', 'create', '--name', 'Invoiced');
    const of = ['--organization', id];
    await json('organization', 'billing', ...of, '--credit-limit', '100');
    const { store } = rig;
    const parts = { store, clock, random, seller: null };
    const month = monthBefore(clock.now());
    for (const [closed, change] of [
      [month - 1n, -15n],
      [month, -30n],
    ] as const) {
      const spent = { organization: id, kind: 'adjustment', reference: '', reason: null } as const;
      await store.call(insertTransfer, {
        ...spent,
        id: mintId('transfer', clock, random),
        change: change * PICO_PER_USD,
        created: startOfMonth(closed),
      });
    }
    for (const closed of [month - 1n, month]) await closeMonth(parts, id, closed);
    const [newer, older] = await json('invoice', 'list', ...of);
    expect([older.amount_due, newer.amount_due]).toEqual(['10', '30']);
    expect(await json('invoice', 'show', ...of, '--invoice', older.id)).toMatchObject({
      ...older,
      lines: [{ kind: 'adjustment', amount: '15' }],
    });
    await signIn(rig, { role: 'org-admin', organization: id });
    const sent = await json('invoice', 'send', ...of, '--invoice', older.id);
    expect(sent).toMatchObject({ number: older.number, recipients: [expect.any(String)] });
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    const payment = ['--reference', 'bank', '--paid-on', today];
    const paid = await json('invoice', 'paid', ...of, '--invoice', older.id, ...payment);
    expect(paid).toMatchObject({ status: 'paid', reference: 'bank' });
    const gone = await json('invoice', 'void', ...of, '--invoice', newer.id, '--reason', 'wrong');
    expect(gone).toMatchObject({ status: 'void', reference: 'wrong' });
    const open = await json('invoice', 'list', '--status', 'open');
    expect(open).toEqual([]);
    expect(await json('invoice', 'next', ...of)).toMatchObject({
      brought_forward: '-30',
      amount_due: '30',
      lines: [],
    });
  });

  test('organizations are found, people invited into them, and the audit log says so', async () => {
    const { id } = await json('organization', 'create', '--name', 'Findable');
    expect(await json('organization', 'list', '--search', 'findab')).toMatchObject([{ id }]);
    const of = ['--organization', id];
    const invite = ['--email', 'ada@example.com', '--role', 'viewer'];
    const invited = await json('invitation', 'create', ...of, ...invite);
    expect(invited).toMatchObject({
      email: 'ada@example.com',
      url: expect.stringMatching(/#token=/),
    });
    const member = await signIn(rig, { organization: id, role: 'org-admin' });
    await signIn(rig, { organization: id, role: 'org-admin' });
    const one = [...of, '--member', member.member ?? ''];
    expect(await json('member', 'role', ...one, '--role', 'developer')).toMatchObject({
      email: member.email,
      role: 'developer',
    });
    expect(await json('member', 'list', ...of)).toHaveLength(2);
    expect(await json('member', 'caps', ...one, '--daily-cap', '5')).toEqual({
      id: member.member,
      monthly_cap: null,
      daily_cap: '5',
      spend: { today: '0', month: '0' },
    });
    expect(await json('member', 'remove', ...one)).toEqual({ id: member.member, left: true });
    const actions = async (...flags: string[]) =>
      (await json('audit', 'list', ...of, ...flags)).map(
        ({ action }: { action: string }) => action,
      );
    expect(await actions('--action', 'member')).toEqual(
      expect.arrayContaining(['member.change-role', 'member.remove']),
    );
    expect(await actions('--action', 'invitation.create')).toEqual(['invitation.create']);
    const both = await actions('--action', 'member', '--action', 'invitation.create');
    expect(new Set(both)).toEqual(
      new Set(['member.change-role', 'member.change-caps', 'member.remove', 'invitation.create']),
    );
    expect(await json('router', 'list')).toEqual([]);
  });

  test('the audit log is narrowed to one object', async () => {
    const { id } = await json('organization', 'create', '--name', 'Audited');
    const of = ['--organization', id];
    const key = await json('key', 'create', ...of, '--name', 'one');
    await json('key', 'create', ...of, '--name', 'two');
    const about = async (...flags: string[]) =>
      (await json('audit', 'list', ...flags)).map(
        ({ action, target }: { action: string; target: string }) => [action, target],
      );
    expect(await about('--target', key.id)).toEqual([['key.create', key.id]]);
    expect(await about(...of, '--action', 'key')).toHaveLength(2);
    expect(await about(...of, '--action', 'key', '--target', key.id)).toHaveLength(1);
    expect(await about(...of, '--except', 'key')).toEqual([['organization.create', id]]);
  });

  test('rates are set, listed and removed', async () => {
    const { id } = await json('organization', 'create', '--name', 'Rated');
    const of = ['--organization', id, '--model', 'qwen/qwen3:32b'];
    const price = ['--prompt', '0.000002', '--completion', '0.00001'];
    const rate = await json('rate', 'set', ...of, ...price, '--input-cache-read', '0');
    expect(rate).toEqual({
      model: 'qwen/qwen3:32b',
      prompt: '0.000002',
      completion: '0.00001',
      input_cache_read: '0',
      created: expect.any(String),
    });
    expect(await json('rate', 'list', '--organization', id)).toEqual([rate]);
    const removed = await json('rate', 'remove', ...of);
    expect(removed).toEqual({ model: 'qwen/qwen3:32b', deleted: true });
    expect(await json('rate', 'list', '--organization', id)).toEqual([]);
  });

  test('keys are limited, when they are made and later', async () => {
    const owner = ['--organization', organization()];
    const some = ['--requests-per-minute', '60', '--monthly-cap', '25', '--daily-cap', '2'];
    const made = await json('key', 'create', ...owner, '--name', 'capped', ...some);
    const limits = { requests_per_minute: 60, tokens_per_minute: null, concurrent_requests: null };
    expect(made).toMatchObject({ limits, monthly_cap: '25', daily_cap: '2' });
    const other = ['--concurrent-requests', '2', '--monthly-cap', 'none'];
    const { key: _shownOnce, ...shown } = made;
    expect(await json('key', 'limits', ...owner, '--key', made.id, ...other)).toEqual({
      ...shown,
      limits: { ...limits, concurrent_requests: 2 },
      monthly_cap: null,
    });
  });

  test('keys are given the models that they may call, when they are made and later', async () => {
    const owner = ['--organization', organization()];
    const create = ['key', 'create', ...owner, '--name', 'picky', '--models', 'lab/a', 'lab/b'];
    const made = await json(...create);
    expect(made).toMatchObject({ allowed_models: ['lab/a', 'lab/b'] });
    const change = (...flags: string[]) =>
      json('key', 'limits', ...owner, '--key', made.id, ...flags);
    expect(await change('--models', 'lab/b')).toMatchObject({ allowed_models: ['lab/b'] });
    expect(await change('--daily-cap', '2')).toMatchObject({ allowed_models: ['lab/b'] });
    expect(await change('--models', 'all')).toMatchObject({ allowed_models: null, daily_cap: '2' });
  });

  test('keys are created, listed, revoked and deleted', async () => {
    const owner = ['--organization', organization()];
    const made = await json('key', 'create', ...owner, '--name', 'batch job');
    expect(made).toMatchObject({
      id: expect.stringMatching(/^key_/),
      name: 'batch job',
      key: expect.stringMatching(/^sk-test-infapi-/),
    });
    expect(JSON.stringify(await json('key', 'list', ...owner))).not.toContain(made.key);
    const revoked = await json('key', 'revoke', ...owner, '--key', made.id);
    expect(revoked).toMatchObject({ id: made.id, state: 'revoked' });
    const deleted = await json('key', 'delete', ...owner, '--key', made.id);
    expect(deleted).toEqual({ id: made.id, deleted: true });
    const left = await json('key', 'list', ...owner);
    expect(left.map(({ id }: { id: string }) => id)).not.toContain(made.id);
  });

  test('a key is made with a date, and shows it', async () => {
    const owner = ['--organization', organization()];
    const expires = '2126-01-31T00:00:00Z';
    const made = await json('key', 'create', ...owner, '--name', 'dated', '--expires', expires);
    expect(made).toMatchObject({ state: 'active', expires: '2126-01-31T00:00:00.000Z' });
  });

  test('management tokens are created, listed and revoked', async () => {
    const owner = ['--organization', organization()];
    const wanted = ['--name', 'CI', '--role', 'developer', '--expires', '2126-01-31T00:00:00Z'];
    const { token, ...made } = await json('token', 'create', ...owner, ...wanted);
    expect(token).toMatch(/^penstock-mgmt-/);
    expect(made).toMatchObject({ name: 'CI', role: 'developer', state: 'active' });
    expect(await json('token', 'list', ...owner)).toEqual([made]);
    const revoked = await json('token', 'revoke', ...owner, '--token', made.id);
    expect(revoked).toEqual({ id: made.id, deleted: true });
    expect(await json('token', 'list', ...owner)).toEqual([]);
  });

  test('the models of an organization are listed with what it pays', async () => {
    const models = await json('model', 'list', '--organization', organization());
    const [first] = models;
    expect(first).toMatchObject({ billed: first.pricing, agreed: false, available: false });
  });

  test('credit is shown and adjusted, below zero too', async () => {
    const { id } = await json('organization', 'create', '--name', 'Credit');
    const owner = ['--organization', id];
    expect(await json('credit', 'show', ...owner)).toMatchObject({ balance: '5', held: '0' });
    const reason = ['--reason', 'a test'];
    const taken = await json('credit', 'adjust', ...owner, '--amount', '-2.5', ...reason);
    expect(taken).toMatchObject({ balance: '2.5', transfer: { amount: '-2.5' } });
    const added = await json('credit', 'adjust', ...owner, '--amount=0.000000000001', ...reason);
    expect(added.balance).toBe('2.500000000001');
  });

  test('people are found, and get a link that no letter brings', async () => {
    const { email } = rig.first.operator;
    const [found] = await json('person', 'list', '--search', 'OPERATOR@');
    expect(found).toMatchObject({ email, operator: true, second_factor: false });
    expect(await json('person', 'list', '--search', 'nobody')).toEqual([]);
    const of = ['--email', email, '--purpose', 'reset-password'];
    expect(await json('person', 'link', ...of)).toEqual({
      person: found.id,
      purpose: 'reset-password',
      url: expect.stringMatching(/\/reset#token=penstock-link-\w{40}$/),
      expires: expect.any(String),
    });
    const { stdout } = await admin('person', 'link', ...of);
    expect(stdout).toMatch(/^link +http:\/\/127\.0\.0\.1:\d+\/reset#token=/m);
    expect(stdout).toContain('shown only once');
  });

  test('the sessions of a person end, and the account is locked and unlocked', async () => {
    const { person, email } = await signIn(rig);
    const named = ['--person', person];
    expect(await json('person', 'end-sessions', ...named)).toEqual({ done: true });
    expect(await json('person', 'lock', ...named)).toMatchObject({
      id: person,
      locked_at: expect.stringMatching(/Z$/),
    });
    const refused = await admin('person', 'lock', ...named);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('This account is already locked.');
    const { stdout } = await admin('person', 'unlock', ...named);
    expect(stdout).toMatch(new RegExp(`^email +${email}$`, 'm'));
    expect(stdout).toMatch(/^locked +no$/m);
  });

  test('payments are listed, and paid back', async () => {
    const made = await json('organization', 'create', '--name', 'Payer');
    const owner = ['--organization', made.id];
    expect(await json('payment', 'list', ...owner)).toEqual([]);
    const path = `/api/v1/organizations/${made.id}/payments`;
    const begun = await rig.ask('POST', path, { amount: '20' });
    await payAt(begun.body.checkout_url, CARDS.good);
    const { id } = begun.body.payment;
    expect(await json('payment', 'list', ...owner)).toMatchObject([
      { id, state: 'succeeded', paid: '20', receipt: 'REC-000001' },
    ]);
    const refund = [...owner, '--payment', id, '--reason', 'a test'];
    const part = await json('payment', 'refund', ...refund, '--amount', '5');
    expect(part).toMatchObject({ refund: { amount: '5' }, payment: { refunded: '5' } });
    await json('payment', 'refund', ...refund);
    const { stdout } = await admin('payment', 'list', ...owner);
    expect(stdout).toContain('USD 20');
    expect((await admin('payment', 'refund', ...refund)).stderr).toContain('conflict');
  });

  test('agents are enrolled, listed and revoked; their workers listed and drained', async () => {
    const enrolled = await json('agent', 'enrol', '--name', 'gpu-1', '--region', 'global');
    using agent = await DialingAgent.dial(rig.origin, newAgentKey(), enrolled.join_token);
    const notes = ['it does not answer', 'a flag is missing'];
    agent.send({ type: 'load', workers: [{ ...idleEngine('engine a'), notes }] });
    const worker = { id: `${enrolled.id}/engine a`, phase: 'ready' };
    expect(await json('worker', 'list')).toMatchObject([worker]);
    const [heading, row] = (await admin('worker', 'list')).stdout.split('\n').map(cells);
    expect(row?.[heading?.indexOf('PREFIX HITS') ?? -1]).toBe('-');
    expect(row?.[heading?.indexOf('NOTES') ?? -1]).toBe(notes.join('; '));
    const drain = ['worker', 'drain', '--worker', worker.id];
    const drained = await json(...drain, '--reason', 'A fan.');
    expect(drained).toMatchObject({ id: worker.id, phase: 'draining' });
    expect(await json('agent', 'events', '--agent', enrolled.id)).toContainEqual(
      expect.objectContaining({ action: 'worker.drain', detail: 'A fan.' }),
    );
    const back = await json('worker', 'undrain', '--worker', worker.id);
    expect(back).toMatchObject({ id: worker.id, phase: 'joining' });
    expect(await json('agent', 'list')).toContainEqual(
      expect.objectContaining({ id: enrolled.id, state: 'enrolled', connected: true }),
    );
    const ofAgent = ['--agent', enrolled.id];
    const note = await json('agent', 'note', ...ofAgent, '--text', 'A fan is replaced.');
    expect(note).toMatchObject({ action: 'agent.note', detail: 'A fan is replaced.' });
    expect(await json('agent', 'drain', ...ofAgent)).toMatchObject({ id: enrolled.id });
    const reason = 'The power supply is replaced.';
    await json('agent', 'drain', ...ofAgent, '--reason', reason);
    expect(await json('agent', 'events', ...ofAgent)).toMatchObject([
      { action: 'agent.drain', detail: reason },
      { action: 'agent.drain', detail: null },
      note,
      { action: 'worker.undrain', worker: 'engine a' },
      { action: 'worker.drain', worker: 'engine a' },
      { action: 'agent.enrol', worker: null },
    ]);
    const revoked = await json('agent', 'revoke', '--agent', enrolled.id);
    expect(revoked).toMatchObject({ id: enrolled.id, state: 'revoked' });
    expect(await json('worker', 'list')).toEqual([]);
  });

  test("hosts' reports are rows by day, agent and model", async () => {
    const { id } = await json('agent', 'enrol', '--name', '=1+1, "gpu"');
    const { id: owner } = await json('organization', 'create', '--name', 'Served');
    await insertUsage(owner, 3, { agent: id, day: '2026-02-28' });
    const period = ['--agent', id, '--from', '2026-02-01', '--to', '2026-03-01'];
    const entry = {
      day: '2026-02-28',
      agent: id,
      agent_name: '=1+1, "gpu"',
      model: 'lab/model',
      requests: 3,
      errors: 0,
      prompt_tokens: 21,
      cached_tokens: 0,
      completion_tokens: 3,
      revenue: '0.000000000126',
    };
    expect(await json('agent', 'report', ...period)).toEqual([entry]);
    expect(await json('agent', 'report', ...period.slice(2))).toContainEqual(entry);
    const { stdout } = await admin('agent', 'report', ...period, '--csv');
    expect(stdout).toBe(
      `${Object.keys(entry).join(',')}\r\n` +
        `2026-02-28,${id},"'=1+1, ""gpu""",lab/model,3,0,21,0,3,0.000000000126\r\n`,
    );
  });

  test('usage is every request as one array, whatever the pages', async () => {
    const { id } = await json('organization', 'create', '--name', 'Usage');
    expect(await json('usage', 'list', '--organization', id)).toEqual([]);
    await insertUsage(id, 2_500);
    const usage = await json('usage', 'list', '--organization', id);
    expect(usage).toHaveLength(2_500);
    expect(usage[0]).toMatchObject({
      request_id: 'req_2500',
      prompt_tokens: 7,
      cost: '0.000000000042',
      status: 200,
    });
    expect(new Set(usage.map((entry: { request_id: string }) => entry.request_id)).size).toBe(
      2_500,
    );
  });

  test('a request is found by its id, or by that of its completion, without its organization', async () => {
    const { id } = await json('organization', 'create', '--name', 'One request');
    // The rows are numbered from 1.
    const prefix = mintId('request', clock, random).slice(0, -1);
    const request = `${prefix}1`;
    await insertUsage(id, 1, null, prefix);
    expect(await json('request', 'show', '--request', request)).toMatchObject({
      request_id: request,
      organization_id: id,
    });
    const completion = request.replace('req_', 'chatcmpl-');
    const { stdout } = await admin('request', 'show', '--request', completion);
    expect(stdout).toMatch(new RegExp(`^organization +${id}$`, 'm'));
    expect(stdout).toMatch(/^prompt tokens +7 /m);
  });

  test('a job that was given up is listed, and tried again', async () => {
    const id = `job_${'0'.repeat(26)}`;
    await rig.place.sql(
      `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at,
         last_error, created, ended)
       values ('${id}', 'letter', '${organization()}', 'letter/receipt/1', '{}', 'failed', 12, 1,
         'mail_refused EAUTH', 1, 1)`,
    );
    const last_error = 'The mail server did not accept the email: EAUTH';
    expect(await json('job', 'list', '--kind', 'letter')).toMatchObject([{ id, last_error }]);
    expect(await json('job', 'list', '--kind', 'refund')).toEqual([]);
    const { stdout } = await admin('job', 'list');
    expect(stdout).toMatch(/letter \(receipt\) +Default +failed +12/);
    expect(await json('job', 'retry', '--job', id)).toMatchObject({ id, state: 'waiting' });
    expect(await json('job', 'list', '--state', 'waiting', '--kind', 'letter')).toContainEqual(
      expect.objectContaining({ id, attempts: 0 }),
    );
  });

  test("an operator's token is revoked, and the list says so", async () => {
    const who = { email: 'ada@example.com', name: 'Ada' };
    const { id } = await json('operator', 'create', '--email', who.email, '--name', who.name);
    const person = ['--person', id];
    expect(await json('operator', 'revoke-token', ...person)).toEqual({ id, token: null });
    expect(await json('operator', 'list')).toContainEqual(
      expect.objectContaining({ ...who, token_created: null, last_seen: null }),
    );
    await json('operator', 'revoke', ...person);
  });
});

describe('for people', () => {
  test('lists are tables, one thing is a field a line', async () => {
    const { stdout } = await admin('organization', 'list');
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^ID +NAME +REGION +STATUS +BILLING +MEMBERS +CREATED$/);
    const column = (heading ?? '').indexOf('NAME');
    expect(rows.map((row) => row.slice(column)).join('\n')).toContain('Default');
    const shown = await admin('credit', 'show', '--organization', organization());
    expect(shown.stdout.split('\n')).toEqual([
      'balance       USD 5',
      'held          USD 0',
      'credit limit  USD 0',
      'available     USD 5',
      '',
    ]);
  });

  test('limits that nobody set are the default ones', async () => {
    const { id } = await json('organization', 'create', '--name', 'Shown');
    const of = ['--organization', id];
    await admin('organization', 'billing', ...of, '--credit-limit', '10');
    const { stdout } = await admin('organization', 'limits', ...of, '--requests-per-minute', '9');
    expect(stdout).toMatch(/^billing +invoiced$/m);
    expect(stdout).toMatch(/^credit limit +USD 10$/m);
    expect(stdout).toMatch(/^requests per minute +9$/m);
    expect(stdout).toMatch(/^concurrent requests +default$/m);
  });

  test('a new key comes with the advice to keep it', async () => {
    const owner = ['--organization', organization()];
    const { stdout } = await admin('key', 'create', ...owner, '--name', 'mine');
    expect(stdout).toMatch(/^key +sk-test-infapi-/m);
    expect(stdout).toContain('shown only once');
  });

  test('an empty list says so', async () => {
    const { stdout } = await admin('usage', 'list', '--organization', organization());
    expect(stdout).toBe('none\n');
  });
});

describe('fails', () => {
  test('with the message of the API and its request id', async () => {
    const nobody = `org_${'0'.repeat(26)}`;
    const { status, stdout, stderr } = await admin('credit', 'show', '--organization', nobody);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^penstock: There is no such organization\. \(not_found, request req_[0-9a-z]{26}\)\n$/,
    );
  });

  test('when credit would fall below the floor', async () => {
    const owner = ['--organization', organization()];
    const amount = ['--amount', '-5.01', '--reason', 'too much'];
    const { status, stderr } = await admin('credit', 'adjust', ...owner, ...amount);
    expect(status).toBe(1);
    expect(stderr).toContain('conflict');
  });

  test('when an organization that owes would have to prepay', async () => {
    const { id } = await json('organization', 'create', '--name', 'Owing');
    const of = ['--organization', id];
    await admin('organization', 'billing', ...of, '--credit-limit', '10');
    await admin('credit', 'adjust', ...of, '--amount', '-6', '--reason', 'spent');
    const { status, stderr } = await admin(
      'organization',
      'billing',
      ...of,
      '--credit-limit',
      'none',
    );
    expect(status).toBe(1);
    expect(stderr).toContain('conflict');
  });

  test('with a limit, a cap, a price or a model that is none', async () => {
    const of = ['--organization', organization()];
    const none = ['--concurrent-requests', '0', '--monthly-cap', '-1'];
    const limits = await admin('key', 'limits', ...of, '--key', 'key_000000000000', ...none);
    const price = ['--prompt', '2', '--completion', 'x', '--input-cache-read', '0'];
    const rate = await admin('rate', 'set', ...of, '--model', 'qwen', ...price);
    expect([limits.status, rate.status]).toEqual([2, 2]);
    for (const flag of ['--concurrent-requests', '--monthly-cap']) {
      expect(limits.stderr).toContain(flag);
    }
    for (const flag of ['--model', '--prompt', '--completion']) {
      expect(rate.stderr).toContain(flag);
    }
  });

  test('with an unknown token', async () => {
    const { status, stderr } = await run(['admin', 'agent', 'list', '--url', rig.origin], {
      PENSTOCK_OPERATOR_TOKEN: `penstock-op-${'a'.repeat(40)}`,
    });
    expect(status).toBe(1);
    expect(stderr).toContain('The token is invalid');
  });

  test('without a token, and says how to set it', async () => {
    const { status, stderr } = await run(['admin', 'agent', 'list']);
    expect(status).toBe(2);
    expect(stderr).toContain('export PENSTOCK_OPERATOR_TOKEN=');
  });

  test('with every fault of the flags at once', async () => {
    const { status, stderr } = await admin('credit', 'adjust', '--amount', '1.x', '--url', 'here');
    expect(status).toBe(2);
    for (const flag of ['--organization', '--amount', '--reason']) expect(stderr).toContain(flag);
  });

  test('when nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { status, stderr } = await run(
      ['admin', 'agent', 'list', '--url', `http://127.0.0.1:${port}`],
      {
        PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
      },
    );
    expect(status).toBe(1);
    expect(stderr).toBe(`penstock: cannot reach http://127.0.0.1:${port}: ECONNREFUSED\n`);
  });

  test('when something else answers', async () => {
    const server = createServer((_request, response) => response.end('<html>')).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { status, stderr } = await run(
      ['admin', 'agent', 'list', '--url', `http://127.0.0.1:${port}`],
      {
        PENSTOCK_OPERATOR_TOKEN: rig.first.operator.token,
      },
    );
    server.close();
    expect(status).toBe(1);
    expect(stderr).toContain('as the management API does');
  });
});

describe('ledger verify, beside the router', () => {
  test('prints what it looked at, and that nothing differs', async () => {
    await using own = await startRig();
    const store = own.place.url;
    const { status, stdout } = await run(['ledger', 'verify', '--store', store]);
    expect(status).toBe(0);
    expect(stdout).toContain('1 organizations');
    expect(stdout).toContain('no difference');
    const asJson = await run(['ledger', 'verify', '--store', store, '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      checked: { organizations: 1 },
      differences: [],
    });
  });

  test('names each difference, and fails', async () => {
    await using own = await startRig();
    await own.place.sql('update accounts set balance = balance + 1');
    const { status, stdout } = await run(['ledger', 'verify', '--store', own.place.url]);
    expect(status).toBe(1);
    expect(stdout).toContain(own.first.organization.id);
  });
});

/** Inserts rows directly into the database. How rows come about is tested with the ledger. */
async function insertUsage(
  owner: string,
  count: number,
  by: Readonly<{ agent: string; day: string }> | null = null,
  prefix = 'req_',
): Promise<void> {
  const created = by ? Date.parse(by.day) : 1_700_000_000_000;
  const ids = by ? `${idsFrom('request', created)}x` : prefix;
  const agent = by ? `'${by.agent}'` : 'null';
  await rig.place.sql(
    `insert into usage (request, organization, seq, key, source, completion_id, model, region, agent, price,
       prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens, duration_ms,
       status, cost, outcome, created)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
     select '${ids}' || i, '${owner}', i, 'key_1', 'api', 'chatcmpl', 'lab/model', 'global', ${agent}, 'prc_1',
       7, 0, 'reported', 1, 0, 5, 200, 42, 'settled', ${created} from n`,
  );
}
