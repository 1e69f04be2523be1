/** How operators see figures that are not of now, and routers that have told little yet. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const REPORTED = '2026-01-31T12:00:15.000Z';

/** A router stops reporting only when it is stuck, so the answers of the API are changed. */
async function changeRouters(page: Page, changes: object): Promise<void> {
  await page.route(/\/api\/v1\/routers(\/rtr_\w+)?$/, async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const change = (router: object) => ({ ...router, ...changes });
    const json = Array.isArray(answer.data)
      ? { ...answer, data: answer.data.map(change) }
      : change(answer);
    await route.fulfill({ response, json });
  });
}

async function colourOf(page: Page, label: string): Promise<string> {
  return await page
    .getByText(label, { exact: true })
    .first()
    .locator('xpath=following-sibling::p[1]')
    .evaluate((value) => getComputedStyle(value).color);
}

test('the figures of a router that has stopped reporting are greyed, with the time of its last report', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/routers');
  await page.getByRole('row').filter({ hasText: 'Reporting' }).getByRole('link').click();
  await page.getByText('Store lag', { exact: true }).first().waitFor();
  const usual = await colourOf(page, 'Store lag');
  expect(await page.getByText(/^As of/).count()).toBe(0);

  await changeRouters(page, { state: 'silent', reported: REPORTED });
  await page.getByText(/^As of .*:15/).waitFor();
  await expect.poll(() => colourOf(page, 'Store lag')).not.toBe(usual);
  await page.getByText(/^Until its last report\. Started /).waitFor();
  await operator.look('operator-router-silent');
  await page.goto('/operator/routers');
  const row = page.getByRole('row').filter({ hasText: 'Stopped reporting' });
  await row.getByText(/^Last report .*:15/).waitFor();
  await operator.look('operator-routers-silent');
  // No figure of the table is cut at its edge.
  await page.setViewportSize({ width: 1440, height: 900 });
  const table = page.getByRole('region', { name: 'Routers' });
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the page of a router that has stopped reporting leads to the runbook, and says that once', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await changeRouters(page, { state: 'silent', reported: REPORTED });
  await page.route('**/api/v1/platform/status', async (route) => {
    const response = await route.fetch();
    const facts = { severity: 'warning', page: 'routers', count: null, last: null, routers: [] };
    const silent = { ...facts, kind: 'router_silent', message: '1 router stopped reporting.' };
    const skew = { ...facts, kind: 'version_skew', message: 'Routers of different versions run.' };
    const json = { ...(await response.json()), alarms: [silent, skew] };
    await route.fulfill({ response, json });
  });
  await page.goto('/operator/routers');
  const row = page.getByRole('row').filter({ hasText: 'Stopped reporting' });
  await row.getByRole('link').click();
  await page.getByText('Routers of different versions run.').waitFor();
  expect(await page.getByText('1 router stopped reporting.').count()).toBe(0);
  // Only the navigation and the link above the title lead to the list.
  const alarms = page.locator('section').filter({ hasText: 'Those about this router' });
  expect(await alarms.getByRole('link', { name: 'Routers' }).count()).toBe(0);
  await operator.look('operator-router-silent-alarms');
  await page.getByRole('link', { name: 'Runbook', exact: true }).click();
  const late = 'The heartbeats of a router do not reach the store';
  await page.getByRole('heading', { level: 1, name: late }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the page of a router that has stopped says whether it shut down, or who declared it dead', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const at = '2026-01-31T12:00:21.000Z';
  const stopped = { state: 'stopped', beating: false, reported: REPORTED, last_minute: null };
  const open = async (ended: object | null) => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await changeRouters(page, { ...stopped, ended });
    await page.goto('/operator/routers');
    await page.getByRole('row').filter({ hasText: 'Stopped' }).getByRole('link').first().click();
    await page.getByText('has stopped', { exact: false }).waitFor();
  };
  await open(null);
  await page.getByText('which of the two was not recorded').waitFor();
  await open({ at, declared_dead_by: null });
  await page
    .getByText(/^Shut down on .*:21/)
    .first()
    .waitFor();
  await operator.look('operator-router-stopped');
  const answer = await page.request.get('/api/v1/routers');
  const [{ id }] = (await answer.json()).data;
  await open({ at, declared_dead_by: id });
  const said = page.getByText(/^Declared dead by .*:21.*; the credit that it held was freed\./);
  await said.locator(`a[href$="/operator/routers/${id}"]`).waitFor();
  await operator.look('operator-router-declared-dead');
  await page.getByRole('link', { name: 'Runbook', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'A router does not answer' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the figures of the fleet are greyed while they cannot be read, with the time that they are of', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/fleet');
  await page.getByRole('region', { name: 'Workers' }).getByRole('row').nth(1).waitFor();
  expect(await page.getByText(/As of /).count()).toBe(0);
  await page.route('**/api/v1/workers?**', (route) => route.abort());
  await expect.poll(() => page.getByText(/As of /).count(), { timeout: 30_000 }).toBe(3);
  // Nothing is said to be well by them.
  await page.getByText(/^Nothing needed attention as of .*\d:\d\d:\d\d/).waitFor();
  expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  await operator.look('operator-fleet-old');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect.poll(() => page.getByText(/As of /).count(), { timeout: 30_000 }).toBe(0);
  // The browser itself reports what was not reached.
  const others = operator.complaints.splice(0).filter((text) => !text.includes('net::ERR_FAILED'));
  expect(others).toEqual([]);
});

