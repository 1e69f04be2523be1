/** How operators find one of many workers and hosts. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '../../shared/durations.ts';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

let up: Up;

function panelOf(page: Page, title: string): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

beforeAll(async () => {
  up = await Up.start(['--regions']);
}, 180_000);
afterAll(() => up[Symbol.asyncDispose]());

test('workers are searched, filtered and sorted, and the address keeps all of it', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/fleet');
  const workers = page.getByRole('region', { name: 'Workers' });
  const panel = panelOf(page, 'Workers');
  const names = () => workers.locator('tbody tr td:first-child button').allInnerTexts();
  const hosts = Object.keys(up.first.hosts ?? {}).toSorted();
  const all = hosts.map((host) => expect.stringContaining(host));
  await expect.poll(names).toEqual(all);
  // By name, and then the other way.
  await workers.getByRole('button', { name: 'Worker', exact: true }).click();
  await page.waitForURL(/sort=name/);
  await workers.getByRole('button', { name: 'Worker', exact: true }).click();
  await expect.poll(names).toEqual(all.toReversed());

  const search = page.getByRole('searchbox', { name: 'Search workers' });
  const [first = ''] = hosts;
  await search.fill(first.toUpperCase());
  await expect.poll(names).toEqual([expect.stringContaining(first)]);
  await search.fill('');
  await panel.getByRole('button', { name: 'Filter by region' }).click();
  await page.getByRole('menuitem', { name: 'EU' }).click();
  const inEu = hosts.filter((host) => up.first.hosts?.[host]?.region === 'eu').toReversed();
  await expect.poll(names).toEqual(inEu.map((host) => expect.stringContaining(host)));
  await operator.look('operator-fleet-filtered');

  await page.reload();
  await expect.poll(names).toEqual(inEu.map((host) => expect.stringContaining(host)));
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('menuitem', { name: 'Draining' }).click();
  await page.getByText('No workers match').waitFor();
  await operator.look('operator-fleet-none-found');
  await page.getByRole('button', { name: 'Show all workers' }).click();
  await expect.poll(names).toEqual(all.toReversed());
});

test('hosts are searched and filtered, and the address keeps it', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await up.api('POST', '/agents', { name: 'spare-host' });
  await page.goto('/operator/fleet');
  const panel = panelOf(page, 'Hosts');
  const names = () => panel.locator('tbody tr td:first-child a').allInnerTexts();
  const hosts = Object.keys(up.first.hosts ?? {});
  const all = [...hosts, 'spare-host'].toSorted();
  await expect.poll(async () => (await names()).toSorted()).toEqual(all);
  await panel.getByText(`${hosts.length} connected, 1 waiting to join.`).waitFor();
  await page
    .getByText(/^\d workers serve .* 1 other host has no workers: 1 waiting to join\.$/)
    .waitFor();
  await panel.getByRole('searchbox', { name: 'Search hosts' }).fill('SPARE');
  await expect.poll(names).toEqual(['spare-host']);
  await page.waitForURL(/host=SPARE/);
  await page.reload();
  await expect.poll(names).toEqual(['spare-host']);
  await panel.getByRole('button', { name: 'Filter by connection' }).click();
  await page.getByRole('menuitem', { name: 'Connected', exact: true }).click();
  await panel.getByText('No hosts match').waitFor();
  await panel.getByRole('button', { name: 'Show all hosts' }).click();
  await expect.poll(async () => (await names()).toSorted()).toEqual(all);
});

test('a host that drains says so in the list, until its drain ends', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { data: agents } = await up.api('GET', '/agents');
  const { id } = agents.find(({ name }: { name: string }) => name === 'eu-1');
  await up.api('POST', `/agents/${id}/drain`, { reason: 'A fan is replaced.' });
  await page.goto('/operator/fleet');
  const row = panelOf(page, 'Hosts').getByRole('row').filter({ hasText: 'eu-1' });
  await row.getByText('Drained', { exact: true }).waitFor();
  // It has one status.
  expect(await row.getByText(/Connected|Ready/).count()).toBe(0);
  await up.api('POST', `/agents/${id}/undrain`);
  await row.getByText('Ready', { exact: true }).waitFor();
});

test('of the selected hosts, only those that drain have their drains ended', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { data: agents } = await up.api('GET', '/agents');
  const idOf = (host: string) => agents.find(({ name }: { name: string }) => name === host).id;
  const ends = async (host: string) => {
    const { data } = await up.api('GET', `/agents/${idOf(host)}/events`);
    return data.filter(({ action }: { action: string }) => action === 'agent.undrain').length;
  };
  const [before, beforeOther] = [await ends('eu-1'), await ends('us-2')];
  await page.goto('/operator/fleet');
  const panel = panelOf(page, 'Hosts');
  await panel.getByRole('checkbox', { name: 'Select eu-1' }).check();
  await panel.getByRole('checkbox', { name: 'Select us-2' }).check();
  const endDrain = panel.getByRole('button', { name: 'End drain of selected' });
  expect(await endDrain.isDisabled()).toBe(true);
  await up.api('POST', `/agents/${idOf('eu-1')}/drain`);
  await endDrain.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'End the drain of host eu-1' }).waitFor();
  await dialog.getByText('Of the selected hosts, 1 does not drain.').waitFor();
  expect(await dialog.locator('tbody tr td:first-child').allInnerTexts()).toEqual(['eu-1']);
  await operator.look('operator-end-drains');
  await dialog.getByRole('button', { name: 'End the drain of 1 host' }).click();
  await dialog.getByText('Not draining', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await ends('eu-1')).toBe(before + 1);
  expect(await ends('us-2')).toBe(beforeOther);
});

/** Changes the answers of the API so that the host us-2 was lost at this time. */
async function loseUs2(page: Page, since: string): Promise<void> {
  await page.route('**/api/v1/agents?**', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const lost = { connected: false, absence: { reason: 'lost', since } };
    const changed = data.map((agent: { name: string }) =>
      agent.name === 'us-2' ? { ...agent, ...lost } : agent,
    );
    await route.fulfill({ response, json: { data: changed, ...rest } });
  });
  await page.route('**/api/v1/agents/*/events?**', async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const [{ router }] = data;
    const what = { detail: 'silent', before: null, worker: null, actor: null, router, count: 1 };
    const events = ['agent.lost', 'agent.left'].map((action) => ({
      ...what,
      id: action,
      action,
      created: since,
      last: since,
    }));
    await route.fulfill({ response, json: { data: [...events, ...data], ...rest } });
  });
  await page.route('**/api/v1/agents/*/last-known', async (route) => {
    const response = await route.fetch();
    const left = { at: since, reason: 'silent', router: null };
    await route.fulfill({ response, json: { ...(await response.json()), left } });
  });
}

