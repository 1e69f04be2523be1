/** The pages for developers: the overview, API keys and models, used as people use them. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MODEL = 'deepseek-ai/deepseek-v4-flash';

/** Sends one request with a key, as a customer's program does. */
async function complete(key: string, model = MODEL): Promise<void> {
  const answer = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'Say hello.' }],
      max_tokens: 16,
    }),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

test('a new organization creates a key, sends what the page shows, and sees the request arrive', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Analytical Engines',
  });
  const { page } = ada;
  await page.goto('/');
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
  // One step at a time: the command is shown when there is a key.
  await page.getByText('See it arrive').waitFor();
  expect(await page.getByLabel('curl example', { exact: true }).count()).toBe(0);
  await ada.look('overview-new');

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^sk-penstock-infapi-/);
  await page.getByText('Waiting for the first request').waitFor();

  // One click copies the command with the key.
  await page.getByRole('button', { name: 'Copy curl example' }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  const found = /^curl (\S+) [^]*Bearer (\S+)"[^]*-d '([^]*)'$/.exec(curl);
  expect(found?.[2]).toBe(secret);
  expect(found?.[1]).toBe(`${up.ready.base_url}/chat/completions`);
  await page.getByText('Coding agents', { exact: true }).click();
  await page.getByRole('tab', { name: 'Codex' }).click();
  const commands = await page.getByLabel('Codex commands', { exact: true }).textContent();
  expect(commands).toBe(`export PENSTOCK_API_KEY=${secret}\ncodex`);
  await page.getByText('In a terminal, with the API key “First key”:').waitFor();
  const file = await page.getByLabel('Codex file', { exact: true }).textContent();
  expect(file).toContain(`base_url = "${up.ready.base_url}"`);
  await ada.look('overview-key');
  const answer = await fetch(found?.[1] ?? '', {
    method: 'POST',
    headers: { authorization: `Bearer ${found?.[2]}`, 'content-type': 'application/json' },
    body: found?.[3] ?? '',
  });
  expect(answer.status).toBe(200);

  await page.getByText('The first request has arrived.').waitFor();
  const { model } = JSON.parse(found?.[3] ?? '{}') as { model: string };
  await page.getByRole('definition').filter({ hasText: model }).waitFor();
  // The request that was sent gives way to what came of it.
  expect(await page.getByLabel('curl example', { exact: true }).count()).toBe(0);
  await ada.look('overview-arrived');

  await page.getByRole('button', { name: 'Go to overview' }).click();
  await page.getByRole('heading', { name: 'Spend by model' }).waitFor();
  await page
    .getByRole('img', { name: /Spend by model and day: \$0\.0000\d+ in 30 days/ })
    .waitFor();
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
    secret,
  );
});

test('a second key that the first steps create has a name of its own', async () => {
  await using kit = await Visitor.signedUp(browser, up, { name: 'Kit', email: 'kit@example.com' });
  const { page } = kit;
  const id = await kit.organization();
  await page.goto(`/${id}`);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Create another key' }).click();
  await page.getByRole('button', { name: 'Copy the key' }).waitFor();
  const { data } = await up.api('GET', `/organizations/${id}/keys`);
  const names = (data as { name: string }[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['First key', 'Key 2']);
});

test('a first request that is refused is shown as such, with a link to why', async () => {
  await using rex = await Visitor.signedUp(browser, up, { name: 'Rex', email: 'rex@example.com' });
  const { page } = rex;
  const id = await rex.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'first' });
  await page.goto(`/${id}`);
  await page.getByText('Waiting for the first request').waitFor();
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await up.post('/chat/completions', { model: 'no/such', messages }, { headers });
  expect(answer.status).toBe(404);
  await page.getByText('A request arrived but was refused.').waitFor();
  // The example names a model, so the models are known to the page that follows.
  await page.getByLabel('curl example', { exact: true }).waitFor();
  await rex.look('overview-refused');
  await page.getByRole('link', { name: 'View request' }).click();
  await page.waitForURL('**/logs/*');
  await page.getByText('No model has this name.').waitFor();
  expect(await page.getByText('Nearest model').count()).toBe(0);

  const near = { model: 'deepseek-ai/deepseek-v4-flsh', messages };
  const misspelt = await up.post('/chat/completions', near, { headers });
  const request = misspelt.headers.get('x-request-id');
  await expect
    .poll(async () =>
      (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
    )
    .toBe(true);
  await page.goto(`/${id}/logs/${request}`);
  await page.getByText(`Nearest model: ${MODEL}`).waitFor();
  await rex.look('request-misspelt');

  await page.goto(`/${id}`);
  await page.getByText('A request arrived but was refused.').waitFor();
  await complete(key);
  await page.getByText('The first request has arrived.').waitFor();
});

