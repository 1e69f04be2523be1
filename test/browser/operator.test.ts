/**
 * An operator's work in front of a real service: the fleet, organizations, people, and the audit
 * log of all of it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { up } from '../support/shared-up.ts';
import { Up, until } from '../support/up.ts';
import {
  adjustCredit,
  ask,
  changeSeveral,
  dialog,
  figure,
  head,
  look,
  MODEL,
  refund,
  seenBy,
  setRate,
  setTerms,
} from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const PENSTOCK = resolve(import.meta.dirname, '../../bin/penstock');
const CARD = '4242 4242 4242 4242';

/** Sends one customer's requests, `atOnce` at a time, until it is disposed. */
function load(atOnce: number): AsyncDisposable {
  const ended = new AbortController();
  const one = async () => {
    const content = 'A penstock carries water to the turbine. '.repeat(40);
    const messages = [{ role: 'user', content }];
    while (!ended.signal.aborted) {
      const body = { model: MODEL, max_tokens: 300, messages };
      const answer = await up.post('/chat/completions', body);
      expect(answer.status, await answer.text()).toBe(200);
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, one));
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

test('the fleet shows its worker at work: what runs, how fast, and what the prefix cache finds', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/');
  await page.getByRole('link', { name: 'Fleet' }).click();
  const row = page.getByRole('row').filter({ hasText: 'local/engine' });
  await row.getByText('Ready', { exact: true }).waitFor();
  expect(await figure(page, 'Workers ready').textContent()).toBe('1 of 1');
  {
    await using _ = load(6);
    await figure(page, 'Requests running')
      .getByText(/^[1-9]\d*$/)
      .waitFor();
    await figure(page, 'Tokens per second')
      .getByText(/^[1-9][\d,]*$/)
      .waitFor();
    await figure(page, 'Prefix hit rate')
      .getByText(/^[1-9][\d.]*%$/)
      .waitFor();
    await look(operator, 'operator-fleet');
    await page.getByRole('button', { name: 'local/engine', exact: true }).click();
    await dialog(page).getByText(MODEL).waitFor();
    await look(operator, 'operator-worker');
    await page.keyboard.press('Escape');
  }
  await page.reload();
  await page.getByRole('table').filter({ hasText: 'All hosts' }).getByText(MODEL).waitFor();
});

// It starts an agent, and looks at three of its pages.
const LONG = { timeout: 240_000 };

