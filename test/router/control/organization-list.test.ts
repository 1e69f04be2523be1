/** The list of all organizations, for operators: its figures, its sorts and its pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OrganizationEntry, OrganizationPage } from '../../../shared/api/organizations.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Rig, startRig } from './rig.ts';

const DAY_MS = 24 * 60 * 60_000;
const START = Date.UTC(2026, 0, 31, 12);
const TODAY = START / DAY_MS - 0.5;
const PATH = '/api/v1/organizations';
/** In millions of pico-USD. */
const DOLLAR = 1_000_000n;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig(new ManualClock(START));
});
afterAll(() => rig[Symbol.asyncDispose]());

type Given = Readonly<{
  name: string;
  credit?: string;
  days?: readonly [number, string, bigint][] | undefined;
}>;

/** Opens an organization with 5 USD. `days`: how long ago, the kind, and millions of pico-USD. */
async function open({ name, credit, days = [] }: Given): Promise<string> {
  const { id } = (await rig.ask('POST', PATH, { name })).body;
  if (credit !== undefined) {
    const adjusted = await rig.ask('POST', `${PATH}/${id}/credit/adjustments`, {
      amount: credit,
      reason: 'test',
    });
    expect(adjusted.status).toBe(201);
  }
  for (const [ago, kind, high] of days) {
    await rig.place.sql(
      `insert into ledger_days (organization, day, kind, transfers, change_high, change_low,
         first_seq, last_seq)
       values ('${id}', ${TODAY - ago}, '${kind}', 1, ${high}, -250, 1, 1)`,
    );
  }
  return id;
}