/**
 * Stops the clock of a page a second ahead, and returns its time before that. It is tried again if more
 * than that second passes on the way, as it may on a busy machine.
 */
async function stopClock(page: Page): Promise<number> {
  for (;;) {
    const now = await page.evaluate(() => Date.now());
    try {
      await page.clock.pauseAt(now + 1_000);
      return now;
    } catch (error) {
      if (!String(error).includes('to the past')) throw error;
    }
  }
}

test('when a host goes away, its page reads at once what happened to it', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { data: agents } = await up.api('GET', '/agents');
  const { id } = agents.find(({ name }: { name: string }) => name === 'us-2');
  await page.clock.install();
  await page.goto(`/operator/hosts/${id}`);
  await page.getByRole('cell', { name: 'Connected to a router' }).waitFor();
  // From here on, what is read regularly is read only as far as the test lets time pass.
  const now = await stopClock(page);
  await loseUs2(page, new Date(now).toISOString());
  await page.clock.runFor(2_500);
  await expect
    .poll(async () => {
      await page.clock.runFor(1);
      return await page.getByRole('cell', { name: /^Lost: no router is connected/ }).count();
    })
    .toBe(1);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an alarm leads to the lost hosts, and the page of one leads to its runbook', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  // A host is lost only after minutes, so the answers of the API are changed.
  const since = new Date(Date.now() - 3 * MINUTE_MS).toISOString();
  await loseUs2(page, since);
  await page.route('**/api/v1/platform/status', async (route) => {
    const response = await route.fetch();
    const message = '1 host was lost, and its agent was neither drained nor stopped: us-2.';
    const facts = { kind: 'host_lost', severity: 'warning', page: 'fleet', message };
    const alarm = { ...facts, count: null, last: null, since, runbook: 'PenstockAgentDown' };
    await route.fulfill({ response, json: { ...(await response.json()), alarms: [alarm] } });
  });
  await page.goto('/operator');
  await page.getByRole('link', { name: 'Lost hosts' }).click();
  await page.waitForURL(/\/operator\/fleet\?link=lost#hosts$/);
  const hosts = panelOf(page, 'Hosts').locator('tbody tr');
  await expect.poll(() => hosts.count()).toBe(1);
  // None of them can be selected.
  const all = page.getByRole('checkbox', { name: 'Select all connected hosts' });
  expect(await all.count()).toBe(0);
  await hosts.getByRole('link', { name: 'us-2' }).click();
  await page.getByText('Lost 3 min. ago', { exact: true }).first().waitFor();
  await page
    .getByText('This host gets no requests until its agent connects again', { exact: true })
    .waitFor();
  // It has one status, although this router still lists its worker.
  expect(await page.getByText('Ready', { exact: true }).count()).toBe(0);
  // What happened to it and when it was seen last are of the same time.
  await page.getByRole('cell', { name: /^Lost: no router is connected/ }).waitFor();
  const seen = page.getByText('Last seen', { exact: true }).locator('xpath=following-sibling::dd');
  expect(await seen.textContent()).toBe('3 min. ago');
  const peers = page.getByRole('region', { name: 'Workers' });
  expect(await peers.getByRole('row').count()).toBe(0);
  await operator.look('operator-host-lost');
  await page.getByRole('link', { name: 'Runbook', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'An agent does not answer' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('an alarm on the page of the fleet does not lead there, and names all of its models on demand', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { data: models } = await up.api('GET', '/models');
  const [only] = models.map(({ id }: { id: string }) => id);
  const several = ['a', 'b', 'c', 'd', 'e'].map((name) => `lab/${name}`);
  await page.route('**/api/v1/platform/status', async (route) => {
    const facts = { severity: 'urgent', page: 'fleet', count: null, last: null, since: null };
    const message = '5 models have no ready worker: lab/a, lab/b, lab/c and 2 more.';
    const alarms = [
      { ...facts, kind: 'no_worker', message, models: several },
      { ...facts, kind: 'model_down', message: `${only} has no ready worker.`, models: [only] },
    ];
    await route.fulfill({ json: { alarms, jobs: { failed: 0, retried: 0 } } });
  });
  await page.goto('/operator/fleet');
  const panel = panelOf(page, 'Needs attention');
  await panel.getByText('All 5 models').click();
  for (const model of several) await panel.getByRole('link', { name: model }).waitFor();
  expect(await panel.getByRole('link', { name: 'Fleet', exact: true }).count()).toBe(0);
  await operator.look('operator-fleet-alarms');
  await panel.getByRole('link', { name: 'History', exact: true }).click();
  await page.waitForURL(`**/operator/fleet?model=${encodeURIComponent(only)}#history`);
});

test('alarms come first, then the lists, which a phone opens on demand, and then the history', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/fleet');
  await page.getByText('No active alarms about hosts, workers or models.').waitFor();
  const hosts = Object.keys(up.first.hosts ?? {}).length;
  const counted = `${hosts} workers serve`;
  await page.getByText(counted).waitFor();
  await panelOf(page, 'Hosts').getByRole('table').waitFor();
  const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
  await operator.look('operator-fleet-whole');
  expect(headings).toEqual(['Workers', 'Hosts', 'History', 'Host reports', 'Catalog']);

  await page.setViewportSize({ width: 390, height: 844 });
  const table = panelOf(page, 'Hosts').getByRole('table');
  await table.waitFor({ state: 'hidden' });
  await panelOf(page, 'Hosts').getByRole('button', { name: 'Show the hosts' }).click();
  await table.waitFor();
  // A list that the address narrows is open at once.
  await page.goto('/operator/fleet?standing=ready');
  await page.getByRole('region', { name: 'Workers' }).waitFor();
});

test('on a phone, an id stays on one line of its card, and each other value has its name', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/operator/fleet?link=connected');
  const cards = panelOf(page, 'Hosts').locator('tbody tr');
  await cards.first().waitFor();
  const lines = await cards
    .locator('code')
    .evaluateAll((codes) => codes.map((code) => code.getClientRects().length));
  expect(lines).toEqual(Object.keys(up.first.hosts ?? {}).map(() => 1));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);

  await page.goto('/operator/routers');
  const values = page.getByRole('region', { name: 'Routers' }).locator('tbody td:nth-child(n + 3)');
  await values.first().waitFor();
  const names = await values.evaluateAll((cells) =>
    cells.map((cell) => getComputedStyle(cell, '::before').content),
  );
  expect(names.at(-1)).toBe('"Memory"');
  expect(names).not.toContain('none');
});