test(
  'a host is enrolled, its agent is started with the command that is shown, and it is drained and revoked',
  LONG,
  async () => {
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    await page.goto('/operator/fleet');
    await page.getByRole('button', { name: 'Enrol host' }).click();
    await dialog(page).getByLabel('Name').fill(' ');
    await dialog(page).getByRole('button', { name: 'Enrol host' }).click();
    await dialog(page).getByRole('alert').waitFor();
    await look(operator, 'operator-enrol-refused');
    await dialog(page).getByLabel('Name').fill('gpu-2');
    await dialog(page)
      .getByLabel('Engine URL')
      .fill(await engineOf(up));
    await dialog(page).getByRole('button', { name: 'Enrol host' }).click();
    const shown = dialog(page).getByLabel('the command that starts the agent', { exact: true });
    await dialog(page).getByText('Waiting to join').waitFor();
    await look(operator, 'operator-enrolled');
    // The token is shown only now, so the dialog asks before it closes.
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    const question = dialog(page, 'alertdialog').filter({ hasText: 'Close without copying?' });
    await question.getByRole('button', { name: 'Keep open' }).click();
    await question.waitFor({ state: 'detached' });
    // All of the token is seen, also on a phone.
    const desktop = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const [seen, all] = await shown.evaluate((code) => [code.clientWidth, code.scrollWidth]);
    expect(all).toBe(seen);
    if (desktop) await page.setViewportSize(desktop);

    const agent = startAgent((await shown.textContent()) ?? '');
    try {
      await dialog(page).getByText('Ready', { exact: true }).waitFor();
      await dialog(page).getByText('1 of 1 worker ready.').waitFor();
      await dialog(page).getByRole('button', { name: 'Done' }).click();
      const row = page.getByRole('row').filter({ hasText: 'gpu-2/engine' });
      await row.getByText('Ready', { exact: true }).waitFor();

      await ask(page, 'Actions for gpu-2/engine', 'Drain worker');
      await dialog(page, 'alertdialog').getByText('Other workers serve the same models.').waitFor();
      expect(await dialog(page, 'alertdialog').getByText('served by no other worker').count()).toBe(
        0,
      );
      await dialog(page, 'alertdialog').getByLabel('Note (optional)').fill('A fan is replaced.');
      await look(operator, 'operator-drain');
      await dialog(page, 'alertdialog').getByRole('button', { name: 'Drain worker' }).click();
      await row.getByText('Drained', { exact: true }).waitFor();
      // The details of the worker have the note.
      await page.getByRole('button', { name: 'gpu-2/engine', exact: true }).click();
      await dialog(page)
        .getByText(/Drained by Operator: A fan is replaced\.$/)
        .waitFor();
      await page.keyboard.press('Escape');
      await figure(page, 'Workers ready').getByText('1 of 2').waitFor();
      // It is called the same in its row and in the figures.
      await page.getByText('1 drained', { exact: true }).waitFor();
      await ask(page, 'Actions for gpu-2/engine', 'End drain');
      await dialog(page, 'alertdialog').getByRole('button', { name: 'End drain' }).click();
      await row.getByText('Ready', { exact: true }).waitFor();

      await ask(page, 'Actions for host gpu-2', 'Drain host');
      await dialog(page, 'alertdialog').getByLabel('Note (optional)').fill('New power supply');
      // The note is not lost by accident.
      await page.keyboard.press('Escape');
      const discard = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
      await discard.getByRole('button', { name: 'Keep editing' }).click();
      await discard.waitFor({ state: 'detached' });
      await dialog(page, 'alertdialog').getByRole('button', { name: 'Drain host' }).click();
      await dialog(page, 'alertdialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Actions for host gpu-2', exact: true }).click();
      await page.getByRole('menuitem', { name: 'End drain' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Drain host' }).count()).toBe(0);
      await page.keyboard.press('Escape');
      // The page of the host has the same, and what is known of a host that is away.
      const openHost = async () => {
        await page.getByRole('link', { name: 'gpu-2', exact: true }).click();
        await page.getByRole('heading', { level: 1, name: 'gpu-2' }).waitFor();
      };
      await openHost();
      await head(page).getByText('Drained', { exact: true }).waitFor();
      await page.getByText(/^Drained by Operator/).waitFor();
      await page.getByText('New power supply', { exact: true }).waitFor();
      const drained = 'Drained the host: New power supply';
      await page.getByRole('region', { name: 'Last hour' }).getByText(drained).waitFor();
      await page.getByRole('cell', { name: drained }).waitFor();
      await look(operator, 'operator-host-drained');
      await page.getByRole('button', { name: 'End drain', exact: true }).click();
      await dialog(page, 'alertdialog').getByRole('button', { name: 'End drain' }).click();
      await head(page).getByText('Ready', { exact: true }).waitFor();
      await page.getByText('Its agent reports none').waitFor();
      await page.getByRole('button', { name: 'Drain', exact: true }).click();
      await dialog(page, 'alertdialog').getByRole('button', { name: 'Drain host' }).click();
      await page.getByRole('button', { name: 'End drain', exact: true }).waitFor();
      await page.goBack();
      await changeSeveral(operator, agent);
      await openHost();
      await page.getByText(/^(Not connected since|This router is not connected)/).waitFor();
      expect(await figure(page, 'Requests running').count()).toBe(0);
      await head(page)
        .getByText(/^(Stopped|Disconnected|Not connected)/)
        .waitFor();
      await page.getByText(/^Penstock \d.* when it was started last$/).waitFor();
      const engines = page.getByRole('definition').filter({ hasText: 'found' });
      await engines.getByText('engine', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Drain', exact: true }).count()).toBe(0);
      await look(operator, 'operator-host-away');
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await dialog(page, 'alertdialog').getByRole('button', { name: 'Revoke host' }).click();
      await page.getByText('Revoked', { exact: true }).waitFor();
      await page.goBack();
      await row.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Filter by connection' }).click();
      await page.getByRole('menuitem', { name: 'Revoked', exact: true }).click();
      await page.getByRole('row').filter({ hasText: 'gpu-2' }).getByText('Revoked').waitFor();
    } finally {
      agent.kill('SIGTERM');
      if (agent.exitCode === null && agent.signalCode === null) await once(agent, 'exit');
    }
  },
);

/** Returns the engine that `up` has started. */
async function engineOf({ data }: Up): Promise<string> {
  const config = parse(await readFile(join(data, 'agent.yaml'), 'utf8')) as {
    engines: { url: string }[];
  };
  return config.engines[0]?.url ?? '';
}

/**
 * Runs the command as a person would paste it, except for the metrics port, which another agent on
 * this machine may use.
 */
function startAgent(command: string): ChildProcess {
  const pasted = command
    .replace('engines:', 'metrics: { port: 0 }\nengines:')
    .replace(/^penstock /m, 'exec penstock ');
  return spawn('sh', ['-c', pasted], {
    cwd: up.folder,
    env: { ...process.env, PATH: `${dirname(PENSTOCK)}:${process.env['PATH']}` },
    stdio: 'ignore',
  });
}

test('an organization is found, its credit adjusted and a payment refunded; its customer sees it', async () => {
  const email = 'ada@example.com';
  await using ada = await Visitor.signedUp(browser, up, { name: 'Ada', email });
  const id = await ada.organization();
  await pay(ada, id);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/organizations');
  const box = page.getByRole('searchbox', { name: 'Search organizations' });
  await box.fill('no such thing');
  await page.getByText('No matches').waitFor();
  await page.waitForURL('**/operator/organizations?search=no+such+thing');
  // The navigation leads to all organizations again, and the field follows.
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  await expect.poll(() => box.inputValue()).toBe('');
  expect(new URL(page.url()).search).toBe('');
  // Until the search is answered, the rows are still those from before.
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/v1/organizations?*search=*', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const listed = page.getByRole('region', { name: 'Organizations' });
  const earlier = page.locator('[aria-busy=true]').and(listed);
  await box.fill(email);
  await earlier.waitFor();
  answer.resolve();
  await earlier.waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('cell').filter({ hasText: id }).waitFor();
  await look(operator, 'operator-organizations');
  // The menu of a row leads to what operators do with the organization.
  const menu = page.getByRole('row').filter({ hasText: id }).getByRole('button');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Open as customer' }).waitFor();
  await look(operator, 'operator-organization-menu');
  await page.getByRole('menuitem', { name: 'Suspend' }).click();
  await dialog(page).getByText('Keys stop immediately').waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.goto('/operator/organizations');
  await box.fill(email);
  await page.getByRole('cell').filter({ hasText: id }).waitFor();
  await page.getByRole('cell').filter({ hasText: id }).getByRole('link').click();
  const open = (view: string) =>
    page
      .getByRole('navigation', { name: 'Organization' })
      .getByRole('link', { name: view })
      .click();
  await page.getByRole('button', { name: 'Adjust credit' }).waitFor();
  const figures = page.getByRole('region', { name: 'Requests in the last 30 days' });
  await figures.getByText('No request yet').waitFor();
  expect(await figure(page, 'Requests').textContent()).toBe('0');
  await look(operator, 'operator-organization-overview');
  await open('Keys and members');
  await page.waitForURL(`**/operator/organizations/${id}?view=access`);
  await page.getByRole('cell', { name: email }).waitFor();
  await page.getByText('No API keys yet').waitFor();
  const member = page.getByRole('row').filter({ hasText: email });
  await member.getByText(/^(just now|\d+ \w+\. ago)$/).waitFor();
  await member.getByText('$0.00', { exact: true }).waitFor();
  await look(operator, 'operator-organization-access');
  // The views of the page stand in one row on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  const views = page.getByRole('navigation', { name: 'Organization' }).getByRole('link');
  const tops = await views.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await page.setViewportSize({ width: 1360, height: 900 });
  await open('Money');

  await adjustCredit(operator);
  // The operator sees who made a transfer, and why.
  await page.getByRole('radio', { name: 'Payments and corrections' }).click();
  const corrections = page.getByRole('region', { name: 'Payments and corrections' });
  const transfers = corrections.getByRole('row');
  const adjusted = transfers.filter({ hasText: 'for the trouble' });
  await adjusted.getByRole('link', { name: 'Operator' }).waitFor();
  await adjusted.getByRole('cell', { name: '$27.500000000001', exact: true }).waitFor();
  expect(await seenBy(ada, `/organizations/${id}/credit`)).toMatchObject({
    balance: '27.500000000001',
  });
  expect(await seenBy(ada, `/organizations/${id}/transfers?limit=1`)).toMatchObject({
    data: [{ kind: 'adjustment', amount: '2.500000000001', reason: 'for the trouble' }],
  });
  await refund(operator);
  expect(await seenBy(ada, `/organizations/${id}/credit`)).toMatchObject({
    balance: '17.500000000001',
  });
  const refunded = transfers.filter({ hasText: 'half of it was not needed' });
  await refunded.getByRole('button', { name: /^REC-/ }).click();
  await dialog(page).getByText('Top-up').waitFor();
  await page.keyboard.press('Escape');
  await look(operator, 'operator-organization-money');
  await open('Audit');
  await page.getByRole('button', { name: /^Operator refunded \$10 of a payment/ }).waitFor();
  await page.getByRole('link', { name: 'Organizations', exact: true }).last().click();
  await page.waitForURL('**/operator/organizations');
});

test('a rate, limits and invoicing are set for an organization; its customer sees them', async () => {
  await using bob = await Visitor.signedUp(browser, up, { name: 'Bob', email: 'bob@example.com' });
  const id = await bob.organization();
  await using operator = await Visitor.operator(browser, up);
  await operator.page.goto(`/operator/organizations/${id}?view=terms`);

  await operator.page.getByText('Default (10,000)').waitFor();
  await setRate(operator);
  expect(await seenBy(bob, `/organizations/${id}/models`)).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({
        id: MODEL,
        agreed: true,
        billed: {
          prompt: '0.0000001',
          input_cache_read: '0.00000005',
          completion: '0.000000300001',
        },
      }),
    ]),
  });
  await setTerms(operator);
  expect(await seenBy(bob, `/organizations/${id}`)).toMatchObject({
    limits: { requests_per_minute: 77, tokens_per_minute: null, concurrent_requests: null },
    billing: { type: 'invoiced', credit_limit: '500', payment_terms_days: 14 },
  });
  await look(operator, 'operator-organization');
  await operator.page.getByRole('link', { name: 'Overview', exact: true }).click();
  const limit = operator.page.getByText('Credit limit', { exact: true });
  await limit.locator('xpath=..').getByText('$500.00', { exact: true }).waitFor();
  await look(operator, 'operator-organization-invoiced');
  await operator.page.goBack();

  // Back to the list price.
  await ask(operator.page, `Actions for the rate of ${MODEL}`, 'Remove rate');
  await dialog(operator.page, 'alertdialog').getByRole('button', { name: 'Remove rate' }).click();
  await operator.page.getByText('Agreed').waitFor({ state: 'detached' });

  await operator.page.goto(`/operator/organizations/${id}`);
  await operator.page.getByRole('button', { name: 'Adjust credit' }).waitFor();
  // No other region is served.
  expect(await operator.page.getByRole('button', { name: 'Move to another region' }).count()).toBe(
    0,
  );
});