test('a request that its client canceled is shown as such, and does not end the first steps', async () => {
  await using liv = await Visitor.signedUp(browser, up, { name: 'Liv', email: 'liv@example.com' });
  const { page } = liv;
  const id = await liv.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'first' });
  await page.goto(`/${id}`);
  await page.getByText('Waiting for the first request').waitFor();
  const left = new AbortController();
  const messages = [{ role: 'user', content: 'Tell me a long story.' }];
  const streamed = await up.post(
    '/chat/completions',
    { model: MODEL, messages, stream: true, max_tokens: 4_000 },
    {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: left.signal,
    },
  );
  await streamed.body?.getReader().read();
  left.abort();
  await page
    .getByText('Its client closed the connection before it had the whole response.')
    .waitFor();
  // The steps before the arrival: only the key is done.
  await expect.poll(() => page.getByLabel('Done').count()).toBe(1);
  await liv.look('overview-failed');
  await page.reload();
  await page
    .getByText('Its client closed the connection before it had the whole response.')
    .waitFor();
  await complete(key);
  await page.getByText('The first request has arrived.').waitFor();
  await expect.poll(() => page.getByLabel('Done').count()).toBe(3);
});

test('the overview tells of spend, errors and a balance that runs low', async () => {
  await using bea = await Visitor.signedUp(browser, up, { name: 'Bea', email: 'bea@example.com' });
  const id = await bea.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'ci' });
  for (const model of [MODEL, 'qwen/qwen3-235b-a22b-instruct-2507', 'moonshotai/kimi-k2.5']) {
    await complete(key, model);
  }
  await leave(key);
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await up.post('/chat/completions', { model: 'no/such', messages }, { headers });
  await expect.poll(() => up.refusals(id)).toHaveLength(1);
  const { page } = bea;
  await page.goto(`/${id}`);
  await page.getByRole('heading', { name: 'Recent failures' }).waitFor();
  await page.getByText('404 model_not_found').waitFor();
  // A client that left is counted, but is no failure.
  await page.getByText('0 failed, 1 canceled').waitFor();
  expect(await page.getByText('Canceled by client').count()).toBe(0);
  await page.locator('.recharts-bar-rectangle').first().waitFor();
  // Nothing is promised that cannot be compared.
  await page.getByText('There were no requests in the 30 days before.').waitFor();
  expect(await page.getByText('the change from').count()).toBe(0);
  await bea.look('overview-filled');

  await up.api('PATCH', `/organizations/${id}`, { low_balance_threshold: '10' });
  await page.reload();
  await page.getByText('Credit is low').waitFor();
  const { balance } = await up.api('GET', `/organizations/${id}/credit`);
  await up.api('POST', `/organizations/${id}/credit/adjustments`, {
    amount: `-${balance}`,
    reason: 'test',
  });
  await page.reload();
  await page.getByText('The organization has no credit.').waitFor();
  await bea.look('overview-empty-balance');
});

/** A client that disconnects before its answer has arrived. */
async function leave(key: string): Promise<void> {
  const abort = new AbortController();
  const answer = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    signal: abort.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: 'Tell me a long story.' }],
      max_tokens: 2_000,
    }),
  });
  await answer.body?.getReader().read();
  abort.abort();
}

