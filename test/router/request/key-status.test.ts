/** `GET /v1/key`: what the calling key may spend and request, and what is left of it. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { changeKey, revokeKey } from '../../../router/identity/keys.ts';
import { maskApiKey } from '../../../shared/ids.ts';
import { limits as bounds } from '../../../shared/limits.ts';
import { formatUsd, picoUsd } from '../../../shared/money.ts';
import { setStatus } from '../ledger/set-organization.ts';
import { type Customer, estimate, PRICE } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;
const CAP = picoUsd(10n ** 9n);

function ask({ value }: Customer): Promise<Response> {
  return fetch(`${rig.origin}/v1/key`, { headers: { authorization: `Bearer ${value}` } });
}

async function read(customer: Customer): Promise<string> {
  const response = await ask(customer);
  expect(response.status).toBe(200);
  return await response.text();
}

const dataOf = (text: string) => (JSON.parse(text) as { data: Record<string, unknown> }).data;

test('a key without limits has none, and tells its name and the part of it that lists show', async () => {
  const customer = await rig.customer(RICH);
  expect(dataOf(await read(customer))).toEqual({
    name: 'test',
    label: maskApiKey(customer.value),
    limit: null,
    limit_remaining: null,
    limit_reset: null,
    usage: 0,
    usage_daily: 0,
    usage_monthly: 0,
    is_suspended: false,
    is_free_tier: false,
    expires_at: null,
    rate_limit: { requests: -1, interval: '1m' },
    rate_limits: { requests: null, tokens: null, concurrent_requests: null },
  });
});

test('what is left is the cap without what is spent and held, and the minute without its requests', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  const limits = { requestsPerMinute: 10, tokensPerMinute: 50_000, concurrentRequests: 4 };
  const expires = rig.books.clock.now() + 86_400_000;
  await rig.books.store.call(changeKey, { organization, key, limits, expires, monthlyCap: CAP });
  const { stream, seen } = await rig.begin(customer, { max_tokens: 10 });
  const held = (await rig.balance(organization)).held;
  const during = await read(customer);
  expect(during).toContain(`"limit":0.001,"limit_remaining":${formatUsd(CAP - held)},"usage":0,`);
  stream.content(20, 3);
  stream.finish(20, 3);
  await seen;
  await rig.ended();
  const spent = 20n * PRICE.prompt + 3n * PRICE.completion;
  const after = await read(customer);
  expect(after).toContain(
    `"limit_remaining":${formatUsd(CAP - spent)},"usage":${formatUsd(spent)},`,
  );
  expect(dataOf(after)).toMatchObject({
    limit_reset: 'monthly',
    expires_at: new Date(expires).toISOString(),
    rate_limit: { requests: 10, interval: '1m' },
    rate_limits: {
      requests: { limit: 10, remaining: 9, interval: '1m' },
      // The estimate was corrected to what was counted.
      tokens: { limit: 50_000, remaining: 50_000 - 23, interval: '1m' },
      concurrent_requests: 4,
    },
  });
  expect(estimate({ max_tokens: 10 })).toBeGreaterThan(23);
});

test('of a monthly and a daily cap, the one that leaves less is told', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  const set = (monthlyCap: bigint, dailyCap: bigint) =>
    rig.books.store.call(changeKey, {
      organization,
      key,
      monthlyCap: picoUsd(monthlyCap),
      dailyCap: picoUsd(dailyCap),
    });
  await set(2n * 10n ** 9n, 10n ** 9n);
  expect(dataOf(await read(customer))).toMatchObject({ limit: 0.001, limit_reset: 'daily' });
  await set(10n ** 9n, 2n * 10n ** 9n);
  expect(dataOf(await read(customer))).toMatchObject({ limit: 0.001, limit_reset: 'monthly' });
});

test('a lowered cap leaves nothing, not less', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  const { stream, seen } = await rig.begin(customer);
  stream.content(20, 3);
  stream.finish(20, 3);
  await seen;
  await rig.ended();
  await rig.books.store.call(changeKey, { organization, key, monthlyCap: picoUsd(1n) });
  expect(dataOf(await read(customer))).toMatchObject({ limit: 1e-12, limit_remaining: 0 });
});

test('a suspended organization’s key says so, and a revoked key is a 401', async () => {
  const customer = await rig.customer(RICH);
  const { organization, key } = customer;
  await rig.books.store.call(setStatus, { organization, status: 'suspended' });
  expect(dataOf(await read(customer))).toMatchObject({ is_suspended: true });
  await rig.books.store.call(revokeKey, { organization, key, to: 'revoked' });
  expect((await ask(customer)).status).toBe(401);
  expect((await fetch(`${rig.origin}/v1/key`)).status).toBe(401);
});

test('an organization that asks too often is refused before the store is asked, and no other is', async () => {
  const [eager, other] = [await rig.customer(RICH), await rig.customer(RICH)];
  const { burst } = bounds.keyStatus.peer;
  const answers: Response[] = [];
  for (let nth = 0; nth <= burst; nth++) answers.push(await ask(eager));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: burst }, () => 200),
    429,
  ]);
  expect(answers.at(-1)?.headers.get('retry-after')).toBe('1');
  expect((await ask(other)).status).toBe(200);
  await rig.pass(1_000);
  expect((await ask(eager)).status).toBe(200);
});

test('docs/inference/limits.md explains every field of the answer, and no other', async () => {
  const page = await readFile('docs/inference/limits.md', 'utf8');
  const [, section = ''] = page.split('## What is left of a key\n');
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const explained = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([a-z_.]+)`/g)].map(([, field = '']) => field),
  );
  const { rate_limits: limits, ...rest } = dataOf(await read(await rig.customer(RICH)));
  const parts = Object.keys(limits as object).map((part) => `rate_limits.${part}`);
  expect(explained.toSorted()).toEqual([...Object.keys(rest), ...parts].toSorted());
});