test("a suspended organization's keys are refused until it is resumed", async () => {
  await using cleo = await Visitor.signedUp(browser, up, {
    name: 'Cleo',
    email: 'cleo@example.com',
  });
  const id = await cleo.organization();
  const create = ['key', 'create', '--name', 'k', '--organization', id];
  const { key } = await up.admin<{ key: string }>(...create);
  expect(await statusOf(key)).toBe(200);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto(`/operator/organizations/${id}`);
  await expect.poll(() => figure(page, 'Requests').textContent()).toBe('1');
  expect(await figure(page, 'Failed').textContent()).toBe('0');
  await expect.poll(() => figure(page, 'Refused').textContent()).toBe('0');
  await figure(page, 'Last request')
    .getByText(/ago$|^just now$/)
    .waitFor();
  // The operator reads what the customer is told.
  const takes = { amount: '-4.5', reason: 'test' };
  await up.api('POST', `/organizations/${id}/credit/adjustments`, takes);
  await page.reload();
  await page.getByText('The credit is low', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await look(operator, 'operator-suspend');
  await dialog(page).getByLabel('Reason').fill('chargebacks');
  await dialog(page).getByRole('button', { name: 'Suspend organization' }).click();
  await page.getByText('Reason: chargebacks').waitFor();
  await page.getByText('Suspended', { exact: true }).waitFor();
  await until(async () => (await statusOf(key)) === 403, 'the key to be refused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await dialog(page).getByRole('button', { name: 'Resume organization' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await until(async () => (await statusOf(key)) === 200, 'the key to be accepted');

  await page.getByRole('link', { name: 'Open as customer' }).click();
  await page.waitForURL(`**/${id}`);
});

/** Pays at the sandbox, as a person does. */
async function pay(visitor: Visitor, organization: string): Promise<void> {
  const path = `/organizations/${organization}/payments`;
  const { checkout_url: url } = await up.api('POST', path, { amount: '20' });
  await visitor.page.goto(url);
  await visitor.page.locator('input[name=card]').fill(CARD);
  await visitor.page.keyboard.press('Enter');
  await until(async () => (await up.credit(organization)).balance === '25', 'the payment');
}

async function statusOf(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const messages = [{ role: 'user', content: 'Say yes.' }];
  const body = { model: MODEL, max_tokens: 2, messages };
  const answer = await up.post('/chat/completions', body, { headers });
  await answer.text();
  return answer.status;
}

test('somebody is found, and gets a link that is shown once', async () => {
  const email = 'grace@example.com';
  await using grace = await Visitor.signedUp(browser, up, {
    name: 'Grace',
    email,
    unconfirmed: true,
  });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/people');
  await page.getByRole('searchbox', { name: 'Search people' }).fill('GRACE');
  await page.getByRole('cell', { name: `Grace ${email}` }).waitFor();
  await page.getByRole('cell', { name: /^Ada / }).waitFor({ state: 'detached' });
  await look(operator, 'operator-people');
  await ask(page, `Actions for ${email}`, 'Create confirmation link');
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  const link = await dialog(page).getByLabel('the link', { exact: true }).textContent();
  expect(link).toMatch(/\/confirm#token=penstock-link-/);
  await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain('penstock-link-');
  expect(await grace.organization()).toMatch(/^org_/);
});

test("a person's page tells an operator where they belong and how they sign in", async () => {
  const email = 'hedy@example.com';
  await using hedy = await Visitor.signedUp(browser, up, {
    name: 'Hedy Lamarr',
    email,
    organization: 'Frequency Hopping',
  });
  const organization = await hedy.organization();
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/people?search=hedy');
  await page.getByRole('link', { name: 'Hedy Lamarr' }).click();
  await page.waitForURL(/\/operator\/people\/per_[0-9a-z]{26}$/);
  await page.getByRole('heading', { level: 1, name: 'Hedy Lamarr' }).waitFor();
  await head(page).getByText(email, { exact: true }).waitFor();
  await head(page).getByText('Active', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'Administrator' }).waitFor();
  await page.getByRole('region', { name: 'Sessions' }).getByRole('row').nth(1).waitFor();
  await page.getByRole('radio', { name: 'Done by this person' }).click();
  await page.getByRole('button', { name: 'Hedy Lamarr signed up' }).waitFor();
  await look(operator, 'operator-person');
  await page
    .getByRole('region', { name: 'Organizations' })
    .getByRole('link', { name: 'Frequency Hopping' })
    .click();
  await page.waitForURL(`**/operator/organizations/${organization}`);
  await page.getByRole('link', { name: 'Keys and members' }).click();
  await page
    .getByRole('region', { name: 'Members' })
    .getByRole('link', { name: 'Hedy Lamarr' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Hedy Lamarr' }).waitFor();
  await page.goto(`/operator/people/per_${'0'.repeat(26)}`);
  await page.getByText('This person does not exist or was erased').waitFor();
});

test('the router that answers is among the routers, and has a page of its own', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/routers');
  const row = page.getByRole('row').filter({ hasText: 'Reporting' });
  await row.getByText('Global').waitFor();
  // It reports its process every ten seconds.
  const name = row.getByRole('link', { name: `${hostname()} · process ` });
  await name.waitFor();
  await page.getByRole('button', { name: 'Memory' }).click();
  await page.waitForURL('**/operator/routers?sort=memory&order=desc');
  await page.getByRole('searchbox', { name: 'Search routers' }).fill('no such router');
  await page.getByText('No matches').waitFor();
  await page.getByRole('searchbox', { name: 'Search routers' }).fill(hostname());
  await name.waitFor();
  await look(operator, 'operator-routers');
  await row.getByRole('cell').nth(3).click();
  await page.getByRole('heading', { level: 1, name: `${hostname()} · process ` }).waitFor();
  const panel = (title: string) =>
    page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  await head(page).getByText('Reporting', { exact: true }).waitFor();
  await head(page)
    .getByText(/ · Penstock \d/)
    .waitFor();
  await figure(page, 'Up for').getByText(/\d/).waitFor();
  for (const label of ['Requests per second', 'Store lag', 'Event loop busy', 'Memory']) {
    await figure(page, label).first().getByText(/\d/).waitFor();
  }
  await panel('Alarms').waitFor();
  await page.getByRole('img', { name: 'Requests per second, over time' }).waitFor();
  for (const title of ['Memory', 'Event loop delay', 'Requests running', 'Time to first token']) {
    await page.getByRole('img', { name: `${title}, over time` }).waitFor();
  }
  // Few failures fill the chart; without any, the axis ends at 1%.
  const failed = page.getByRole('img', { name: 'Failed, over time' });
  await failed.getByText('1%', { exact: true }).waitFor();
  expect(await failed.getByText('100%').count()).toBe(0);
  await page
    .getByRole('list', { name: 'Events in this time' })
    .getByText('The router started')
    .waitFor();
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.waitForURL('**/operator/routers/rtr_*?span=week');
  await page.getByRole('img', { name: 'Requests per second, over time' }).waitFor();
  await look(operator, 'operator-router');
  await panel('Hosts').getByRole('link').first().click();
  await page.waitForURL('**/operator/hosts/agt_*');
  await page.goto(`/operator/routers/rtr_${'0'.repeat(26)}`);
  await page.getByText('This router does not exist').waitFor();
});

test('the audit log has all that operators did above, and narrows to what is asked for', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/audit');
  for (const sentence of [
    /^Operator enrolled the host "/,
    /^Operator drained the host "/,
    /^Operator revoked the host "/,
    /^Operator drained the worker "/,
    /^Operator ended the drain of the worker "/,
    'Operator added $2.500000000001 of credit: for the trouble',
    `Operator agreed prices for ${MODEL}`,
    `Operator removed the agreed prices for ${MODEL}`,
    /^Operator (suspended|resumed) the organization$/,
    'Operator refunded $10 of a payment of $20: half of it was not needed',
    /^Operator created a link to confirm the email address for Grace$/,
  ]) {
    await page.getByRole('button', { name: sentence }).first().waitFor();
  }
  // Sign-ins, of which there are many, are shown only to who wants them.
  const signedIn = page.getByRole('button', { name: /^Operator signed in$/ });
  expect(await signedIn.count()).toBe(0);
  await page.getByRole('switch', { name: 'Hide sign-ins' }).click();
  await page.waitForURL('**/operator/audit?sign_ins=shown');
  await signedIn.first().waitFor();
  // Among them, what changes something stands out.
  const colourOf = (sentence: string | RegExp) =>
    page
      .locator('tbody span[id]')
      .filter({ hasText: sentence })
      .first()
      .evaluate((line) => getComputedStyle(line).color);
  expect(await colourOf(/^Operator signed in$/)).not.toBe(
    await colourOf(/^Operator revoked the host/),
  );
  const terms =
    /^Operator changed the billing, credit limit and days to pay of the organization to invoiced, \$500 and \d+ days$/;
  const change = page.getByRole('button', { name: terms }).first();
  await change.click();
  await page.getByRole('row', { name: /^Credit limit None \$500$/ }).waitFor();
  await page.getByRole('row', { name: /^Billing Prepaid Invoiced$/ }).waitFor();
  await look(operator, 'operator-audit');
  await change.click();
  // A kind that is left out is so whatever the switch says.
  await page.getByRole('button', { name: 'Filter by kind left out' }).click();
  await page.getByRole('option', { name: 'Sessions' }).click();
  await page.waitForURL('**/operator/audit?except=session&sign_ins=shown');
  await expect.poll(() => signedIn.count()).toBe(0);
  await page.getByRole('button', { name: /enrolled the host/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove filter: Kind left out' }).click();
  await signedIn.first().waitFor();
  await page.getByRole('button', { name: 'Filter by kind of change' }).click();
  await page.getByRole('option', { name: 'Agreed prices' }).click();
  await page.getByRole('button', { name: /enrolled the host/ }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: 'Workers' }).click();
  await page
    .getByRole('button', { name: /drained the worker/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await look(operator, 'operator-audit-kinds');
  const sentences = await page.locator('tr:has(button) > td:first-child').allInnerTexts();
  expect(
    new Set(sentences.map((one) => one.replace(/ (of )?the worker .*/, ' $1a worker'))),
  ).toEqual(
    new Set([
      'Operator drained a worker',
      'Operator ended the drain of a worker',
      `Operator agreed prices for ${MODEL}`,
      `Operator removed the agreed prices for ${MODEL}`,
    ]),
  );
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV of the audit log' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n')).toHaveLength(sentences.length + 2);
});

test('the audit log is narrowed to organizations, people and objects, which are found by a search', async () => {
  const organization = 'Analytical Engines';
  await using lovelace = await Visitor.signedUp(browser, up, {
    name: 'Augusta',
    email: 'augusta@example.com',
    organization,
  });
  const id = await lovelace.organization();
  const { id: key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'difference' });
  await up.api('POST', `/organizations/${up.first.organization.id}/keys`, { name: 'loom' });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/audit');
  const log = page.getByRole('region', { name: 'Audit log' });
  const filters = page.getByRole('group', { name: 'Filters' });
  /** Opens a filter, which may be set, and types what is sought. */
  const find = async (filter: string, text: string) => {
    await filters.getByRole('button', { name: new RegExp(`^(Filter by )?${filter}`, 'i') }).click();
    await page.getByLabel(`Search: ${filter.toLowerCase()}`).fill(text);
  };
  const pick = (name: string | RegExp) => page.getByRole('option', { name }).first().click();
  const close = () => page.keyboard.press('Escape');
  await find('Organization', 'no such thing');
  await page.getByText('No matches').waitFor();
  await page.getByLabel('Search: organization').fill('analytical');
  await page.getByRole('option', { name: organization }).waitFor();
  await look(operator, 'operator-audit-search');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/operator/audit?organization=${id}`);
  await close();
  await log.getByRole('button', { name: 'Operator created the API key "difference"' }).waitFor();
  const owners = log.locator('td:nth-child(2)').getByRole('link');
  await expect.poll(() => owners.filter({ hasNotText: organization }).count()).toBe(0);

  await find('Changed by', 'augusta@');
  await pick('Augusta');
  await close();
  await log.getByText('difference').waitFor({ state: 'detached' });
  await log.getByRole('button', { name: /^Augusta signed up/ }).waitFor();
  // The address has the filters, and the page shows their names again.
  await page.reload();
  await filters.getByText(organization, { exact: true }).waitFor();
  await filters.getByText('Augusta', { exact: true }).waitFor();
  await log.getByRole('button', { name: /^Augusta signed up/ }).waitFor();
  expect(await log.getByText('difference').count()).toBe(0);
  await look(operator, 'operator-audit-found');
  // A second person and a second organization are added to the first ones.
  await find('Changed by', 'operator@');
  await pick('Operator');
  await close();
  await log.getByText('difference').waitFor();
  await find('Organization', 'default');
  await pick('Default');
  await close();
  await log.getByRole('button', { name: 'Operator created the API key "loom"' }).waitFor();
  await log.getByRole('button', { name: /^Augusta signed up/ }).waitFor();
  await look(operator, 'operator-audit-several');
  // What is chosen is listed before anything is sought, so that it can be taken away.
  await filters.getByRole('button', { name: /^Changed by/ }).click();
  await pick('Operator');
  await close();
  await log.getByText('difference').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove filter: Organization' }).click();
  await page.getByRole('button', { name: 'Remove filter: Changed by' }).click();
  await log.getByText('difference').waitFor();
  const focused = page.locator(':focus');
  expect(await focused.getAttribute('aria-label')).toBe('Filter by changed by');
  expect(new URL(page.url()).search).toBe('');

  // What was changed is found by its name, or by its id.
  await find('Object', key);
  await pick(key);
  await page.waitForURL(`**/operator/audit?target=${key}`);
  await log.getByText('loom').waitFor({ state: 'detached' });
  const changes = log.locator('tr:has(button) > td:first-child');
  await expect
    .poll(() => changes.allInnerTexts())
    .toEqual(['Operator created the API key "difference"']);
  const csv = page.getByRole('link', { name: 'CSV of the audit log' });
  expect(await csv.getAttribute('href')).toContain(`target=${key}`);
  await find('Object', 'augusta');
  await page.getByRole('option', { name: /^Augusta/ }).waitFor();
  await look(operator, 'operator-audit-object');
  await pick(/^Augusta/);
  await page.waitForURL('**/operator/audit?target=per_*');
  await filters.getByText('Augusta', { exact: true }).waitFor();
});

test('the pages of a host, a person and a key lead to what was changed about each', async () => {
  const { data: agents } = await up.api('GET', '/agents');
  const agent = agents.find(({ connected }: { connected: boolean }) => connected).id;
  await up.api('POST', `/agents/${agent}/notes`, { text: 'A note for the audit log' });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const log = page.getByRole('region', { name: 'Audit log' });
  await page.goto(`/operator/hosts/${agent}`);
  await page.getByRole('link', { name: 'Audit log', exact: true }).click();
  await page.waitForURL(`**/operator/audit?target=${agent}`);
  await log
    .getByText(/wrote a note on the host/)
    .first()
    .waitFor();
  const { data: people } = await up.api('GET', `/people?search=${up.first.operator.email}`);
  const person = people[0].id;
  await page.goto(`/operator/people/${person}`);
  const panel = (title: string) =>
    page
      .getByRole('main')
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  const filter = { name: 'Filter and export' };
  const history = panel('History');
  await history.getByRole('radio', { name: 'Done by this person' }).click();
  await history.getByText('What this person did, in all organizations.').waitFor();
  await history.getByRole('link', filter).click();
  await page.waitForURL(`**/operator/audit?actor=${person}&sign_ins=shown`);
  await page.goBack();
  await panel('History').getByRole('link', filter).click();
  await page.waitForURL(`**/operator/audit?target=${person}&sign_ins=shown`);
  const organization = up.first.organization.id;
  const key = await up.api('POST', `/organizations/${organization}/keys`, { name: 'jacquard' });
  await page.goto(`/${organization}/keys/${key.id}`);
  await page.getByRole('link', { name: 'Changes', exact: true }).click();
  await page.waitForURL(`**/${organization}/audit?target=${key.id}`);
  await log.getByText('created the API key "jacquard"').waitFor();
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByText('jacquard', { exact: true }).waitFor();
  await expect.poll(() => log.locator('tr:has(button)').count()).toBe(1);
  await filters.getByRole('button', { name: /^Object/ }).click();
  await page.getByLabel('Search: object').fill('loom');
  await page.getByRole('option', { name: /^loom/ }).first().click();
  await log.getByText('created the API key "loom"').first().waitFor();
  await look(operator, 'audit-object');
});

test('somebody who is no operator is kept out, by the page and by the API', async () => {
  await using eve = await Visitor.signedUp(browser, up, { name: 'Eve', email: 'eve@example.com' });
  for (const path of [
    '',
    '/organizations',
    '/payments',
    '/invoices',
    '/people',
    '/routers',
    '/audit',
  ]) {
    await eve.page.goto(`/operator${path}`);
    await eve.page.getByText('Only platform operators can see this page.').waitFor();
  }
  expect(await eve.page.getByRole('link', { name: 'Fleet' }).count()).toBe(0);
  const answer = await eve.page.request.get('/api/v1/workers');
  expect(answer.status()).toBe(403);
});

test('an address of nothing says what is missing, and leads back to the list of its kind', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const zeros = '0'.repeat(26);
  for (const [path, title, list] of [
    [`/operator/organizations/org_${zeros}`, 'This organization does not exist', 'organizations'],
    [`/operator/people/per_${zeros}`, 'This person does not exist', 'people'],
    [`/operator/routers/rtr_${zeros}`, 'This router does not exist', 'routers'],
    [`/operator/jobs/job_${zeros}`, 'This job does not exist', 'jobs'],
    [`/operator/invoices/ivc_${zeros}`, 'This invoice does not exist', 'invoices'],
    [`/operator/hosts/agt_${zeros}`, 'This host does not exist', 'fleet'],
    // No id is like these, and the API is not asked for them.
    ['/operator/organizations/nobody', 'This organization does not exist', 'organizations'],
    ['/operator/jobs/7', 'This job does not exist', 'jobs'],
  ] as const) {
    await page.goto(path);
    await page.getByText(title).waitFor();
    if (path.includes('org_')) await look(operator, 'operator-unknown');
    await page.getByRole('link', { name: `Back to ${list}` }).click();
    await page.waitForURL(`**/operator/${list}`);
  }
  await page.goto('/operator/nothing');
  await page.getByText('This page does not exist').waitFor();
  await page.getByRole('link', { name: 'Back to platform' }).click();
  await page.waitForURL('**/operator');
  // The browser itself reports the 404s of addresses in its console.
  const others = operator.complaints.splice(0).filter((text) => !text.includes('status of 404'));
  expect(others).toEqual([]);
});