test('a figure of the platform is greyed only if what it is read from cannot be read again', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator');
  const now = page.getByRole('region', { name: 'Now' });
  await now.getByText('Given up after 12 attempts.').waitFor();
  await now.getByText(/of \d/).first().waitFor();
  const colour = (label: string) =>
    now
      .locator('p')
      .filter({ has: page.getByRole('link', { name: label, exact: true }) })
      .locator('xpath=following-sibling::p[1]')
      .evaluate((value) => getComputedStyle(value).color);
  const usual = await colour('Workers ready');
  expect(await colour('Failed jobs')).toBe(usual);

  await page.route('**/api/v1/platform/status', (route) => route.abort());
  await now.getByText(/^As of /).waitFor({ timeout: 30_000 });
  expect(await colour('Failed jobs')).not.toBe(usual);
  expect(await colour('Workers ready')).toBe(usual);
  await page.getByText(/^Nothing needed attention as of /).waitFor();
  await page.getByText('Alarms cannot be read now, so this may have changed.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  await operator.look('operator-platform-old');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The browser itself reports what was not reached.
  const others = operator.complaints.splice(0).filter((text) => !text.includes('net::ERR_FAILED'));
  expect(others).toEqual([]);
});

test('nothing is said to be well before hosts and workers are read', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  for (const [path, refused] of [
    ['/operator', '**/api/v1/workers?**'],
    ['/operator/fleet', '**/api/v1/workers?**'],
    ['/operator', '**/api/v1/incidents/open'],
    ['/operator', '**/api/v1/platform/reliability'],
    ['/operator/fleet', '**/api/v1/fleet/history?*points=none*'],
  ] as const) {
    const status = page.waitForResponse('**/api/v1/platform/status');
    await page.route(refused, (route) => route.abort());
    await page.goto(path);
    await status;
    const panel = page.locator('section').filter({
      has: page.getByRole('heading', { name: 'Alarms', exact: true }),
    });
    // One block stands for what it lacks, where lines stood while it was read.
    await panel.locator('.h-16.bg-sunken').waitFor({ timeout: 30_000 });
    expect(await page.getByText('Nothing needs attention').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await page.getByText('Nothing needs attention').waitFor();
    expect(await panel.count()).toBe(0);
  }
  // The browser itself reports what was not reached.
  const others = operator.complaints.splice(0).filter((text) => !text.includes('net::ERR_FAILED'));
  expect(others).toEqual([]);
});

