/** The frame around every page. */
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { signIn } from './signing.ts';
import { Visitor } from './visitor.ts';

test('a visitor without a session is asked to sign in, and comes back to where they were going', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(answer.url());
  });
  await page.goto('/account');
  await page.waitForURL('**/sign-in?next=%2Faccount');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // The browser would report a refused request in its console.
  expect(refused).toEqual([]);
});

test('a stranger is told what the service is, with its models and prices, and how to begin', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(answer.url());
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'OpenAI-compatible API' }).waitFor();
  const url = `${up.ready.base_url}/chat/completions`;
  await page.getByLabel('curl example', { exact: true }).getByText(url).waitFor();
  await page.getByRole('tab', { name: 'TypeScript' }).click();
  const code = page.getByLabel('TypeScript example', { exact: true });
  await code.getByText(`baseURL: "${up.ready.base_url}"`).waitFor();
  await page.getByRole('tab', { name: 'Python' }).click();
  await page.getByLabel('Python example', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'curl' }).click();
  const models = page.getByRole('region', { name: 'Models' });
  await models
    .getByRole('row')
    .filter({ hasText: 'DeepSeek V4 Flash' })
    .getByText('$0.14')
    .waitFor();
  // Nothing was measured yet, so that there is no column for it.
  expect(await models.getByRole('columnheader').allTextContents()).toEqual([
    'Model',
    'Prompt',
    'Completion',
    'Context',
  ]);
  await models
    .getByRole('row')
    .filter({ hasText: 'Kimi K2.5' })
    .getByText('Image input · Tools')
    .waitFor();
  await page.getByText('Includes $5 in free credit.').waitFor();
  // The cost is that of 14 prompt tokens at $0.20 and 8 completion tokens at $0.60 per million.
  const answer = page.getByRole('figure', { name: 'Example answer' });
  await answer.getByText('$0.0000076 charged', { exact: true }).waitFor();
  // The focus of the tab would be seen in the picture.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await visitor.look('landing');
  // No line of the example is cut.
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['curl', 'Python', 'TypeScript']) {
      await page.getByRole('tab', { name }).click();
      const example = page.getByLabel(`${name} example`, { exact: true });
      const cut = await example.evaluate((box) => box.scrollWidth - box.clientWidth);
      expect([width, name, cut]).toEqual([width, name, 0]);
    }
  }
  const foot = page.getByRole('contentinfo');
  expect(
    await foot
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['/catalog', '/status', '/sign-in', '/docs', '/docs/api', '/llms.txt']);
  // No seller is configured.
  expect(await foot.getByText('Operated by').count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  for (const [link, path] of [
    ['Docs', '/docs'],
    ['Compare models', '/catalog'],
    ['Status', '/status'],
    ['Create account', '/sign-up'],
    ['Sign in', '/sign-in'],
  ] as const) {
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: link }).first().click();
    await page.waitForURL(`${up.origin}${path}`);
  }
  expect(refused).toEqual([]);
});

test('the foot of the first page has the seller as it is configured', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.route(`${up.origin}/`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace('name="operator" content=""', 'name="operator" content="Sluice GmbH"')
      .replace(
        'name="operator-address" content=""',
        'name="operator-address" content="1 Weir\n\nBerlin"',
      )
      .replace('name="operator-tax-id" content=""', 'name="operator-tax-id" content="DE123456789"');
    await route.fulfill({ response, body });
  });
  await page.goto('/');
  const foot = page.getByRole('contentinfo').locator('address');
  await foot.waitFor();
  expect(await foot.locator('p').allTextContents()).toEqual([
    'Operated by Sluice GmbH',
    '1 Weir',
    'Berlin',
    'Tax ID DE123456789',
  ]);
});