test('a key is created within limits, and its value is shown once', async () => {
  await using cleo = await Visitor.signedUp(browser, up, {
    name: 'Cleo',
    email: 'cleo@example.com',
  });
  const { page } = cleo;
  await page.goto(`/${await cleo.organization()}/keys`);
  await page.getByText('No API keys yet').waitFor();
  await cleo.look('keys-empty');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nightly');
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Monthly cap in USD').fill('lots');
  await dialog.getByLabel('Requests per minute').fill('600');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  // The API's error names the field, and the form shows it there.
  await dialog
    .getByRole('alert')
    .filter({ hasText: 'Enter an amount from $0 to $4,000,000' })
    .waitFor();
  const wrong = dialog.getByLabel('Monthly cap in USD');
  expect(await wrong.evaluate((field) => field === document.activeElement)).toBe(true);
  await cleo.look('keys-create');
  await wrong.fill('$1,000');
  await dialog.getByLabel('Daily cap in USD').fill('1,040');
  await dialog.getByText('More than the monthly cap, which is reached first.').waitFor();
  await cleo.look('keys-create-caps');
  await dialog.getByLabel('Monthly cap in USD').fill('0.001');
  await dialog.getByLabel('Daily cap in USD').fill('0.0005');
  await dialog.getByText('Optional. Per day (UTC).').waitFor();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Key created' }).waitFor();
  const secret = await dialog.getByLabel('API key').inputValue();
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await dialog.getByRole('tab', { name: 'Python' }).click();
  await dialog.getByText(`api_key="${secret}"`).waitFor();
  await cleo.look('keys-created');
  // A click outside the dialog does not close it.
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);

  const row = page.getByRole('row', { name: /nightly/ });
  await row.getByText('Never').waitFor();
  await complete(secret);
  await page.reload();
  // One is of the monthly cap, the other of the daily one.
  await row
    .getByText(/^\d(\.\d)?% of \$[\d.]+ \/ (month|day)$/)
    .nth(1)
    .waitFor();
});

