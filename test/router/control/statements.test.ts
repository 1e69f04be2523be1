/** The statement of a month, by model: its total is what the ledger charged in the month. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldLedgerSlice } from '../../../router/usage/ledger-days/fold.ts';
import { foldSlice } from '../../../router/usage/rollups/fold.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, type OrganizationId, parseApiKey } from '../../../shared/ids.ts';
import { formatUsd, inPico, parseUsd } from '../../../shared/money.ts';
import { signIn } from './people.ts';
import { openServing, type Serving } from './serving.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const COST = 28_864n;

let serving: Serving;
let organization: OrganizationId;
let path: string;
let key: KeyId;
beforeAll(async () => {
  organization = rig.first.organization.id;
  path = `/api/v1/organizations/${organization}`;
  key = parseApiKey(rig.first.apiKey) as KeyId;
  serving = await openServing(rig);
});
afterAll(() => serving[Symbol.asyncDispose]());

/** This month in UTC and the one before, such as `2026-11`. */
const thisMonth = () => new Date(clock.now()).toISOString().slice(0, 7);
const lastMonth = () => new Date(Date.parse(`${thisMonth()}-01`) - 1).toISOString().slice(0, 7);

async function statement(month: string) {
  const { status, body } = await rig.ask('GET', `${path}/statements/${month}`);
  expect(status).toBe(200);
  return body;
}

/** What the transfers of a month took, added up one by one. */
async function charged(month: string): Promise<string> {
  const rows = (await rig.place.sql(
    `select amount, kind, created from transfers
     where organization = '${organization}' and kind in ('usage', 'reversal')`,
  )) as { amount: bigint; kind: string; created: bigint }[];
  const within = rows.filter(({ created }) => {
    return new Date(Number(created)).toISOString().startsWith(month);
  });
  return formatUsd(
    within.reduce((sum, { amount, kind }) => sum + (kind === 'usage' ? amount : -amount), 0n),
  );
}

test('an organization without requests has an empty statement', async () => {
  const month = thisMonth();
  const start = `${month}-01T00:00:00.000Z`;
  expect(await statement(month)).toMatchObject({
    month,
    start,
    is_over: false,
    requests: 0,
    total: '0',
    other_months: '0',
    models: [],
  });
  const december = await statement('2025-12');
  expect(december).toMatchObject({ end: '2026-01-01T00:00:00.000Z', is_over: true });
});

test('the total is what the ledger charged, whatever is folded', async () => {
  for (let n = 0; n < 4; n++) await serving.serve(key, { model: n === 0 ? 'lab/a' : 'lab/b' });
  const check = async () => {
    const body = await statement(thisMonth());
    expect(body.models).toEqual([
      {
        model: 'lab/b',
        requests: 3,
        prompt_tokens: 300,
        cached_tokens: 192,
        completion_tokens: 60,
        reasoning_tokens: 15,
        cost: formatUsd(3n * COST),
      },
      expect.objectContaining({ model: 'lab/a', requests: 1, cost: formatUsd(COST) }),
    ]);
    expect(body).toMatchObject({ requests: 4, prompt_tokens: 400, other_months: '0' });
    expect(body.total).toBe(formatUsd(4n * COST));
    expect(body.total).toBe(await charged(thisMonth()));
  };
  await check();
  await foldLedgerSlice(rig.store, { organization });
  await check();
  await foldSlice(rig.store, { organization, now: clock.now() });
  await check();
});

test('a charge that is given back in its month is in none of the sums', async () => {
  const usage = await serving.serve(key, { model: 'lab/a' });
  const cut = { ...usage, finishReason: null, status: 503, error: 'store_unavailable' };
  await serving.ledger.void(cut);
  const body = await statement(thisMonth());
  expect(body).toMatchObject({
    requests: 5,
    prompt_tokens: 400,
    other_months: '0',
    total: formatUsd(4n * COST),
  });
  expect(body.total).toBe(await charged(thisMonth()));
});

