/** What is said above every page of an organization, and where an operator lands. */
import { inputText } from '../../router/dashboard/format/input-time.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { Up } from '../support/up.ts';
import { look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 240_000 };
const PAGES = ['', '/keys', '/usage', '/members', '/billing'];

test(
  'every page says that credit is low, out, or that the organization is suspended',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Ada',
      email: 'ada@example.com',
      organization: 'Engines',
    });
    const { page } = ada;
    const id = await ada.organization();
    const path = `/organizations/${id}`;
    const notice = page.getByRole('status').filter({ hasText: /credit|suspended/i });
    await page.goto(`/${id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await notice.count()).toBe(0);

    await up.api('PATCH', path, { low_balance_threshold: '10' });
    for (const below of PAGES) {
      await page.goto(`/${id}${below}`);
      await notice.filter({ hasText: 'Credit is low: $5.00 left.' }).waitFor();
    }
    await page.goto(`/${id}/members`);
    await notice.getByRole('link', { name: 'Add credit' }).click();
    await page.waitForURL(`**/${id}/billing`);
    await ada.look('notice-low');

    const reason = { amount: '-5', reason: 'test' };
    await up.api('POST', `${path}/credit/adjustments`, reason);
    await page.goto(`/${id}/usage`);
    await notice.filter({ hasText: 'The organization has no credit.' }).waitFor();
    await ada.look('notice-empty');
    // Without credit, a key would not help.
    for (const below of ['/usage', '/logs?range=30d']) {
      await page.goto(`/${id}${below}`);
      const main = page.getByRole('main');
      await main.getByText('Requests are refused until credit is added.').waitFor();
      await main.getByRole('link', { name: 'Add credit' }).nth(1).waitFor();
      expect(await main.getByRole('link', { name: 'Create an API key' }).count()).toBe(0);
    }
    await ada.look('logs-without-credit');
    // An operator adds it on a page of their own.
    await using operator = await Visitor.operator(browser, up);
    await operator.page.goto(`/${id}/usage`);
    const toOperator = operator.page.getByRole('main').getByRole('link', { name: 'Adjust credit' });
    await toOperator.nth(1).click();
    await operator.page.waitForURL(`**/operator/organizations/${id}`);

    const invited = ['--organization', id, '--email', 'vic@example.com', '--role', 'viewer'];
    const { url } = await up.admin<{ url: string }>('invitation', 'create', ...invited);
    const invitation = new URL(url).hash.replace('#token=', '');
    const vic = { name: 'Vic', email: 'vic@example.com', invitation };
    await using viewer = await Visitor.signedUp(browser, up, vic);
    await viewer.page.goto(`/${id}/keys`);
    await viewer.page
      .getByText('Only administrators and billing administrators can add credit.')
      .waitFor();
    expect(await viewer.page.getByRole('link', { name: 'Add credit' }).count()).toBe(0);

    await up.api('PATCH', `${path}/terms`, { status: 'suspended' });
    await page.goto(`/${id}/settings`);
    await page.getByText('Contact support for the reason').waitFor();
    expect(await page.getByRole('link', { name: 'Review suspension' }).count()).toBe(0);
    await ada.look('notice-suspended');
    // Nothing is offered that only helps to send requests.
    await page.goto(`/${id}`);
    await page.getByText('The organization is suspended, so none can be sent.').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await page.goto(`/${id}/keys?open=create`);
    await page.getByText('No API keys yet').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await up.api('POST', `${path}/keys`, { name: 'app' });
    await page.goto(`/${id}/keys`);
    await page.getByText('No key works while the organization is suspended').waitFor();
    await page.goto(`/${id}/playground`);
    await page.getByText('The organization is suspended, so no message can be sent.').waitFor();
    await page.getByLabel('Message', { exact: true }).fill('Hello');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await ada.look('playground-suspended');
    await page.goto(`/${id}/billing`);
    await page
      .getByText('Auto-recharge charges no card while the organization is suspended.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Continue to checkout' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save a card' }).count()).toBe(0);
    // The API's answer after a dispute: less than nothing is available.
    await page.route(`**/api/v1/organizations/${id}/credit`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), available: '-25.004' } });
    });
    await page.goto(`/${id}/keys`);
    await page.getByText('It owes more than it may').waitFor();
    await page.getByRole('link', { name: 'Add credit' }).click();
    await page.getByRole('button', { name: 'Continue to checkout' }).waitFor();
    await page.getByText('−$25.01').waitFor();
    await page.unrouteAll();
  },
);

test(
  'credit that is nearly out is a warning without a threshold, and worse once it refuses requests',
  LONG,
  async () => {
    await using pia = await Visitor.signedUp(browser, up, {
      name: 'Pia',
      email: 'pia@example.com',
      organization: 'Short Ltd',
    });
    const { page } = pia;
    const id = await pia.organization();
    const path = `/organizations/${id}`;
    const notice = page.getByRole('status').filter({ hasText: /credit/i });
    const { key } = await up.api('POST', `${path}/keys`, { name: 'app' });
    const ask = async (tokens: number) => {
      const messages = [{ role: 'user', content: 'Hello.' }];
      const body = { model: 'deepseek-ai/deepseek-v4-flash', max_tokens: tokens, messages };
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await up.post('/chat/completions', body, { headers })).status;
    };
    expect(await ask(64)).toBe(200);
    const { balance } = await up.api('GET', `${path}/credit`);
    const spent = 5 - Number(balance);
    await up.api('POST', `${path}/credit/adjustments`, {
      amount: (2.5 * spent - Number(balance)).toFixed(12),
      reason: 'test',
    });
    // Below it, the notice would not need the forecast.
    await up.api('PATCH', path, { low_balance_threshold: '0.000001' });
    await page.goto(`/${id}`);
    await notice.filter({ hasText: "About 2 days left at today's rate." }).waitFor();
    const words = page.getByText("About 2 days left at today's rate", { exact: true });
    expect(await words.getAttribute('class')).toBe('text-warn');
    await pia.look('notice-soon');

    expect(await ask(8_000)).toBe(402);
    await expect.poll(() => up.refusals(id)).toHaveLength(1);
    await page.goto(`/${id}/keys`);
    await notice
      .filter({ hasText: 'In the last 10 minutes, it did not cover some requests' })
      .waitFor();
    await pia.look('notice-refusing');

    // Credit that covers none of the latest requests is too little.
    for (const tokens of [8_000, 7_000]) expect(await ask(tokens)).toBe(402);
    await expect.poll(() => up.refusals(id)).toHaveLength(3);
    await page.goto(`/${id}`);
    const tooLittle = notice.filter({ hasText: 'The organization has too little credit' });
    await tooLittle.waitFor();
    const line = page.getByText('Too little for a request', { exact: true });
    expect(await line.getAttribute('class')).toBe('text-bad');
    await pia.look('notice-too-little');
    // One that is covered shows that it is some.
    expect(await ask(64)).toBe(200);
    await page.reload();
    await notice.filter({ hasText: 'it did not cover some requests' }).waitFor();

    // A rest that is below the price of the smallest request is none, whatever was refused.
    const left = Number((await up.api('GET', `${path}/credit`)).balance);
    await up.api('POST', `${path}/credit/adjustments`, {
      amount: (0.000_000_96 - left).toFixed(12),
      reason: 'test',
    });
    for (const below of PAGES) {
      await page.goto(`/${id}${below}`);
      await tooLittle.waitFor();
    }
    await line.waitFor();
  },
);

test('a notice that the browser has shown before does not move the page when it arrives', async () => {
  await using fay = await Visitor.signedUp(browser, up, {
    name: 'Fay',
    email: 'fay@example.com',
    organization: 'Still Ltd',
  });
  const { page } = fay;
  const id = await fay.organization();
  await up.api('PATCH', `/organizations/${id}`, { low_balance_threshold: '10' });
  const notice = page.getByText('Credit is low: $5.00 left.');
  const heading = page.getByRole('heading', { level: 1, name: 'API keys' });
  const place = async () => (await heading.boundingBox())?.y;
  await page.goto(`/${id}/keys`);
  await notice.waitFor();
  const before = await place();
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/v1/organizations/${id}/credit`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await heading.waitFor();
  // Its amount is not known yet.
  expect(await page.getByText('Credit is low:').isVisible()).toBe(false);
  expect(await place()).toBe(before);
  held.resolve();
  await notice.waitFor();
  expect(await place()).toBe(before);

  // Credit that cannot be read changes nothing, nor is it what is remembered.
  await page.unrouteAll();
  await page.route(`**/api/v1/organizations/${id}/credit`, (route) =>
    route.fulfill({ status: 400, json: { error: { message: 'No.', code: 'bad_request' } } }),
  );
  const reload = async () => {
    const answer = page.waitForResponse(`**/api/v1/organizations/${id}/credit`);
    await page.reload();
    await (await answer).finished();
    await page.getByText('No API keys yet').waitFor();
  };
  await reload();
  expect(await place()).toBe(before);
  await reload();
  expect(await place()).toBe(before);
  await page.unrouteAll();

  // What is no longer so is not said again.
  await up.api('PATCH', `/organizations/${id}`, { low_balance_threshold: null });
  await page.reload();
  await expect.poll(place).toBeLessThan(before ?? 0);
  await page.unrouteAll();
});

