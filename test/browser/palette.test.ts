/** The palette: it finds what the role may see, by keyboard alone. */
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 240_000 };

/** Opens the palette with its shortcut, types, and returns the names of what it finds. */
async function search(page: Page, text: string, first: string | RegExp): Promise<string[]> {
  const field = page.getByRole('combobox', { name: 'Search' });
  if ((await field.count()) === 0) {
    // The shortcut does nothing while a dialog is open.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The page hears it once it is drawn.
    await page
      .getByRole('button', { name: /^Search/ })
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    await field.waitFor();
  }
  await field.fill(text);
  const options = page.getByRole('option');
  await options.filter({ hasText: first }).first().waitFor();
  return await options.allTextContents();
}

test(
  'pages, models, keys, members and requests are found, and opened with the keyboard',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Ada',
      email: 'ada@example.com',
      organization: 'Engines',
    });
    const { page } = ada;
    const organization = await ada.organization();
    const path = `/organizations/${organization}`;
    const { id: key } = await up.api('POST', `${path}/keys`, { name: 'nightly batch' });
    await page.goto(`/${organization}/billing`);
    await page.getByRole('button', { name: 'Search' }).waitFor();

    // What is typed at once is kept, although the palette's code is loaded only now.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bill');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    expect(await field.inputValue()).toBe('bill');
    await page.keyboard.type('ing');
    expect(await field.inputValue()).toBe('billing');

    const all = await search(page, '', 'Overview');
    expect(all.slice(0, 3)).toEqual(['Overview', 'Playground', 'Models']);
    await ada.look('palette');
    expect((await search(page, 'memb', 'Members'))[0]).toBe('Members');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${organization}/members`);
    await page.getByRole('combobox').waitFor({ state: 'detached' });

    await search(page, 'nightly', 'nightly batch');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${organization}/keys/${key}`);
    await page.getByRole('heading', { level: 1, name: 'nightly batch' }).waitFor();
    expect(await search(page, 'ADA@example', 'Ada')).toHaveLength(1);
    const models = await search(page, 'qwen3', 'qwen');
    expect(models.length).toBeGreaterThan(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/playground\?model=/);

    // What was opened last is the first without a search.
    expect((await search(page, '', 'Overview'))[0]).toBe('Members');
    expect((await search(page, 'token_limit', 'token_limit_exceeded'))[0]).toContain('Errors');
    await ada.look('palette-docs');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#token_limit_exceeded');
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    // A page is found by what the index of the documentation says of it.
    await search(page, 'rate limits their headers', 'Limits');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/limits');
    // The palette is on the pages of the documentation, too, with all that it finds elsewhere.
    await search(page, 'create an', 'Create an API key');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/keys\?open=create$/);
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/keys$/);
    await search(page, 'invite', 'Invite a member');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Invite member' }).waitFor();
    await page.keyboard.press('Escape');
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    const before = await theme();
    await search(page, 'theme', 'Switch to the');
    await page.keyboard.press('Enter');
    await expect.poll(theme).not.toBe(before);
    await search(page, 'theme', 'Switch to the');
    await page.keyboard.press('Enter');
    await expect.poll(theme).toBe(before);

    expect((await search(page, 'receipt', 'Payments'))[0]).toContain('Payments');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/billing\?view=payments$/);
    expect((await search(page, '429', 'rate_limited')).join()).toContain('Errors');
    // The number of an error, or its code, leads to what is written about it, and then to its requests.
    for (const text of ['402', 'insufficient_credit']) {
      const found = await search(page, text, 'insufficient_credit');
      expect(found.slice(0, 2)).toEqual(['insufficient_creditErrors', 'insufficient_creditLogs']);
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/logs\?code=insufficient_credit$/);
    await search(page, '402', 'insufficient_credit');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/errors#insufficient_credit');
    await page.goto(`/${organization}/billing`);

    const request = `req_${'0'.repeat(26)}`;
    expect(await search(page, `x-request-id: ${request}`, request)).toEqual([request]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${organization}/logs/${request}`);

    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('no such thing');
    await page.getByText('Nothing found.').waitFor();
    await ada.look('palette-nothing');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    // The focus is back where it was.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Search');

    await search(page, 'log out', 'Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect((await page.request.get('/api/v1/me')).status()).toBe(401);
  },
);

test('while its code is loaded, the palette closes with Escape or a click beside it', async () => {
  await using mo = await Visitor.signedUp(browser, up, { name: 'Mo', email: 'mo@example.com' });
  const { page } = mo;
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/palette-(?!waiting)[^/]*\.js$/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.goto(`/${await mo.organization()}`);
  const button = page.getByRole('button', { name: 'Search' });
  const waiting = page.getByRole('dialog', { name: 'Search' });
  await button.click();
  await waiting.waitFor();
  expect(await waiting.getAttribute('aria-modal')).toBe('true');
  // The focus leaves the field.
  await waiting.locator('svg').click();
  await page.keyboard.press('Escape');
  await waiting.waitFor({ state: 'detached' });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  await button.click();
  await waiting.waitFor();
  await page.mouse.click(5, 5);
  await waiting.waitFor({ state: 'detached' });
  loaded.resolve();
});

test('a viewer finds no page that they may not see, and no customer', async () => {
  const organization = up.first.organization.id;
  const email = 'viewer@example.com';
  const flags = ['--organization', organization, '--email', email, '--role', 'viewer'];
  const { url } = await up.admin<{ url: string }>('invitation', 'create', ...flags);
  const invitation = new URL(url).hash.replace('#token=', '');
  await using visitor = await Visitor.signedUp(browser, up, { name: 'Vi', email, invitation });
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`/${organization}`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const pages = await search(page, '', 'Overview');
  expect(pages).toContain('Usage');
  expect(pages).not.toContain('Playground');
  await page.getByRole('combobox').fill('Audit log');
  await page.getByText('Nothing found.').waitFor();
  await page.getByRole('combobox').fill('Engines');
  await page.getByText('Nothing found.').waitFor();
  expect(asked.filter((path) => /\/(organizations|agents)$/.test(path))).toEqual([]);
});

test('an operator finds customers, people and hosts, and the request of any organization', async () => {
  await using customer = await Visitor.signedUp(browser, up, {
    name: 'Cyd',
    email: 'cyd@example.com',
    organization: 'Cyd Charisse Ltd',
  });
  const theirs = await customer.organization();
  const { key } = await up.api('POST', `/organizations/${theirs}/keys`, { name: 'k' });
  const answer = await up.post(
    '/chat/completions',
    {
      model: 'qwen/qwen3-235b-a22b-instruct-2507',
      messages: [{ role: 'user', content: 'hello' }],
      max_tokens: 4,
    },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );
  await answer.text();
  const request = answer.headers.get('x-request-id') ?? '';
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/people');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  await search(page, 'cyd@example', 'Cydcyd@example.com');
  await page.getByRole('option').filter({ hasText: 'Cydcyd@example.com' }).click();
  await page.waitForURL(/\/operator\/people\/per_[0-9a-z]{26}$/);
  await search(page, 'charisse', 'Cyd Charisse Ltd');
  await operator.look('palette-operator');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/organizations/${theirs}`);
  expect(await search(page, 'local', 'local')).toContain('localGlobal');
  const { data: routers } = await up.api('GET', '/routers');
  const [{ id: router }] = routers as [{ id: string }];
  await search(page, router, 'Global');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/routers/${router}`);
  const { data: theirKeys } = await up.api('GET', `/organizations/${theirs}/keys`);
  const [{ id: theirKey }] = theirKeys as [{ id: string }];
  expect(await search(page, theirKey, 'API key')).toHaveLength(1);
  await operator.look('palette-lookup');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${theirs}/keys/${theirKey}`);
  const incident = { title: 'Slow answers in the evening', message: 'We look for the cause.' };
  const { id: incidentId } = (await up.api('POST', '/incidents', incident)) as { id: string };
  await page.reload();
  await search(page, 'slow answers', 'Slow answers in the eveningInvestigating');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/incidents#${incidentId}`);
  await up.api('DELETE', `/incidents/${incidentId}`);
  await search(page, 'start incident', 'Report an incident');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/operator\/incidents\?report=true$/);
  await page.getByRole('dialog').getByLabel('Title').waitFor();
  await page.keyboard.press('Escape');
  await search(page, request, request);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/${theirs}/logs/${request}`);
  // Operators see on which host it ran.
  const worker = page.getByRole('definition').filter({ hasText: 'local/engine' });
  await worker.getByRole('link', { name: 'local', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'local' }).waitFor();
  const events = page.getByRole('region', { name: 'Events' });
  await events.getByRole('link', { name: ' · process ' }).first().click();
  await page.waitForURL(/\/operator\/routers\/rtr_[0-9a-z]{26}$/);
});

test('an operator enrols a host, drains one and suspends an organization from the palette', async () => {
  await using customer = await Visitor.signedUp(browser, up, {
    name: 'Dot',
    email: 'dot@example.com',
    organization: 'Dotted Lines Ltd',
  });
  const theirs = await customer.organization();
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/people');
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  // A synonym of the verb, and a part of the name.
  expect((await search(page, 'cordon loc', 'Drain host local'))[0]).toContain('Drain host local');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/operator\/hosts\/agt_[0-9a-z]{26}\?open=drain$/);
  await page.getByRole('alertdialog', { name: 'Drain host local' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/operator\/hosts\/agt_[0-9a-z]{26}$/);
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  // The drain of a host that is not drained cannot end. Its page opens without a dialog.
  await search(page, 'undrain loc', 'Not drained');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await page.waitForURL(/\/operator\/hosts\/agt_[0-9a-z]{26}$/);
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  // Without a name, the verb waits for it in the field.
  expect((await search(page, 'suspend', 'Suspend organization'))[0]).toBe(
    'Suspend organization …Operator',
  );
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('suspend ');
  await page.keyboard.type('dotted');
  await page.getByRole('option').filter({ hasText: 'Suspend organization Dotted' }).waitFor();
  await operator.look('palette-operator-actions');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/organizations/${theirs}?open=suspend`);
  const dialog = page.getByRole('dialog', { name: 'Suspend Dotted Lines Ltd' });
  await dialog.getByLabel('Reason').fill('chargebacks');
  await dialog.getByRole('button', { name: 'Suspend organization' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.waitForURL(`**/operator/organizations/${theirs}`);
  // The dialog is not opened again once the organization is active.
  await search(page, 'activate dotted', 'Resume organization Dotted');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Resume organization' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  // It closes when the answer has been handled.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await search(page, 'add host', 'Enrol a host');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Enrol host' }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/operator\/fleet$/);
});

test('strangers find the public pages, the models and the documentation, and nothing else', async () => {
  await using stranger = await Visitor.open(browser, up);
  const { page } = stranger;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/docs/errors');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const all = await search(page, '', 'Models');
  expect(all.slice(0, 4)).toEqual(['Home', 'Models', 'Status', 'Docs']);
  await stranger.look('palette-stranger');
  await page.getByRole('combobox').fill('Billing');
  await page.getByText('Nothing found.').waitFor();
  await search(page, 'kimi', /moonshotai/);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/catalog\/moonshotai\//);
  // The palette belongs to the page, so the next page is shown before it is opened again.
  await page.getByRole('heading', { level: 1, name: 'Kimi K2' }).waitFor();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('combobox').fill('models');
  await page.getByRole('option').filter({ hasText: 'Models' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/catalog$/);
  const calls = asked.filter((path) => path.startsWith('/api/v1/'));
  // Only what is public is read: the models, their status, and the history of the model's page.
  const isPublic = (path: string) =>
    /^\/api\/v1\/(models|status|models\/moonshotai\/[^/]+\/history)$/.test(path);
  expect(calls.filter((path) => !isPublic(path))).toEqual([]);
});
