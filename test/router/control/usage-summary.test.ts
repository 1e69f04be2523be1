import { afterAll, beforeAll, expect, test } from 'vitest';
import { spanOf } from '../../../router/control/usage/span.ts';
import { foldSlice } from '../../../router/usage/rollups/fold.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, type MemberId, parseApiKey } from '../../../shared/ids.ts';
import { formatUsd, parseUsd } from '../../../shared/money.ts';
import { UsageSummaryQuery } from '../../../shared/api/usage.ts';
import { signIn } from './people.ts';
import { openServing, type Serving } from './serving.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const DAY_MS = 86_400_000;

let serving: Serving;
let path: string;
/** A key whose name would be a formula in a spreadsheet. */
let batch: KeyId;
let member: MemberId;
beforeAll(async () => {
  path = `/api/v1/organizations/${rig.first.organization.id}`;
  serving = await openServing(rig);
  const { body } = await rig.ask('POST', `${path}/keys`, { name: '=1+1, "batch"' });
  batch = body.id;
  member = (await signIn(rig, { role: 'developer' })).member as MemberId;
  const now = clock.now();
  for (let n = 0; n < 30; n++) {
    const created = now - (n % 3) * DAY_MS;
    await serving.serve(n % 2 === 0 ? firstKey() : batch, {
      promptTokens: 100 + n,
      created,
      member,
    });
    if (n === 20) await foldSlice(rig.store, { organization: rig.first.organization.id, now });
  }
  await serving.serve(firstKey(), { status: 499, finishReason: null, source: 'playground' });
  await rig.ask('DELETE', `${path}/keys/${batch}`);
});
afterAll(() => serving[Symbol.asyncDispose]());

const firstKey = () => parseApiKey(rig.first.apiKey) as KeyId;
const summary = async (query: string) =>
  (await rig.ask('GET', `${path}/usage/summary?${query}`)).body;

async function csv(of: string): Promise<{ columns: string[]; rows: string[][]; headers: Headers }> {
  const response = await fetch(`${rig.origin}${path}${of}`, {
    headers: { authorization: `Bearer ${rig.first.operator.token}` },
  });
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\r\n').slice(0, -1);
  // Quoted fields of this test contain at most one comma.
  const fields = lines.map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field]) => field as string),
  );
  const [columns = [], ...rows] = fields.map((line) => line.slice(0, fields[0]?.length));
  return { columns, rows, headers: response.headers };
}

/** The exact sum of a column of amounts. */
function total(column: string, { columns, rows }: { columns: string[]; rows: string[][] }): string {
  const at = columns.indexOf(column);
  return formatUsd(rows.reduce((sum, row) => sum + (parseUsd(row[at] as string) ?? 0n), 0n));
}

async function charged(): Promise<string> {
  const [row] = (await rig.place.sql(
    `SELECT cast(sum(amount) AS int8) AS sum FROM transfers WHERE kind = 'usage'`,
  )) as { sum: bigint }[];
  return formatUsd(row?.sum ?? 0n);
}

test('a CSV has more groups than a page, as far as they fit', () => {
  const ask = (format: 'json' | 'csv', days: number) =>
    spanOf(
      UsageSummaryQuery.parse({
        bucket: 'day',
        group_by: 'key',
        format,
        start: new Date(clock.now() - days * DAY_MS).toISOString(),
      }),
      clock.now(),
    ).groups;
  expect([ask('json', 20), ask('csv', 20)]).toEqual([10, 50]);
  expect([ask('json', 364), ask('csv', 364)]).toEqual([7, 7]);
});

test('usage by day and key, deleted keys by name, the newest request included', async () => {
  const body = await summary('bucket=day&group_by=key');
  expect(body).toMatchObject({ bucket: 'day', group_by: 'key' });
  expect(body.totals).toMatchObject({ requests: 31, errors: 0, cancelled: 1 });
  expect(body.totals.cost).toBe(await charged());
  expect(body.groups.map((group: object) => group)).toMatchObject([
    { group: batch, name: '=1+1, "batch"', other: false, requests: 15 },
    { group: firstKey(), name: 'default', other: false, requests: 15 },
    { group: null, name: null, other: false, requests: 1 },
  ]);
  const requests = body.data.map((row: { requests: number }) => row.requests);
  expect(requests.reduce((a: number, b: number) => a + b)).toBe(31);
  const starts = body.data.map((row: { start: string }) => row.start);
  expect(starts).toEqual(starts.toSorted());
  expect(starts[0]).toMatch(/T00:00:00.000Z$/);
  await serving.serve(firstKey());
  expect((await summary('')).totals.requests).toBe(32);
});

