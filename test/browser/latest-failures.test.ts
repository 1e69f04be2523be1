/** The latest failures, on the overview and on the page of a key. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MODEL = 'deepseek-ai/deepseek-v4-flash';

/** Sends a request that is refused: it names no model. */
async function fail(key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const answer = await up.post('/chat/completions', { model: 'no/such', messages }, { headers });
  expect(answer.status).toBe(404);
}

test('that the first page has no failure does not mean that there is none', async () => {
  const { id, key, keyId } = await up.customer('Mostly Fine');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = { model: MODEL, max_tokens: 1, messages };
  expect((await up.post('/chat/completions', body, { headers })).status).toBe(200);
  await fail(key);
  await expect.poll(() => up.refusals(id)).toHaveLength(1);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  // The API's answer when none of the latest ten thousand requests failed.
  const first = (url: URL) =>
    url.pathname === `/api/v1/organizations/${id}/usage` &&
    url.searchParams.has('status') &&
    !url.searchParams.has('after');
  await page.route(first, (route) =>
    route.fulfill({ json: { data: [], has_more: true, next: '1000' } }),
  );
  for (const path of [`/${id}`, `/${id}/keys/${keyId}`]) {
    await page.goto(path);
    await page.getByText('Older requests may have failed.').waitFor();
    expect(await page.getByText('No failures').count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('404 model_not_found').waitFor();
    // All failures on the page of a key are of this key.
    const hasKeys = await page
      .getByRole('region', { name: 'Recent failures' })
      .getByRole('columnheader', { name: 'Key' })
      .count();
    expect(hasKeys).toBe(path.endsWith(keyId) ? 0 : 1);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  }
  await page.unroute(first);
});

test('failures with the same status and code are one row, which leads to them in the logs', async () => {
  const { id, key } = await up.customer('Often The Same');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = { model: MODEL, max_tokens: 1, messages };
  expect((await up.post('/chat/completions', body, { headers })).status).toBe(200);
  await fail(key);
  await fail(key);
  const text = JSON.stringify({ ...body, max_tokens: -1 });
  const other = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    headers,
    body: text,
  });
  expect(other.status).toBe(400);
  await expect.poll(() => up.refusals(id)).toHaveLength(3);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto(`/${id}`);
  const rows = page.getByRole('region', { name: 'Recent failures' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  const unknown = rows.filter({ hasText: '404 model_not_found' });
  expect(await unknown.getByRole('cell').nth(2).textContent()).toBe('2');
  // The figure and the list agree on what failed.
  await page.getByText('Not counted here: 3 refused', { exact: true }).waitFor();
  await operator.look('recent-failures');
  const older = page.getByRole('link', { name: 'Older failures' });
  expect(await older.count()).toBe(0);
  // A count has no mark for older requests that were not read.
  const all = (url: URL) => url.pathname === `/api/v1/organizations/${id}/refusals`;
  await page.route(all, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), has_more: true, next: '1000' } });
  });
  await page.reload();
  await unknown.waitFor();
  expect(await unknown.getByRole('cell').nth(2).textContent()).toBe('2');
  await page.getByText('Only the latest 100 refused and the latest 100 other').waitFor();
  const created = (await up.refusals(id)).map((refusal) => Date.parse(refusal.created));
  const oldest = Math.min(...created);
  await page.unroute(all);
  await older.click();
  await page.waitForURL(/\/logs\?/);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('status')).toBe('failed,refused');
  // The time ends with the second of the oldest failure that is counted, of which there may be more.
  const end = Date.parse(searchParams.get('to') ?? '');
  expect(end - oldest).toBeGreaterThan(0);
  expect(end - oldest).toBeLessThanOrEqual(1000);
  expect(end - Date.parse(searchParams.get('from') ?? '')).toBeGreaterThan(29 * 86_400_000);
  await page.goBack();
  await unknown.click();
  await page.waitForURL(/\/logs\?/);
  expect(new URL(page.url()).searchParams.get('code')).toBe('model_not_found');
  await expect
    .poll(() => page.getByRole('region', { name: 'Requests' }).locator('tbody tr').count())
    .toBe(2);
});

test('a request that its client canceled is no failure, and has a status of its own in the logs', async () => {
  await using iris = await Visitor.signedUp(browser, up, {
    name: 'Iris',
    email: 'iris@example.com',
  });
  const { page } = iris;
  const id = await iris.organization();
  await page.goto(`/${id}/playground`);
  const send = async (message: string) => {
    await page.getByLabel('Message', { exact: true }).fill(message);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  // Until a request has succeeded, the overview has the first steps.
  await send('Say hello');
  await expect.poll(async () => (await up.usage(id)).map(({ status }) => status)).toEqual([200]);
  await page.getByRole('button', { name: 'New chat' }).click();
  await send('Write 5000 words about oceans');
  // Stopped any earlier, the request might not have reached the router.
  await page.getByRole('article').getByText('here is what matters').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect
    .poll(async () => (await up.usage(id)).map(({ status }) => status))
    .toEqual([499, 200]);
  await page.goto(`/${id}`);
  await page.getByText('No failures', { exact: true }).waitFor();
  await page.getByText('0 failed, 1 canceled').waitFor();
  await page.goto(`/${id}/logs?status=canceled`);
  const listed = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
  await expect.poll(() => listed.count()).toBe(1);
  await listed.getByText('Playground').waitFor();
  await listed.getByText('Canceled by client').click();
  await page.waitForURL(/\/logs\/req_/);
  await page.getByText('The prompt, and what was generated until then, were charged.').waitFor();
  await iris.look('request-canceled');
});