test('a request that was charged in another month than it arrived in is told apart', async () => {
  await serving.serve(key, {
    model: 'lab/a',
    created: Date.parse(`${thisMonth()}-01`) - 1_000,
    durationMs: 2_000,
  });
  const now = await statement(thisMonth());
  expect(now).toMatchObject({ requests: 5, other_months: formatUsd(COST) });
  expect(now.total).toBe(await charged(thisMonth()));
  const before = await statement(lastMonth());
  expect(before).toMatchObject({ requests: 1, total: '0', other_months: formatUsd(-COST) });
  expect(before.models).toMatchObject([{ model: 'lab/a', cost: formatUsd(COST) }]);
});

test('the balance at the start and what changed it add up to the balance at the end', async () => {
  const credit = async () => {
    const { body } = await rig.ask('GET', `${path}/credit`);
    return inPico(String(body['balance']));
  };
  const before = await statement(thisMonth());
  await rig.ask('POST', `${path}/credit/adjustments`, {
    amount: '2.5',
    reason: 'a test of statements',
  });
  const now = await statement(thisMonth());
  const usd = (name: string) => inPico(String(now[name]));
  expect(usd('credits')).toBe(inPico(String(before['credits'])) + inPico('2.5'));
  expect(usd('opening') + usd('payments') + usd('credits') + usd('refunds') - usd('total')).toBe(
    usd('closing'),
  );
  expect(usd('closing')).toBe(await credit());
  expect(await statement(lastMonth())).toMatchObject({
    opening: now.opening,
    closing: now.opening,
    credits: '0',
  });
});

async function printed(format: string): Promise<Response> {
  return await fetch(`${rig.origin}${path}/statements/${thisMonth()}?format=${format}`, {
    headers: { authorization: `Bearer ${rig.first.operator.token}` },
  });
}

test('a statement is a page to print and a PDF, with the billing details and the balance', async () => {
  const details = { name: 'Lab & Sons', address: '1 Way\nTown', tax_id: 'XX1' };
  await rig.ask('PUT', `${path}/billing-details`, details);
  const page = await printed('html');
  expect(page.headers.get('content-type')).toContain('text/html');
  const text = await page.text();
  const { closing } = await statement(thisMonth());
  for (const shown of [
    'Statement for ',
    'Lab &amp; Sons',
    'lab/b',
    'Balance at the start of the month',
    'Balance now',
    String(closing),
    'This is not an invoice.',
  ]) {
    expect(text).toContain(shown);
  }
  const file = await printed('pdf');
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.headers.get('content-disposition')).toBe(
    `inline; filename="statement-${thisMonth()}.pdf"`,
  );
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test('the lines of the file add up to the total', async () => {
  const response = await printed('csv');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="statement-${thisMonth()}.csv"`,
  );
  const [head, ...lines] = (await response.text()).trim().split('\r\n');
  expect(head).toBe(
    'model,requests,prompt_tokens,cached_tokens,completion_tokens,reasoning_tokens,cost',
  );
  expect(lines.map((line) => line.split(',')[0])).toEqual(['lab/b', 'lab/a', '(other months)']);
  const sum = lines.reduce((all, line) => all + (parseUsd(line.split(',')[6] ?? '') ?? 0n), 0n);
  expect(formatUsd(sum)).toBe(await charged(thisMonth()));
});

test('every role reads statements of its organization, and nobody else; a month is a month', async () => {
  for (const role of ['org-admin', 'billing-admin', 'developer', 'viewer'] as const) {
    const { ask } = await signIn(rig, { role });
    expect((await ask('GET', `${path}/statements/${thisMonth()}`)).status).toBe(200);
  }
  const outsider = await signIn(rig, {});
  expect((await outsider.ask('GET', `${path}/statements/${thisMonth()}`)).status).toBe(404);
  for (const month of ['2026-13', '2026-1', '1999-12', 'now', '2999-12']) {
    expect((await rig.ask('GET', `${path}/statements/${month}`)).status).toBe(404);
  }
  const nowhere = '/api/v1/organizations/org_00000000000000000000000000/statements/2026-11';
  expect((await rig.ask('GET', nowhere)).status).toBe(404);
});