/** Reads all pages of the list, `limit` at once. */
async function list(query: string, limit = 100): Promise<OrganizationEntry[]> {
  const rows: OrganizationEntry[] = [];
  for (let after = ''; ; ) {
    const { status, body } = await rig.ask('GET', `${PATH}?limit=${limit}&${query}${after}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const { data, next } = OrganizationPage.parse(body);
    rows.push(...data);
    if (next === null) return rows;
    after = `&after=${next}`;
  }
}

const names = (rows: readonly OrganizationEntry[]) => rows.map(({ name }) => name);

test('each organization has its balance, the spend of 30 days, and its last request', async () => {
  const id = await open({
    name: 'Listed figures',
    credit: '20',
    days: [
      [0, 'usage', -3n * DOLLAR],
      [1, 'reversal', 1n * DOLLAR],
      [29, 'usage', -2n * DOLLAR],
      [30, 'usage', -100n * DOLLAR],
      [2, 'payment', 50n * DOLLAR],
    ],
  });
  const [unused] = await list('search=listed figures');
  expect(unused).toMatchObject({ id, balance: '25', last_request: null, members: 0 });
  expect(unused?.spend_30_days).toBe('4.00000000075');

  // A charge that is not folded yet counts, too.
  await rig.place.sql(
    `insert into transfers (id, organization, seq, debit, credit, amount, kind, reference, created)
     values ('trf_x', '${id}', 3, 'customer:${id}', 'revenue', 1, 'usage', 'req_x', ${START})`,
  );
  await rig.place.sql(`update accounts set transfer_seq = 3 where id = '${id}'`);
  const [charged] = await list('search=listed figures');
  expect(charged?.spend_30_days).toBe('4.000000000751');

  const key = await rig.ask('POST', `${PATH}/${id}/keys`, { name: 'app' });
  expect(key.status).toBe(201);
  await rig.place.sql(`update keys set last_used = ${START - 60_000} where organization = '${id}'`);
  const [used] = await list('search=listed figures');
  expect(used?.last_request).toBe('2026-01-31T11:59:00.000Z');
});

test('it is sorted by balance, spend, last request or creation, either way, over pages of any size', async () => {
  const spend = (dollars: bigint): Given['days'] => [[3, 'usage', -dollars * DOLLAR]];
  await open({ name: 'Sorted a', credit: '1', days: spend(7n) });
  const b = await open({ name: 'Sorted b', credit: '9' });
  await open({ name: 'Sorted c', credit: '-4', days: spend(90n) });
  // The same balance and spend as the one before.
  await open({ name: 'Sorted d', credit: '-4', days: spend(90n) });
  const e = await open({ name: 'Sorted e', days: spend(1n) });
  for (const [id, ago] of [
    [b, 5_000],
    [e, 9_000],
  ] as const) {
    await rig.ask('POST', `${PATH}/${id}/keys`, { name: 'app' });
    await rig.place.sql(`update keys set last_used = ${START - ago} where organization = '${id}'`);
  }
  const of = async (query: string, limit?: number) =>
    names(await list(`search=sorted&${query}`, limit)).map((name) => name.at(-1));
  const byId = (await list('search=sorted')).map(({ name }) => name.at(-1) ?? '');
  const [first, second] = byId.filter((name) => name === 'c' || name === 'd');
  for (const limit of [1, 2, 100]) {
    expect(await of('sort=balance', limit)).toEqual(['b', 'a', 'e', first, second]);
    expect(await of('sort=balance&order=asc', limit)).toEqual([second, first, 'e', 'a', 'b']);
    expect(await of('sort=spend', limit)).toEqual([first, second, 'a', 'e', 'b']);
    expect(await of('sort=spend&order=asc', limit)).toEqual(['b', 'e', 'a', second, first]);
    expect((await of('sort=last_request', limit)).slice(0, 2)).toEqual(['b', 'e']);
    expect((await of('sort=last_request&order=asc', limit)).slice(3)).toEqual(['e', 'b']);
    expect(await of('order=asc', limit)).toEqual(byId.toReversed());
  }
});

test('an order by spend counts the charges that are not folded yet, as the spend that is shown does', async () => {
  const spend = (dollars: bigint): Given['days'] => [[3, 'usage', -dollars * DOLLAR]];
  await open({ name: 'Fresh a', days: spend(2n) });
  const b = await open({ name: 'Fresh b', days: spend(1n) });
  await rig.place.sql(
    `insert into transfers (id, organization, seq, debit, credit, amount, kind, reference, created)
     values ('trf_y', '${b}', 2, 'customer:${b}', 'revenue', ${5n * 1_000_000n * DOLLAR}, 'usage',
       'req_y', ${START})`,
  );
  await rig.place.sql(`update accounts set transfer_seq = 2 where id = '${b}'`);
  const figures = async () =>
    (await list('search=fresh&sort=spend', 1)).map((row) => [row.name.at(-1), row.spend_30_days]);
  expect(await figures()).toEqual([
    ['b', '6.00000000025'],
    ['a', '2.00000000025'],
  ]);
  // With too many of them, neither counts them.
  await rig.place.sql(`update accounts set transfer_seq = 60000 where id = '${b}'`);
  expect(await figures()).toEqual([
    ['a', '2.00000000025'],
    ['b', '1.00000000025'],
  ]);
});

test('it is filtered by status, balance, billing and region, in any order', async () => {
  const active = await open({ name: 'Kept a' });
  const suspended = await open({ name: 'Kept b' });
  const terms = { status: 'suspended' };
  expect((await rig.ask('PATCH', `${PATH}/${suspended}/terms`, terms)).status).toBe(200);
  const deleted = await open({ name: 'Kept c' });
  expect((await rig.ask('DELETE', `${PATH}/${deleted}`, { name: 'Kept c' })).status).toBe(200);
  const empty = await open({ name: 'Kept d', credit: '-5' });
  const billing = { type: 'invoiced', credit_limit: '10' };
  expect((await rig.ask('PATCH', `${PATH}/${empty}/terms`, { billing })).status).toBe(200);
  const { body } = await rig.ask('POST', PATH, { name: 'Kept e', region: 'eu' });
  const abroad: string = body.id;
  const of = async (query: string) => {
    const ids = [];
    for (const sort of ['created', 'balance', 'spend', 'last_request']) {
      const rows = await list(`${query}&sort=${sort}`, 2);
      ids.push(
        rows
          .map(({ id }) => id)
          .filter((id) => all.includes(id))
          .toSorted(),
      );
    }
    expect(new Set(ids.map(String)).size).toBe(1);
    return ids[0];
  };
  const all = [active, suspended, deleted, empty, abroad];
  expect(await of('status=active')).toEqual([active, empty, abroad].toSorted());
  expect(await of('status=suspended')).toEqual([suspended]);
  expect(await of('status=deleted')).toEqual([deleted]);
  expect(await of('credit=none')).toEqual([empty]);
  expect(await of('credit=left&search=kept')).toEqual([active, suspended, abroad].toSorted());
  expect(await of('billing=invoiced')).toEqual([empty]);
  expect(await of('region=EU')).toEqual([abroad]);
  expect(await of('status=active&credit=left&billing=prepaid&region=global')).toEqual([active]);
});

/** The operator's CSV of a list. */
async function csv(query: string) {
  const headers = { authorization: `Bearer ${rig.first.operator.token}` };
  const response = await fetch(`${rig.origin}${PATH}?format=csv&${query}`, { headers });
  const name = response.headers.get('content-disposition');
  return { name, lines: (await response.text()).split('\r\n') };
}

test('the CSV has all organizations that match, in whatever pages it is read', async () => {
  await open({ name: '+Download a', credit: '2' });
  await open({ name: '+Download b' });
  const { name, lines } = await csv('search=download&limit=1&sort=balance&order=asc');
  expect(name).toBe('attachment; filename="organizations.csv"');
  const [header, ...rows] = lines;
  const [rest, second, first] = rows.map((line) => line.slice(line.indexOf(','))).toSorted();
  expect(header).toBe(
    'id,name,status,region,billing,members,balance,spend_30_days,last_request,created',
  );
  expect(second).toContain(",'+Download a,active,global,prepaid,0,7,0,,2026-");
  expect(first).toContain(",'+Download b,active,global,prepaid,0,5,0,,2026-");
  expect(rest).toBe('');
});

test('a name is found in whatever case it is typed, also by letters beyond ASCII', async () => {
  await open({ name: 'Ärzte für 50%_Ölçü' });
  for (const search of ['Ärzte für', 'ärzte FÜR', 'ÄRZTE', '50%_ö', 'ÖLÇÜ']) {
    expect(names(await list(`search=${encodeURIComponent(search)}`)), search).toEqual([
      'Ärzte für 50%_Ölçü',
    ]);
  }
  for (const search of ['arzte', '50__ö', 'är_te']) {
    expect(names(await list(`search=${encodeURIComponent(search)}`)), search).toEqual([]);
  }
});

test.each([
  ['ΟΔΟΣ', ['ΟΔΟΣ', 'οδος', 'οδοσ', 'δος', 'ΔΟ']],
  ['οδός Ερμού', ['οδός Ερμού', 'ΟΔΌΣ', 'οδόσ ε']],
  ['İstanbul', ['İstanbul', 'istanbul', 'İSTANBUL', 'ISTANBUL']],
  ['Ärzte', ['Ärzte', 'ärzte', 'ÄRZTE']],
  ['GROẞ', ['GROẞ', 'groß']],
])('the name %s is found as it is stored, and in other cases of its letters', async (name, all) => {
  await open({ name });
  for (const search of all) {
    const found = names(await list(`search=${encodeURIComponent(search)}`));
    expect(found, search).toContain(name);
  }
});

test('pages by balance go on past balances of millions, owned or owed', async () => {
  await open({ name: 'Rich a', credit: '3500000' });
  await open({ name: 'Rich b', credit: '1000000' });
  const owing = await open({ name: 'Rich c' });
  await rig.place.sql(
    `update accounts set balance = ${-1_500_000n * 1_000_000n * DOLLAR} where id = '${owing}'`,
  );
  const of = async (query: string) =>
    names(await list(`search=rich&${query}`, 1)).map((name) => name.at(-1));
  expect(await of('sort=balance')).toEqual(['a', 'b', 'c']);
  expect(await of('sort=balance&order=asc')).toEqual(['c', 'b', 'a']);
});

const SOME_ID = `org_${'0'.repeat(26)}`;

test.each([`${2n ** 63n - 1n}`, `${-(2n ** 63n)}`])(
  'a cursor of the value %s is looked up: a column can hold it',
  async (value) => {
    const { status } = await rig.ask(
      'GET',
      `${PATH}?sort=balance&after=balance.desc.${value}_${SOME_ID}`,
    );
    expect(status).toBe(200);
  },
);

test.each([
  'sort=name',
  'status=gone',
  'credit=5',
  'region=mars',
  `search=${'x'.repeat(101)}`,
  'order=up',
  'after=1',
  'after=1_key_0',
  'sort=spend&sort=balance',
  `after=1_${SOME_ID}`,
  `sort=balance&after=balance.desc.${2n ** 63n}_${SOME_ID}`,
  `sort=balance&after=balance.desc.${-(2n ** 63n) - 1n}_${SOME_ID}`,
  `sort=balance&after=balance.desc.9999999999999999999_${SOME_ID}`,
])('the query %s is refused', async (query) => {
  expect((await rig.ask('GET', `${PATH}?${query}`)).status).toBe(400);
});

test.each([
  'sort=balance&after=spend.desc',
  'sort=balance&order=asc&after=balance.desc',
  'after=balance.desc',
  'format=csv&after=balance.desc',
])('a cursor of another sort or order is refused: %s', async (query) => {
  const { status, body } = await rig.ask('GET', `${PATH}?${query}.1_${SOME_ID}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    param: 'after',
    message: 'This cursor belongs to another sort or order of this list.',
  });
});