test('a stranger who comes back to the first page, or opens a page of the dashboard, causes no error in the browser', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(answer.url());
  });
  await page.goto('/');
  for (const _ of [1, 2]) {
    await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
    await page.waitForURL('**/docs');
    await page.getByRole('banner').getByRole('link', { name: 'Penstock' }).click();
    await page.getByRole('heading', { level: 1, name: 'OpenAI-compatible API' }).waitFor();
  }
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goBack();
  // The address that led to the sign-in page is not left behind, where it would lead there again.
  await page.getByRole('heading', { level: 1, name: 'OpenAI-compatible API' }).waitFor();
  expect(refused).toEqual([]);
});

test('who has signed out is a stranger on the first page, without asking', async () => {
  await using ida = await Visitor.signedUp(browser, up, { name: 'Ida', email: 'ida@example.com' });
  const { page } = ida;
  await page.goto('/');
  await page.waitForURL(/\/org_/);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('link', { name: 'Penstock' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'OpenAI-compatible API' }).waitFor();
  expect(asked).not.toContain('/api/v1/me');
});

const PASSWORD = 'three blue herons at dawn';

test('what was said to somebody is gone when they have signed out', async () => {
  await using lou = await Visitor.signedUp(browser, up, { name: 'Lou', email: 'lou@example.com' });
  const { page } = lou;
  await page.goto('/account');
  await page.getByLabel('Name', { exact: true }).fill('Lou Reed');
  await page.getByRole('button', { name: 'Save name' }).click();
  const said = page.getByText('Name saved', { exact: true });
  await said.waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await said.count()).toBe(0);
});

test('who has signed in in another tab goes on from the first page to their own', async () => {
  const email = 'olga@example.com';
  await using _ = await Visitor.signedUp(browser, up, { name: 'Olga', email });
  await using olga = await Visitor.open(browser, up);
  const { page } = olga;
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Docs' }).click();
  await page.waitForURL('**/docs');
  const other = await page.context().newPage();
  await other.goto('/sign-in');
  await signIn(other, email, PASSWORD);
  await other.waitForURL(/\/org_/);
  await page.getByRole('banner').getByRole('link', { name: 'Penstock' }).click();
  await page.waitForURL(/\/org_/);
});

test('the first page of somebody who is signed in does not load the code of the one for strangers', async () => {
  await using mia = await Visitor.signedUp(browser, up, { name: 'Mia', email: 'mia@example.com' });
  const { page } = mia;
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.waitForURL(/\/org_/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(loaded.filter((path) => path.includes('overview-page'))).not.toEqual([]);
  expect(loaded.filter((path) => path.includes('landing-page'))).toEqual([]);
});

test('the first page of a stranger is complete before the colors of its code are loaded', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const isHeld = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/highlighter-*.js', async (route) => {
    isHeld.resolve();
    await released;
    await route.continue();
  });
  await page.goto('/');
  await isHeld.promise;
  const example = page.getByLabel('curl example', { exact: true });
  await example.getByText('Authorization: Bearer').waitFor();
  await page.getByRole('region', { name: 'Models' }).getByText('DeepSeek V4 Flash').waitFor();
  await page.getByRole('link', { name: 'Create account' }).first().click({ trial: true });
  expect(await example.locator('.hljs-string').count()).toBe(0);
  release();
  await example.locator('.hljs-string').first().waitFor();
});

test('signing in leads to no other site, whatever the link says', async () => {
  const email = 'lena@example.com';
  await using _ = await Visitor.signedUp(browser, up, { name: 'Lena', email });
  for (const next of [
    'https://example.org/',
    '//example.org/',
    String.raw`/\example.org`,
    '/\t/a.b',
  ]) {
    await using visitor = await Visitor.open(browser, up);
    const { page } = visitor;
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, email, PASSWORD);
    await page.waitForURL(/\/org_[0-9a-z]{26}$/);
    expect(new URL(page.url()).origin).toBe(up.origin);
  }
});

test('a page leaves out the parameters of its address that are not valid', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/organizations?')) asked.push(request.url());
  });
  for (const value of ['bogus', '__proto__', 'constructor']) {
    await page.goto(`/operator/organizations?sort=${value}&order=asc`);
    await page.getByRole('region', { name: 'Organizations' }).waitFor();
    await page.goto(`/${up.first.organization.id}/usage?range=${value}&group=${value}`);
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  }
  expect(asked).toHaveLength(3);
  for (const url of asked) {
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({ limit: '50', order: 'asc' });
  }
});

