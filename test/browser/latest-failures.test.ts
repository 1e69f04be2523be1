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
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  }
  await page.unroute(first);
});

test('a request of the playground that failed has the name of the playground', async () => {
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
  const row = page.getByRole('region', { name: 'Requests' }).getByRole('row').nth(1);
  await row.getByText('Canceled by client').waitFor();
  await row.getByText('Playground').waitFor();
});