test(
  "an operator lands on the operator's pages, and is told when they act in an organization",
  LONG,
  async () => {
    await using eve = await Visitor.signedUp(browser, up, {
      name: 'Eve',
      email: 'eve@example.com',
      organization: 'Customer Ltd',
    });
    const id = await eve.organization();
    await eve.page.goto('/');
    await eve.page.waitForURL(`**/${id}`);

    await using operator = await Visitor.open(browser, up);
    const { page } = operator;
    const { email, password } = up.first.operator;
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/operator');
    await page.goto(`/${up.first.organization.id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await page.getByText('Acting as operator in').count()).toBe(0);

    await page.goto(`/${id}/keys`);
    const frame = page.getByText('Acting as operator in Customer Ltd.');
    await frame.filter({ hasText: 'You can look at everything, and change nothing.' }).waitFor();
    await page.getByText('You cannot create').waitFor();
    await operator.look('acting-as-operator');
    await up.api('PATCH', `/organizations/${id}/terms`, { status: 'suspended' });
    await page.reload();
    await page.getByRole('link', { name: 'Review suspension' }).waitFor();
    await operator.look('acting-suspended');
    await page.getByRole('link', { name: 'Back to operator pages' }).click();
    await page.waitForURL(`**/operator/organizations/${id}`);
    await page.getByText('You left Customer Ltd', { exact: true }).waitFor();
    expect(await page.getByText('Acting as operator in').count()).toBe(0);

    // The sign-in page names no customer.
    await page.goto(`/${id}/keys`);
    await frame.waitFor();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('You left').count()).toBe(0);
  },
);

test(
  'an operator changes an organization only after they have allowed changes, with a reason',
  LONG,
  async () => {
    await using eve = await Visitor.signedUp(browser, up, {
      name: 'Eve',
      email: 'eve-2@example.com',
      organization: 'Second Customer',
    });
    const id = await eve.organization();
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    const create = page.getByRole('button', { name: 'Create key' });
    const note = page.getByText('Choose “Allow changes” above first.');
    await page.goto(`/${id}/settings`);
    await note.waitFor();
    const remove = page.getByRole('button', { name: 'Delete organization' });
    expect(await remove.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Create token' }).count()).toBe(0);
    await operator.look('acting-read-only-settings');
    for (const path of ['/webhooks', '/billing', '/members']) {
      await page.goto(`/${id}${path}`);
      await note.waitFor();
    }
    await page.goto(`/${id}/keys`);
    await note.waitFor();
    expect(await create.count()).toBe(0);

    await page.getByRole('button', { name: 'Allow changes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('The customer asked for it.');
    await operator.look('acting-allow-changes');
    await dialog.getByRole('button', { name: 'Allow changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/Changes are allowed until .* \(ends in (30|29) min\.\)/).waitFor();
    await create.first().waitFor();
    await operator.look('acting-changes-allowed');
    await page.getByRole('button', { name: 'End changes' }).click();
    await note.waitFor();
    expect(await create.count()).toBe(0);

    await page.goto(`/${id}/audit`);
    await page.getByText('for this reason: The customer asked for it.').waitFor();
    await page.goto('/operator/audit');
    await page.getByText('allowed changes for 30 minutes: The customer asked').waitFor();
    await eve.page.goto(`/${id}/audit`);
    await eve.page
      .getByText('An operator allowed changes for 30 minutes: The customer asked')
      .waitFor();
  },
);

test(
  'an alarm leads to an incident, of which a banner tells everybody who is signed in',
  LONG,
  async () => {
    await using own = await Up.start();
    await using operator = await Visitor.operator(browser, own);
    const { page } = operator;
    const { data: agents } = await own.api('GET', '/agents');
    await own.api('POST', `/agents/${agents[0].id}/drain`);
    await page.goto('/operator');
    const alarm = page.getByRole('listitem').filter({ hasText: 'models have no ready worker' });
    await alarm.getByText('Their requests are refused with status 503.').waitFor();
    await alarm.getByText('Began ').waitFor();
    await alarm.getByText('PenstockModelWithoutWorker', { exact: true }).waitFor();
    const recorded = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Alarm history', exact: true }) });
    const row = recorded.getByRole('row').filter({ hasText: 'models have no ready worker' });
    await recorded.getByText('Active alarms are recorded within a minute.').or(row).waitFor();
    await look(operator, 'operator-alarms');
    const runbook = alarm.getByRole('link', { name: 'Runbook' });
    expect(await runbook.getAttribute('title')).toBe('No worker can serve a model');
    await runbook.click();
    await page.waitForURL(/runbooks\/PenstockModelWithoutWorker$/);
    await page.getByRole('heading', { name: 'No worker can serve a model' }).waitFor();
    await page.getByText('This alarm is active now').waitFor();
    await page.getByRole('heading', { name: 'Look' }).waitFor();
    await look(operator, 'operator-runbook');
    await page.goBack();

    await alarm.getByRole('link', { name: 'Report an incident' }).click();
    await page.waitForURL(/\/operator\/incidents\?/);
    const form = page.getByRole('dialog');
    expect(await form.getByLabel('Title').inputValue()).toMatch(/^All models are unavailable/);
    await form
      .getByRole('button', { name: 'Qwen3 235B A22B Instruct 2507', pressed: true })
      .waitFor();
    await form.getByLabel('Title').fill('No answers');
    await form.getByLabel('Message').fill('We are bringing a host back.');
    // The alarm says since when it holds, and it may have begun before.
    expect(await form.getByLabel('Began').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT/);
    const hourAgo = clock.now() - 3_600_000;
    await form.getByLabel('Began').fill(inputText(hourAgo, 'local'));
    const preview = form.getByRole('region', { name: 'Preview of the status page' });
    await preview.getByText('We are bringing a host back.').waitFor();
    // What is written is seen beside its preview.
    expect((await preview.boundingBox())?.y).toBeLessThan(
      (await form.getByLabel('Message').boundingBox())?.y ?? 0,
    );
    await preview.getByText('has lasted 1 h so far').waitFor();
    expect(await form.getByText('Another open incident').count()).toBe(0);
    await look(operator, 'operator-incident-report');
    await form.getByRole('button', { name: 'Report incident' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('by Operator').waitFor();
    await page.getByText('has lasted 1 h so far').waitFor();
    await look(operator, 'operator-incidents');
    // A second incident of the same models may be meant as an update of the first.
    await page.getByRole('button', { name: 'Report an incident' }).click();
    const warning = form.getByText('Another open incident affects the same models');
    await form.getByRole('button', { name: 'All models' }).click();
    await warning.waitFor();
    await form.getByRole('list').getByText('No answers').waitFor();
    await look(operator, 'operator-incident-overlap');
    await page.keyboard.press('Escape');
    // The alarm leads to its incident, so that nobody reports it again.
    await page.goto('/operator');
    await alarm.getByRole('link', { name: 'No answers · Investigating' }).waitFor();
    expect(await alarm.getByRole('link', { name: 'Report an incident' }).count()).toBe(0);
    // While the open incidents are not known, none is offered to be reported.
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/incidents/open', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await alarm.getByRole('link', { name: 'Runbook' }).waitFor();
    expect(await alarm.getByRole('link', { name: 'Report an incident' }).count()).toBe(0);
    held.resolve();
    await alarm.getByRole('link', { name: 'No answers · Investigating' }).waitFor();
    await page.unrouteAll();
    await alarm.getByRole('link', { name: 'No answers · Investigating' }).click();
    await page.waitForURL(/\/operator\/incidents#/);

    await using ada = await Visitor.signedUp(browser, own, {
      name: 'Ada',
      email: 'ada@example.com',
    });
    const id = await ada.organization();
    const banner = ada.page.getByRole('status').filter({ hasText: 'No answers' });
    await ada.page.goto(`/${id}/keys`);
    await banner.waitFor();
    await ada.look('incident-banner');
    await ada.page.setViewportSize({ width: 390, height: 844 });
    expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(48);
    await ada.page.setViewportSize({ width: 1360, height: 900 });
    await banner.getByRole('link', { name: 'Open status page' }).click();
    await ada.page.getByText('We are bringing a host back.').waitFor();
    expect(await ada.page.getByText('by Operator').count()).toBe(0);
    await ada.page.goto('/account');
    await banner.getByRole('button', { name: 'Dismiss' }).click();
    await banner.waitFor({ state: 'detached' });
    const told = ada.page.waitForResponse(/incidents\/open$/);
    await ada.page.goto(`/${id}/keys`);
    await told;
    await ada.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await banner.count()).toBe(0);

    const [incident] = (await own.api('GET', '/incidents/open')).data;
    const update = { state: 'monitoring', message: 'A host is back.' };
    await own.api('POST', `/incidents/${incident.id}/updates`, update);
    await ada.page.reload();
    await banner.waitFor();
  },
);

test('on the pages of operators their links come first, and the account stays in view', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const main = page.getByRole('navigation', { name: 'Main' });
  const account = main.getByRole('button', { name: 'Account menu' });
  await page.setViewportSize({ width: 1360, height: 480 });
  await page.goto('/operator/jobs');
  await main.getByRole('link', { name: 'Platform', exact: true }).waitFor();
  expect(await main.getByRole('link').first().textContent()).toBe('Platform');
  const box = await account.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(480);
  await main.getByRole('button', { name: 'Organization', exact: true }).click();
  await main.getByRole('link', { name: 'Billing' }).click();
  await page.waitForURL(/\/billing/);
  await expect.poll(() => main.getByRole('link').first().textContent()).toBe('Overview');
});
