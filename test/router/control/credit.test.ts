import { expect, test } from 'vitest';
import { insertTransfer } from '../../../router/ledger/credit.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { signIn } from './people.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const DAY_MS = 24 * 60 * 60 * 1000;

async function organization(): Promise<string> {
  const { body } = await rig.ask('POST', '/api/v1/organizations', { name: 'Lab' });
  return `/api/v1/organizations/${body.id}`;
}

const adjust = (path: string, amount: unknown, reason: unknown = 'a test') =>
  rig.ask('POST', `${path}/credit/adjustments`, { amount, reason });

test('an adjustment adds credit, or takes it, to the last pico-USD', async () => {
  const path = await organization();
  const up = await adjust(path, '0.000000000001', 'a present');
  expect(up.status).toBe(201);
  expect(up.body).toEqual({
    balance: '5.000000000001',
    held: '0',
    credit_limit: '0',
    available: '5.000000000001',
    transfer: {
      id: expect.stringMatching(/^trf_/),
      seq: 2,
      kind: 'adjustment',
      amount: '0.000000000001',
      // The id of the operator who made the adjustment.
      reference: expect.stringMatching(/^per_/),
      reason: 'a present',
      created: expect.any(String),
    },
  });
  const down = await adjust(path, '-2.500000000001');
  expect(down.body).toMatchObject({ balance: '2.5', transfer: { amount: '-2.500000000001' } });
  expect((await rig.ask('GET', `${path}/credit`)).body).toMatchObject({
    balance: '2.5',
    held: '0',
    credit_limit: '0',
    available: '2.5',
  });
});

test('MONEY 4: an invoiced organization has its credit limit available beside its balance', async () => {
  const path = await organization();
  const billing = { type: 'invoiced', credit_limit: '100' };
  expect((await rig.ask('PATCH', `${path}/terms`, { billing })).status).toBe(200);
  expect((await adjust(path, '-105.5')).status).toBe(409);
  expect((await adjust(path, '-104.5')).body).toMatchObject({
    balance: '-99.5',
    credit_limit: '100',
    available: '0.5',
  });
});

test('an adjustment below the floor is a conflict, and changes nothing', async () => {
  const path = await organization();
  const answer = await adjust(path, '-5.000000000001');
  expect(answer.status).toBe(409);
  expect(answer.body.error).toMatchObject({ code: 'conflict', param: 'amount' });
  expect((await rig.ask('GET', `${path}/credit`)).body.balance).toBe('5');
  expect((await adjust(path, '-5')).body.balance).toBe('0');
});

test('a balance above the bound of 64 bits is a conflict', async () => {
  const path = await organization();
  expect((await adjust(path, '3999995')).body.balance).toBe('4000000');
  expect((await adjust(path, '0.01')).status).toBe(409);
  // Amounts that pass the limit on digits but would overflow 64 bits.
  expect((await adjust(path, '9999999')).status).toBe(409);
  expect((await adjust(path, '-9999999')).status).toBe(409);
});

test.each([
  ['0'],
  ['-0.00'],
  ['1e3'],
  ['1.0000000000001'],
  ['12345678'],
  ['five'],
  [''],
  [5],
  [null],
])('an amount of %j is refused', async (amount) => {
  const path = `/api/v1/organizations/${rig.first.organization.id}`;
  const { status, body } = await adjust(path, amount);
  expect(status).toBe(400);
  expect(body.error.param).toBe('amount');
});

test('an adjustment needs a reason', async () => {
  const path = `/api/v1/organizations/${rig.first.organization.id}`;
  const { status, body } = await rig.ask('POST', `${path}/credit/adjustments`, { amount: '1' });
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'missing_field', param: 'reason' });
});