test('usage is narrowed by each dimension and by status', async () => {
  const { totals } = await summary(`key=${batch}`);
  expect(totals.requests).toBe(15);
  expect((await summary(`member=${member}&key=${batch}`)).totals).toEqual(totals);
  expect((await summary('source=playground')).totals.requests).toBe(1);
  expect((await summary('status=4xx')).totals).toMatchObject({ requests: 1, cancelled: 1 });
  expect((await summary('status=canceled')).totals).toMatchObject({ requests: 1, cancelled: 1 });
  expect((await summary('status=failed')).totals.requests).toBe(0);
  expect((await summary('model=lab/none')).totals.requests).toBe(0);
  const { groups } = await summary(`group_by=member&key=${batch}`);
  expect(groups).toMatchObject([{ group: member, name: 'Somebody', requests: 15 }]);
  const few = await summary('group_by=key&groups=1');
  expect(few.groups).toMatchObject([
    { group: firstKey() },
    { group: null, other: true, name: null },
  ]);
});

test('a filter takes several values, and none that it does not know', async () => {
  const both = await summary(`key=${batch}&key=${firstKey()}`);
  const [one, other] = await Promise.all([batch, firstKey()].map((key) => summary(`key=${key}`)));
  expect(both.totals.requests).toBe(one.totals.requests + other.totals.requests);
  expect((await summary(`key=${batch}&key=${batch}`)).totals).toEqual(one.totals);
  const models = await summary('model=lab/none&model=lab/model&group_by=model');
  expect(models.groups).toMatchObject([{ group: 'lab/model' }]);
  expect((await summary('source=api&source=playground')).totals).toEqual(
    (await summary('')).totals,
  );
  expect((await summary('status=4xx&status=5xx')).totals).toMatchObject({ requests: 1 });
  const grouped = await summary(`key=${batch}&key=${firstKey()}&group_by=key&groups=1`);
  expect(grouped.groups).toMatchObject([{ other: false }, { group: null, other: true }]);
  expect(grouped.totals).toEqual(both.totals);
  const file = await csv(`/usage?format=csv&key=${batch}&key=${firstKey()}&source=api`);
  expect(file.rows).toHaveLength(both.totals.requests);
  const many = Array.from({ length: 21 }, (_, n) => `model=lab/${n}`).join('&');
  for (const query of [many, 'status=2xx&status=3xx', 'model=&model=lab/model']) {
    for (const list of ['usage', 'usage/summary']) {
      const { status, body } = await rig.ask('GET', `${path}/${list}?${query}`);
      expect([query, status, body.error.param]).toEqual([query, 400, query.split('=', 1)[0]]);
    }
  }
});

test('percentiles are of the answers, within five per cent', async () => {
  const { totals } = await summary('');
  expect(totals.ttft_ms).toEqual({ p50: 12, p90: 12, p99: 12 });
  for (const value of Object.values(totals.duration_ms) as number[]) {
    expect(Math.abs(value - 800)).toBeLessThanOrEqual(40);
  }
});

test('what one answer cannot have is refused, and says what can be asked', async () => {
  const now = clock.now();
  const ago = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const refusals = [
    [`bucket=hour&start=${ago(365)}`, 'bucket', '1500'],
    [`bucket=minute&start=${ago(20)}&end=${ago(19.9)}`, 'start', 'begins at 20'],
    [`bucket=day&start=${ago(364)}&group_by=key&groups=20`, 'groups', 'at most 7'],
    [`start=${ago(1)}&end=${ago(2)}`, 'start', 'not before end'],
    ['bucket=week', 'bucket', ''],
    ['start=yesterday', 'start', ''],
    ['colour=red', 'colour', ''],
  ] as const;
  for (const [query, param, says] of refusals) {
    const { status, body } = await rig.ask('GET', `${path}/usage/summary?${query}`);
    expect([query, status, body.error.param]).toEqual([query, 400, param]);
    expect(body.error.message).toContain(says);
  }
  const year = await rig.ask('GET', `${path}/usage/summary?start=${ago(364)}&group_by=key`);
  expect(year.status).toBe(200);
});