test('the navigation leads to every page of a role, and a phone opens it with a button', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Analytical Engines',
  });
  const { page } = ada;
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const links = await page.getByRole('navigation').getByRole('link').allTextContents();
  expect(links).toEqual([
    'Overview',
    'Playground',
    'Models',
    'API keys',
    'Usage',
    'Logs',
    'Docs',
    'Status',
    'Billing',
    'Members',
    'Webhooks',
    'Settings',
    'Audit log',
  ]);
  await ada.look('shell');
  await page.getByText('Ctrl K', { exact: true }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('banner').getByText('Analytical Engines').waitFor();
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await page.getByRole('button', { name: 'Search', exact: true }).waitFor();
  // A phone has no such keys.
  expect(await page.getByText('Ctrl K', { exact: true }).last().isVisible()).toBe(false);
  await page.getByRole('navigation').getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
});

test('for an operator every link fits a window, and a group is closed and opened with the keyboard', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.goto('/operator/jobs');
  const main = page.getByRole('navigation', { name: 'Main' });
  const group = (name: string) => main.getByRole('button', { name, exact: true });
  await main.getByRole('link', { name: 'Platform audit' }).waitFor();
  const [last, account] = [
    group('Organization'),
    main.getByRole('button', { name: 'Account menu' }),
  ];
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThan(
    (await account.boundingBox())?.y ?? 0,
  );

  await group('Organization').focus();
  await page.keyboard.press('Enter');
  await main.getByRole('link', { name: 'Billing' }).waitFor();
  // This browser remembers the choice, and the group of the page that is shown is open.
  await page.reload();
  await main.getByRole('link', { name: 'Billing' }).waitFor();
  await group('Operator').click();
  await main.getByRole('link', { name: 'Jobs', exact: true }).waitFor({ state: 'hidden' });
  await main.getByRole('link', { name: 'Billing' }).click();
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  await main.getByRole('link', { name: 'Jobs', exact: true }).waitFor({ state: 'hidden' });
  await page.goto('/operator/jobs');
  await main.getByRole('link', { name: 'Jobs', exact: true }).waitFor();
  await operator.look('shell-operator');
});