test('260 transfers are listed newest first, without a gap, over pages', async () => {
  const path = await organization();
  for (let i = 0; i < 260; i++) expect((await adjust(path, '0.01')).status).toBe(201);
  const seen: number[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${after}`;
    const { body } = await rig.ask('GET', `${path}/transfers?limit=100${query}`);
    seen.push(...body.data.map(({ seq }: { seq: number }) => seq));
    after = body.next;
  }
  expect(seen).toEqual(Array.from({ length: 261 }, (_, i) => 261 - i));
  expect((await rig.ask('GET', `${path}/transfers?after=org_1`)).status).toBe(400);
});

test('transfers are listed by cause, so that payments do not drown in usage', async () => {
  const path = await organization();
  await adjust(path, '1', 'a present');
  const list = async (query: string) => {
    const { status, body } = await rig.ask('GET', `${path}/transfers${query}`);
    expect(status).toBe(200);
    return [body.data.map(({ kind }: { kind: string }) => kind), body.has_more];
  };
  expect(await list('')).toEqual([['adjustment', 'welcome'], false]);
  expect(await list('?cause=other')).toEqual([['adjustment', 'welcome'], false]);
  expect(await list('?cause=other&limit=1')).toEqual([['adjustment'], true]);
  expect(await list('?cause=other&after=2')).toEqual([['welcome'], false]);
  expect(await list('?cause=usage')).toEqual([[], false]);
  expect((await rig.ask('GET', `${path}/transfers?cause=all`)).body.error).toMatchObject({
    param: 'cause',
    message: 'cause must be usage or other.',
  });
});

test('transfers tell who made them, why, and the balance after each; customers do not see which operator', async () => {
  const path = await organization();
  await adjust(path, '2.5', 'for the trouble');
  await adjust(path, '-1', 'a mistake');
  const operator = { kind: 'operator', id: expect.stringMatching(/^per_/), name: 'Operator' };
  const seen = async (visitor: Pick<typeof rig, 'ask'>) =>
    (await visitor.ask('GET', `${path}/transfers`)).body.data;
  const rows = await seen(rig);
  expect(rows).toMatchObject([
    { amount: '-1', reason: 'a mistake', actor: operator, balance_after: '6.5' },
    { amount: '2.5', reason: 'for the trouble', actor: operator, balance_after: '7.5' },
    { kind: 'welcome', reason: null, actor: { kind: 'system', id: null }, balance_after: '5' },
  ]);
  for (const row of rows) expect(row).toMatchObject({ document: null, day_closing: '6.5' });
  const id = path.split('/').at(-1) as OrganizationId;
  const viewer = await signIn(rig, { role: 'viewer', organization: id });
  expect((await seen(viewer)).map(({ actor }: { actor: unknown }) => actor)).toEqual([
    { kind: 'operator', id: null, name: null },
    { kind: 'operator', id: null, name: null },
    { kind: 'system', id: null, name: null },
  ]);
});

test('transfers are listed by kind, as JSON and as CSV', async () => {
  const path = await organization();
  await adjust(path, '2.5', '=cmd()');
  const list = (query: string) => rig.ask('GET', `${path}/transfers?${query}`);
  const kinds = async (query: string) =>
    (await list(query)).body.data.map(({ kind }: { kind: string }) => kind);
  expect(await kinds('kind=welcome')).toEqual(['welcome']);
  expect(await kinds('kind=welcome&kind=adjustment&kind=payment')).toEqual([
    'adjustment',
    'welcome',
  ]);
  expect(await kinds('kind=usage')).toEqual([]);
  expect((await list('kind=loan')).status).toBe(400);
  expect((await list('format=xml')).status).toBe(400);

  const authorization = `Bearer ${rig.first.operator.token}`;
  const address = `${rig.origin}${path}/transfers?format=csv&limit=1&kind=adjustment&kind=welcome`;
  const csv = await fetch(address, { headers: { authorization } });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="transfers.csv"');
  const [head, ...records] = (await csv.text()).trimEnd().split('\r\n');
  expect(head).toBe(
    'created,kind,amount,balance_after,day_closing,reason,actor_kind,actor_id,actor_name,document,reference,seq,id',
  );
  expect(records.map((record) => record.split(',').slice(1, 7))).toEqual([
    // A spreadsheet must not take the reason for a formula.
    ['adjustment', '2.5', '7.5', '7.5', "'=cmd()", 'operator'],
    ['welcome', '5', '5', '7.5', '', 'system'],
  ]);
  const stranger = await signIn(rig, { role: 'org-admin' });
  expect((await stranger.ask('GET', `${path}/transfers?format=csv`)).status).toBe(404);
});

test('the ledger by day runs from balance to balance, as JSON and as CSV', async () => {
  const path = await organization();
  await adjust(path, '-1.5', 'a correction');
  const { body } = await rig.ask('GET', `${path}/ledger`);
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(body).toEqual({
    data: [
      {
        day,
        opening: '0',
        payments: '0',
        credits: '3.5',
        refunds: '0',
        usage: '0',
        closing: '3.5',
        transfers: 2,
        charges: 0,
      },
    ],
    has_more: false,
    next: null,
  });
  expect((await rig.ask('GET', `${path}/credit`)).body.balance).toBe(body.data[0].closing);

  const today = body.data[0].day;
  const entries = (query: string) => rig.ask('GET', `${path}/transfers?day=${query}`);
  expect((await entries(today)).body.data).toHaveLength(2);
  expect((await entries(`${today}&cause=usage`)).body.data).toEqual([]);
  expect((await entries('2020-02-29')).body).toEqual({ data: [], has_more: false, next: null });

  const authorization = `Bearer ${rig.first.operator.token}`;
  const csv = await fetch(`${rig.origin}${path}/ledger?format=csv`, { headers: { authorization } });
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"');
  expect(await csv.text()).toBe(
    'day,opening,payments,credits,refunds,usage,closing,transfers,charges\r\n' +
      `${today},0,0,3.5,0,0,3.5,2,0\r\n`,
  );
  const none = await rig.ask('GET', `${path}/ledger?end=${today}`);
  expect(none.body.data).toEqual([]);
});

test('a ledger of more days than a page may have has a second page, and its CSV has every day', async () => {
  const path = await organization();
  const organizationId = path.split('/').at(-1) as OrganizationId;
  const today = Math.floor(clock.now() / DAY_MS);
  const earlier = Array.from({ length: 367 }, (_, n) => today - 367 + n);
  for (const day of earlier) {
    const id = mintId('transfer', clock, random);
    const about = { id, organization: organizationId, reference: 'a test', reason: null };
    const moved = { kind: 'adjustment', change: 1n, created: day * DAY_MS } as const;
    expect(await rig.store.call(insertTransfer, { ...about, ...moved })).toHaveProperty('transfer');
  }
  const date = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);
  const expected = [today, ...earlier.toReversed()].map(date);

  const first = (await rig.ask('GET', `${path}/ledger?limit=366`)).body;
  expect(first).toMatchObject({ has_more: true, next: expected[365] });
  const rest = (await rig.ask('GET', `${path}/ledger?limit=366&after=${first.next}`)).body;
  expect(rest).toMatchObject({ has_more: false, next: null });
  const all = [...first.data, ...rest.data];
  expect(all.map(({ day }) => day)).toEqual(expected);
  for (const [at, { closing }] of all.slice(1).entries()) expect(closing).toBe(all[at].opening);
  expect(all.at(-1).opening).toBe('0');

  const authorization = `Bearer ${rig.first.operator.token}`;
  const csv = await fetch(`${rig.origin}${path}/ledger?format=csv`, { headers: { authorization } });
  const [, ...records] = (await csv.text()).trimEnd().split('\r\n');
  expect(records).toEqual(all.map((day) => Object.values(day).join(',')));
});

test.each(['start=2026-02-30', 'after=5', 'limit=367', 'end=now', 'day=2026-01-01'])(
  'a ledger by day with %s is refused',
  async (query) => {
    const path = `/api/v1/organizations/${rig.first.organization.id}`;
    expect((await rig.ask('GET', `${path}/ledger?${query}`)).status).toBe(400);
  },
);
