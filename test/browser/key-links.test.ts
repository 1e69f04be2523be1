/** Links to the page of a key, which a deleted key and the keys of the playground do not have. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MODEL = 'deepseek-ai/deepseek-v4-flash';

test('a request that the limit of a key refused leads to the key, and to all keys once it is deleted', async () => {
  const { id } = await up.customer('Limited');
  const { key, id: keyId } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'narrow',
    limits: { requests_per_minute: 1 },
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = { model: MODEL, max_tokens: 1, messages };
  expect((await up.post('/chat/completions', body, { headers })).status).toBe(200);
  const refused = await up.post('/chat/completions', body, { headers });
  expect(refused.status).toBe(429);
  const request = refused.headers.get('x-request-id');
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await expect
    .poll(async () =>
      (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
    )
    .toBe(true);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByRole('link', { name: 'Go to narrow' }).click();
  await page.getByRole('heading', { level: 1, name: 'narrow' }).waitFor();
  await up.api('DELETE', `/organizations/${id}/keys/${keyId}`);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByRole('link', { name: 'Go to API keys' }).click();
  await page.waitForURL(`**/${id}/keys`);
});

test('from a refused request, one click opens the limits of its key, whose page says that none was admitted', async () => {
  await using max = await Visitor.signedUp(browser, up, { name: 'Max', email: 'max@example.com' });
  const { page } = max;
  const id = await max.organization();
  const { key, id: keyId } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'tiny',
    limits: { tokens_per_minute: 1 },
  });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = { model: MODEL, max_tokens: 1, messages };
  const refused = await up.post('/chat/completions', body, { headers });
  expect(refused.status).toBe(400);
  const request = refused.headers.get('x-request-id') ?? '';
  await expect
    .poll(async () =>
      (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
    )
    .toBe(true);

  await page.goto(`/${id}/keys/${keyId}`);
  await page.getByText('All requests were refused').waitFor();
  await max.look('key-all-refused');
  await page.getByRole('link', { name: '1 refused' }).click();
  await page.waitForURL(`**/${id}/logs?**key=${keyId}**`);

  await page.goto(`/${id}/logs/${request}`);
  await page.getByRole('link', { name: 'Edit tiny' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit key' });
  await dialog.getByLabel('Tokens per minute').fill('100000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await page
    .getByRole('definition')
    .filter({ hasText: /^100,000$/ })
    .waitFor();

  // The page of the key has a button for it, too.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('after a first request from the playground, the next step leads to the list of keys', async () => {
  await using joan = await Visitor.signedUp(browser, up, {
    name: 'Joan',
    email: 'joan@example.com',
  });
  const { page } = joan;
  const id = await joan.organization();
  await up.api('POST', `/organizations/${id}/keys`, { name: 'unused' });
  await page.goto(`/${id}`);
  await page.getByText('Waiting for the first request').waitFor();
  const playground = await page.context().newPage();
  await playground.goto(`/${id}/playground`);
  await playground.getByLabel('Message', { exact: true }).fill('Hello');
  await playground.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The first request has arrived.').waitFor();
  await page.getByRole('link', { name: 'Set a spend cap' }).click();
  await page.waitForURL(`**/${id}/keys`);
});