test('an address that leads nowhere says so with a status of 404, and leads on', async () => {
  for (const path of ['/nowhere', '/there/is/nothing/here']) {
    await using visitor = await Visitor.open(browser, up);
    const { page } = visitor;
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    if (path === '/nowhere') await visitor.look('not-found-visitor');
    for (const [link, to] of [
      ['Docs', '/docs'],
      ['Sign in', '/sign-in'],
      ['Status', '/status'],
      ['Go to the home page', '/'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('main').getByRole('link', { name: link }).click();
      await page.waitForURL(up.origin + to);
    }
    // The browser itself reports the 404s in its console.
    visitor.complaints.length = 0;
  }
});

test('people who are signed in get the navigation at an address that leads nowhere', async () => {
  await using eve = await Visitor.signedUp(browser, up, { name: 'Eve', email: 'eve@example.com' });
  const { page } = eve;
  const answer = await page.goto('/nowhere');
  expect(answer?.status()).toBe(404);
  await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor();
  await page.getByRole('link', { name: 'Go to the overview' }).waitFor();
  await eve.look('not-found');
  // Of an organization that is not theirs, the page leads to one that is.
  const foreign = `org_${'0'.repeat(26)}`;
  await page.goto(`/${foreign}`);
  await page.getByRole('heading', { level: 1, name: 'Organization not found' }).waitFor();
  await page.getByRole('link', { name: "Go to Eve's organization" }).waitFor();
  await page.goto('/nowhere');
  await page.getByRole('navigation').getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  // The browser itself reports the 404 in its console.
  eve.complaints.length = 0;
});

test('an address with a slash at its end leads to the page', async () => {
  await using kim = await Visitor.signedUp(browser, up, { name: 'Kim', email: 'kim@example.com' });
  const id = await kim.organization();
  const answer = await kim.page.goto(`/${id}/usage/?range=7d`);
  expect(answer?.status()).toBe(200);
  expect(kim.page.url()).toBe(`${up.origin}/${id}/usage?range=7d`);
});

test('while the code of a page is loaded, the navigation stays and the page says that it is loading', async () => {
  await using lin = await Visitor.signedUp(browser, up, { name: 'Lin', email: 'lin@example.com' });
  const { page } = lin;
  const code = Promise.withResolvers<void>();
  await page.route('**/usage-page-*.js', async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto('/');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await navigation.getByRole('link', { name: 'Billing' }).waitFor();
  code.resolve();
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
});

test('where the browser blocks storage, pages are shown, and a choice lasts until a reload', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada.blocked@example.com',
    organization: 'Difference Engines',
  });
  const { page } = ada;
  // Chromium throws this for a page that may have cookies, but no storage.
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    });
  });
  for (const [path, heading] of [
    ['/status', 'Status'],
    ['/docs', /./],
    [`/${await ada.organization()}/logs`, 'Logs'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
  await page.getByRole('radio', { name: 'UTC', exact: true }).click();
  await page.getByText('Newest first, in UTC.').waitFor();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Dark theme' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  await page.getByRole('radio', { name: 'UTC', exact: true, checked: true }).waitFor();
});

test('a page that does not reach the service says so once, and loads all of it again with one button', async () => {
  await using nia = await Visitor.signedUp(browser, up, { name: 'Nia', email: 'nia@example.com' });
  const { page, complaints } = nia;
  const id = await nia.organization();
  const { id: key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'app' });
  const ofOrganization = `**/api/v1/organizations/${id}/**`;
  const error = {
    message: 'No store.',
    type: 'server_error',
    param: null,
    code: 'store_unavailable',
  };
  const answers = {
    abort: (route: Route) => route.abort(),
    proxy: (route: Route) => route.fulfill({ status: 502, body: 'Bad gateway' }),
    store: (route: Route) => route.fulfill({ status: 503, json: { error, request_id: 'req_1' } }),
  };
  for (const [answer, fail] of Object.entries(answers)) {
    await page.route(ofOrganization, fail);
    for (const path of [`/${id}/billing`, `/${id}/usage`, `/${id}/logs`, `/${id}/members`]) {
      await page.goto(path);
      await expect.poll(() => page.getByRole('alert').count()).toBe(1);
    }
    await page.goto(`/${id}/keys/${key}`);
    await page.getByRole('alert').waitFor();
    if (answer === 'abort') await nia.look('unreachable');
    await page.unroute(ofOrganization);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'app' }).waitFor();
    await page.getByText('No usage').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  // The browser itself reports what was not reached.
  const others = complaints
    .splice(0)
    .filter((text) => !/net::ERR_FAILED|status of 50[23]/.test(text));
  expect(others).toEqual([]);
});

test('a dashboard that cannot read its store says so, and is there again after another try', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const me = '**/api/v1/me';
  const error = {
    message: 'The ledger cannot be reached at the moment.',
    type: 'server_error',
    param: null,
    code: 'store_unavailable',
  };
  await page.route(me, (route) =>
    route.fulfill({ status: 503, json: { error, request_id: 'req_1' } }),
  );
  for (const path of ['/', '/operator/fleet']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'The dashboard is unavailable' }).waitFor();
    await page.getByText('The service cannot reach its database').waitFor();
    await page.getByText(`${error.message} Request ID: req_1`).waitFor();
  }
  expect(await page.title()).toBe('The dashboard is unavailable · Penstock');
  await operator.look('store-unavailable');
  await page.unroute(me);
  await page.route(me, (route) => route.abort());
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'The service cannot be reached' }).waitFor();
  await page.unroute(me);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
  const told = /status of 503|The ledger cannot be reached|Could not reach|net::ERR_FAILED/;
  const others = operator.complaints.splice(0).filter((text) => !told.test(text));
  expect(others).toEqual([]);
});