test('a row of the keys opens the page of the key: its spend, limits, usage and failures', async () => {
  await using kim = await Visitor.signedUp(browser, up, { name: 'Kim', email: 'kim@example.com' });
  const { page } = kim;
  const id = await kim.organization();
  const { key, id: keyId } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'nightly',
    monthly_cap: '0.01',
    limits: { requests_per_minute: 600 },
  });
  await up.api('POST', `/organizations/${id}/keys`, { name: 'spare' });
  for (const model of [MODEL, 'moonshotai/kimi-k2.5']) await complete(key, model);
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const refused = await up.post('/chat/completions', { model: 'no/such', messages }, withKey(key));
  expect(refused.status).toBe(404);

  const summaries: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/usage/summary')) summaries.push(request.url());
  });
  await page.goto(`/${id}/keys`);
  const row = page.getByRole('row', { name: /nightly/ });
  await row.locator('polyline').waitFor();
  // One call has the spend by day of all keys.
  expect(summaries).toHaveLength(1);
  expect(await page.getByRole('row', { name: /spare/ }).locator('polyline').count()).toBe(0);
  await kim.look('keys-spend');

  // A click in the menu of a row does not open the page.
  await row.getByRole('button', { name: 'Actions for nightly' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(new URL(page.url()).pathname).toBe(`/${id}/keys`);

  await row.getByText('Active').click();
  await page.waitForURL(`**/${id}/keys/${keyId}`);
  await page.getByRole('heading', { level: 1, name: 'nightly' }).waitFor();
  await page
    .getByRole('img', { name: /^Spend of this key by model and day: .* for 2 requests/ })
    .waitFor();
  await page.locator('.recharts-bar-rectangle').first().waitFor();
  await page.getByText(/^\d(\.\d+)?% of \$0\.01$/).waitFor();
  await page.getByRole('definition').filter({ hasText: /^600$/ }).waitFor();
  await page.getByText('1,000 for all keys of the organization').waitFor();
  await page.getByText('404 model_not_found').waitFor();
  await kim.look('key');

  await page.getByRole('link', { name: 'Requests of this key' }).click();
  await page.waitForURL(`**/${id}/logs?key=${keyId}`);
  await page.goBack();
  await page.getByRole('link', { name: 'Usage of this key' }).click();
  await page.waitForURL(`**/${id}/usage?key=${keyId}`);
  await page.goBack();

  await page.getByRole('button', { name: 'Actions for nightly' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click();
  await page.waitForURL(`**/${id}/keys`);
  await page.goto(`/${id}/keys/${keyId}`);
  await page.getByText('Key not found').waitFor();
});

test('a key whose last use is not written yet does not say that it was never used', async () => {
  await using ivy = await Visitor.signedUp(browser, up, { name: 'Ivy', email: 'ivy@example.com' });
  const { page } = ivy;
  const id = await ivy.organization();
  const { key, id: keyId } = await up.api('POST', `/organizations/${id}/keys`, { name: 'fresh' });
  const lastUse = page
    .getByRole('region', { name: 'Figures' })
    .getByText('Last used')
    .locator('..');
  await page.goto(`/${id}/keys/${keyId}`);
  await lastUse.getByText('Never').waitFor();
  await complete(key);
  // The API's answer before the router has written the last use.
  const ofKey = `**/api/v1/organizations/${id}/keys/${keyId}`;
  await page.route(ofKey, async (route) => {
    const answer = await route.fetch();
    const json = { ...((await answer.json()) as object), last_used: null };
    await route.fulfill({ response: answer, json });
  });
  await page.reload();
  await lastUse.getByText('Not recorded yet').waitFor();
  await page.unroute(ofKey);
  await lastUse.locator('time').first().waitFor();

  // A list of keys in which a use was never written says what that means.
  await page.route(`**/api/v1/organizations/${id}/keys?**`, async (route) => {
    const answer = await route.fetch();
    const listed = (await answer.json()) as { data: object[] };
    const json = { ...listed, data: listed.data.map((each) => ({ ...each, last_used: null })) };
    await route.fulfill({ response: answer, json });
  });
  await page.goto(`/${id}/keys`);
  await page.getByText('Not recorded', { exact: true }).waitFor();
  await page.getByText('“Not recorded”: The key was charged.').waitFor();
});

test('a key is edited, revoked and deleted, and each says what follows', async () => {
  await using gus = await Visitor.signedUp(browser, up, { name: 'Gus', email: 'gus@example.com' });
  const { page } = gus;
  const id = await gus.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, {
    name: 'nightly',
    limits: { requests_per_minute: 600 },
  });
  await complete(key);
  await page.goto(`/${id}/keys`);
  const dialog = page.getByRole('dialog');
  const actions = page.getByRole('button', { name: 'Actions for nightly' });
  await actions.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The focus returns to where it was.
  await actions.and(page.locator(':focus')).waitFor();
  await actions.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  expect(await dialog.getByLabel('Requests per minute').inputValue()).toBe('600');
  await dialog.getByLabel('Name').fill('hourly');
  await dialog.getByLabel('Monthly cap in USD').fill('25');
  await dialog.getByLabel('Daily cap in USD').fill('4');
  await dialog.getByLabel('Expires').fill('2030-01-31T09:30');
  await gus.look('keys-edit');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row', { name: /hourly/ });
  await row.getByText('$25.00').waitFor();
  await row.getByText('$4.00').waitFor();
  await row.getByText('Until Jan 31, 2030').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await gus.look('keys-list');

  await row.getByRole('button', { name: 'Actions for hourly' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByText('keeps its usage history').waitFor();
  await gus.look('keys-revoke');
  await asked.getByRole('button', { name: 'Revoke key' }).click();
  await asked.waitFor({ state: 'detached' });
  // Revoked keys are shown only if somebody wants to see them.
  await page.getByText('No API keys in these states').waitFor();
  expect(await row.count()).toBe(0);
  await page.getByRole('button', { name: 'Revoked (1)' }).click();
  await page.waitForURL(/state=active%2Cexpired%2Crevoked$/);
  await row.getByText('Revoked').waitFor();
  await row.getByRole('cell', { name: /^Revoked.* by Gus$/ }).waitFor();
  await gus.look('keys-revoked');
  await row.getByRole('link', { name: 'hourly' }).click();
  await page.getByRole('definition').filter({ hasText: 'by Gus' }).waitFor();
  await page.goBack();
  expect((await up.post('/chat/completions', {}, withKey(key))).status).toBe(401);

  await row.getByRole('button', { name: 'Actions for hourly' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await asked.getByText('Its usage history stays under its name').waitFor();
  await asked.getByRole('button', { name: 'Delete key' }).click();
  await page.getByText('No API keys yet').waitFor();
  const usage: { data: { key_name: string }[] } = await up.api('GET', `/organizations/${id}/usage`);
  expect(usage.data.map(({ key_name }) => key_name)).toEqual(['hourly']);
});

function withKey(key: string): RequestInit {
  return { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } };
}

test('a viewer sees keys and models, and is told who may do more', async () => {
  await using dora = await Visitor.signedUp(browser, up, {
    name: 'Dora',
    email: 'dora@example.com',
  });
  const id = await dora.organization();
  await up.api('POST', `/organizations/${id}/keys`, { name: 'shared' });
  const { url } = await up.api('POST', `/organizations/${id}/invitations`, {
    email: 'vera@example.com',
    role: 'viewer',
  });
  await using vera = await Visitor.signedUp(browser, up, {
    name: 'Vera',
    email: 'vera@example.com',
    invitation: new URL(url).hash.replace('#token=', ''),
  });
  const { page } = vera;
  await page.goto(`/${id}/keys`);
  await page.getByRole('row', { name: /shared/ }).waitFor();
  await page
    .getByText(
      'You cannot create or change API keys. Only administrators and developers can do this',
    )
    .waitFor();
  expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Actions/ }).count()).toBe(0);
  await vera.look('keys-viewer');

  await page.goto(`/${id}/models`);
  await page.waitForURL('**/catalog');
  await page.getByRole('link', { name: 'DeepSeek V4 Flash' }).waitFor();
  await page.getByText('You cannot try models in the playground.').waitFor();
  expect(await page.getByRole('link', { name: /in the playground/ }).count()).toBe(0);

  await page.goto(`/${id}`);
  await page.getByText('You cannot create API keys.').waitFor();
  await vera.look('overview-viewer');
});

test('models are searched, filtered, looked into and tried', async () => {
  await using finn = await Visitor.signedUp(browser, up, {
    name: 'Finn',
    email: 'finn@example.com',
  });
  const id = await finn.organization();
  await up.api('PUT', `/organizations/${id}/rates/${MODEL}`, {
    prompt: '0.0000001',
    completion: '0.0000002',
    input_cache_read: '0.00000001',
  });
  const { page } = finn;
  const models = page.getByRole('region', { name: 'Models' });
  const names = () => models.getByRole('row').locator('td:first-child a').allTextContents();
  // The address of earlier versions leads to the list.
  await page.goto(`/${id}/models`);
  await page.waitForURL('**/catalog');
  await page.getByText('Your prices per million tokens').waitFor();
  await expect.poll(async () => (await names()).length).toBe(6);
  await finn.look('models');

  await page.getByRole('button', { name: 'Image input' }).click();
  await page.getByRole('button', { name: 'JSON mode' }).click();
  await page.getByText('2 of 6 models').waitFor();
  expect(await names()).toEqual(['Qwen3.5 397B A17B', 'Kimi K2.5']);
  await page.getByRole('button', { name: 'Filter by context' }).click();
  await page.getByRole('menuitem', { name: '200K tokens or more' }).click();
  await page.waitForURL(/context=200k/);
  const searchBox = page.getByRole('searchbox', { name: 'Search models' });
  await searchBox.fill('deepseek');
  await page.getByText('No matches').waitFor();
  await finn.look('models-none');
  // The address keeps all of it.
  await page.reload();
  await page.getByText('No matches').waitFor();
  expect(await searchBox.inputValue()).toBe('deepseek');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('6 of 6 models').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.getByRole('columnheader', { name: 'Context' }).getByRole('button').click();
  await page.waitForURL(/sort=context/);
  const context = page.getByRole('columnheader', { name: 'Context' });
  await expect.poll(() => context.getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('columnheader', { name: 'Model' }).getByRole('button').click();
  await page.waitForURL(/sort=name/);
  const sorted = [
    'DeepSeek V4 Flash',
    'Kimi K2 Thinking',
    'Kimi K2.5',
    'MiniMax M3',
    'Qwen3 235B A22B Instruct 2507',
    'Qwen3.5 397B A17B',
  ];
  await expect.poll(names).toEqual(sorted);
  await page.getByRole('columnheader', { name: 'Model' }).getByRole('button').click();
  await page.waitForURL(/order=reversed/);
  await expect.poll(names).toEqual(sorted.toReversed());
  await searchBox.fill('DEEPSEEK long');
  await page.getByText('1 of 6 models').waitFor();
  await page.getByText('List $0.14').waitFor();

  await page.getByRole('button', { name: 'Copy the ID of DeepSeek V4 Flash' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(MODEL);
  await models.getByRole('link', { name: 'Try it: DeepSeek V4 Flash in the playground' }).waitFor();
  await models.getByRole('link', { name: 'DeepSeek V4 Flash', exact: true }).click();
  await page.waitForURL(`**/catalog/${MODEL}`);
  // The dashboard's navigation stays, and leads to the organization.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Usage' })
    .waitFor();
  await page.getByText('min_p').waitFor();
  await page.getByRole('columnheader', { name: 'Your price' }).waitFor();
  await page.getByRole('link', { name: 'Try it' }).click();
  await page.waitForURL(`**/${id}/playground?model=*`);
});