test('an open incident does not hide a worker that needs attention, or that figures are old', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const at = '2026-01-31T12:00:00.000Z';
  const incident = {
    id: `inc_${'1'.repeat(26)}`,
    title: 'Slow answers',
    state: 'investigating',
    models: [],
    regions: [],
    created: at,
    updated: at,
  };
  await page.route('**/api/v1/incidents/open', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), data: [incident] } });
  });
  await page.goto('/operator');
  const main = page.getByRole('main');
  await main.getByText('No active alarms, but open incidents').waitFor();
  // The page lists the incident itself, and says it once.
  expect(await main.getByText('Slow answers').count()).toBe(1);
  await page.route('**/api/v1/workers?**', async (route) => {
    const response = await route.fetch();
    const { data, ...more } = await response.json();
    const [first, ...others] = data;
    const json = { ...more, data: [{ ...first, notes: ['A note of its agent'] }, ...others] };
    await route.fulfill({ response, json });
  });
  await main.getByText('1 worker needs attention').first().waitFor({ timeout: 30_000 });
  // The figure below does not say the contrary.
  await main.getByText('1 needs attention', { exact: true }).waitFor();
  expect(await main.getByText('All are ready').count()).toBe(0);
  await main.getByText('Open incidents', { exact: true }).waitFor();
  await main.getByRole('link', { name: 'Slow answers' }).first().waitFor();
  await operator.look('operator-platform-incident');
  await main.getByRole('link', { name: 'workers', exact: true }).click();
  await page.waitForURL('**/operator/fleet#workers');
  await main.getByText('Incident: Slow answers').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the status of a router is greyed while it cannot be read, with the time that it is of', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/routers');
  await page.getByRole('row').filter({ hasText: 'Reporting' }).getByRole('link').click();
  // The list has the same words. Only a router that was read has its name above its page.
  await page.getByRole('heading', { level: 1, name: /process \d+/ }).waitFor();
  await page.route(/\/api\/v1\/routers(\/rtr_\w+)?(\?|$)/, (route) => route.abort());
  const status = page.locator('span.grayscale').filter({ hasText: 'Reporting' });
  await status.filter({ hasText: /As of .*\d:\d\d:\d\d/ }).waitFor({ timeout: 60_000 });
  await operator.look('operator-router-old');
  await page.getByRole('link', { name: 'Routers', exact: true }).first().click();
  await page
    .locator('.grayscale')
    .filter({ hasText: 'Routers reporting' })
    .getByText(/^As of /)
    .waitFor({ timeout: 60_000 });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The browser itself reports what was not reached.
  const others = operator.complaints.splice(0).filter((text) => !text.includes('net::ERR_FAILED'));
  expect(others).toEqual([]);
});

test('a router without a name yet has a short id in the list, and the search finds its whole id', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await changeRouters(page, { host: null, pid: null });
  await page.goto('/operator/routers');
  const link = page.getByRole('link', { name: /^rtr_….{6}$/ });
  await link.waitFor();
  const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  expect(id).toHaveLength(30);
  await page.getByRole('searchbox', { name: 'Search routers' }).fill(id);
  await link.waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the axes of the charts of a router have one width, so that their times stand below each other', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator/routers');
  await page.getByRole('row').filter({ hasText: 'Reporting' }).getByRole('link').click();
  for (const title of ['Memory', 'Requests running']) {
    await page
      .getByRole('img', { name: `${title}, over time` })
      .locator('.recharts-surface')
      .waitFor();
  }
  const lefts = () =>
    page.getByRole('img', { name: /, over time$/ }).evaluateAll((charts) =>
      charts.map((chart) => {
        const axis = chart.querySelector('.recharts-xAxis .recharts-cartesian-axis-line');
        return Math.round(
          (axis?.getBoundingClientRect().left ?? 0) - chart.getBoundingClientRect().left,
        );
      }),
    );
  await expect.poll(async () => new Set(await lefts()).size).toBe(1);
  expect((await lefts()).length).toBeGreaterThan(4);
  expect((await lefts())[0]).toBeGreaterThan(20);
});