test('every role reads usage, and nobody from outside', async () => {
  for (const role of ['org-admin', 'billing-admin', 'developer', 'viewer'] as const) {
    const { ask } = await signIn(rig, { role });
    expect((await ask('GET', `${path}/usage/summary`)).status).toBe(200);
  }
  const outsider = await signIn(rig, {});
  expect((await outsider.ask('GET', `${path}/usage/summary`)).status).toBe(404);
  const nowhere = '/api/v1/organizations/org_00000000000000000000000000/usage/summary';
  expect((await rig.ask('GET', nowhere)).status).toBe(404);
});

test('as CSV the requests add up to what the ledger charged, and no name is a formula', async () => {
  const file = await csv('/usage?format=csv&limit=3');
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="usage.csv"');
  expect(file.rows.length).toBe((await summary('')).totals.requests);
  expect(total('cost', file)).toBe(await charged());
  const names = new Set(file.rows.map((row) => row[file.columns.indexOf('key_name')]));
  expect(names).toEqual(new Set(['default', `"'=1+1, ""batch"""`]));
});

test('as CSV the sums add up to what the ledger charged', async () => {
  const file = await csv(
    '/usage/summary?format=csv&group_by=key&bucket=hour&start=' +
      new Date(clock.now() - 4 * DAY_MS).toISOString(),
  );
  // The last hour is not over yet, but no day in the future is in the name.
  const days = [clock.now() - 4 * DAY_MS, clock.now()].map((at) =>
    new Date(at).toISOString().slice(0, 10),
  );
  expect(file.headers.get('content-disposition')).toBe(
    `attachment; filename="usage-summary-${rig.first.organization.id}-${days.join('-to-')}.csv"`,
  );
  expect(file.columns.slice(0, 4)).toEqual(['start', 'key', 'key_name', 'requests']);
  expect(total('cost', file)).toBe(await charged());
});

test('more requests than a page are one file', async () => {
  const { id } = rig.first.organization;
  const [last] = (await rig.place.sql(`SELECT usage_seq FROM accounts WHERE id = '${id}'`)) as {
    usage_seq: bigint;
  }[];
  const from = last?.usage_seq ?? 0n;
  // Only a few rows of many match, so that pages of filtered rows have gaps.
  await rig.place.sql(
    `INSERT INTO usage (request, organization, seq, key, member, source, completion_id, model, region,
       agent, worker, price, prompt_tokens, cached_tokens, cached_source, completion_tokens,
       reasoning_tokens, ttft_ms, duration_ms, finish_reason, status, error, cost, outcome, transfer, created)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
     SELECT 'req_many' || i, '${id}', ${from} + i, 'key_many', NULL, 'api', 'c' || i,
       CASE WHEN i % 9000 = 5 THEN 'lab/rare' ELSE 'lab/common' END, 'global', NULL, NULL,
       '${serving.price.id}', 1, 0, 'reported', 1, 0, NULL, 5, 'stop', 200, NULL, 0, 'settled', NULL,
       ${clock.now()} FROM n`,
    `UPDATE accounts SET usage_seq = usage_seq + 25000 WHERE id = '${id}'`,
  );
  expect((await csv('/usage?format=csv&model=lab/common')).rows).toHaveLength(24_997);
  expect(
    (await csv('/usage?format=csv&model=lab/rare')).rows.map(([, request]) => request),
  ).toEqual(['req_many18005', 'req_many9005', 'req_many5']);
  const { body } = await rig.ask('GET', `${path}/usage?model=lab/rare&limit=10`);
  expect(body).toMatchObject({ has_more: true, data: [{ request_id: 'req_many18005' }] });
  const none = await rig.ask('GET', `${path}/usage?model=lab/none`);
  expect(none.body).toEqual({ data: [], has_more: false, next: null });
});
