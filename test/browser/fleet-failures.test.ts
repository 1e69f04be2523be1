/** How operators see which worker fails, and which region has none. */
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

let up: Up;
let idOf: (host: string) => string;

beforeAll(async () => {
  up = await Up.start(['--regions']);
  const { data: agents } = await up.api('GET', '/agents');
  idOf = (host) => agents.find(({ name }: { name: string }) => name === host).id;
}, 180_000);
afterAll(() => up[Symbol.asyncDispose]());

function panelOf(page: Page, title: string): Locator {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) });
}

type Changes = (answer: Awaited<ReturnType<Up['api']>>) => object;

async function change(route: Route, changes: Changes): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, json: changes(await response.json()) });
}

/**
 * Changes the answers of the API, which has the figures of a minute only when it is over: of the
 * attempts of the last hour, 10 of 83 failed on the host global-2, and 5 of 653 requests.
 */
async function failOnGlobal2(page: Page): Promise<void> {
  const { data: workers } = await up.api('GET', '/workers');
  await page.route('**/api/v1/fleet/history?*points=none*', (route) =>
    change(route, (answer) => {
      const groups = workers.map((worker: { agent: string; agent_name: string; name: string }) => {
        const failed = worker.agent_name === 'global-2' ? 10 : 0;
        const outcomes = { cancelled: 0, refused: 0, limited: 0, unavailable: 0, failed };
        const of = { model: null, region: null, points: [] };
        const { agent, agent_name, name } = worker;
        return { ...of, agent, agent_name, worker: name, total: { ...outcomes, answered: 73 } };
      });
      return { ...answer, groups, omitted: 0 };
    }),
  );
  await page.route('**/api/v1/platform/reliability', (route) =>
    change(route, (answer) => {
      const present = { ...answer.hour.present, answered: 648, failed: 5, availability: 0.99234 };
      return { ...answer, hour: { ...answer.hour, present } };
    }),
  );
  await page.route('**/api/v1/platform/failures?*', (route) =>
    change(route, () => ({
      data: ['1', '2', '3', '4', '5'].map((nth) => ({
        request_id: `req_${nth.repeat(26)}`,
        organization: up.first.organization.id,
        organization_name: up.first.organization.name,
        model: 'lab/small',
        region: 'global',
        agent: idOf('global-2'),
        agent_name: 'global-2',
        status: 502,
        error: 'engine_failed',
        created: new Date().toISOString(),
      })),
      has_more: false,
      next: null,
    })),
  );
}

test('a worker whose attempts fail is seen in the lists of workers and of hosts', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await failOnGlobal2(page);
  await page.goto('/operator/fleet');
  for (const name of ['Workers', 'Hosts']) {
    const rows = page.getByRole('region', { name }).locator('tbody tr');
    const row = rows.filter({ hasText: 'global-2' });
    const share = row.getByText('12%', { exact: true });
    await share.waitFor();
    await row.getByText('10 of 83', { exact: true }).waitFor();
    const colours = await rows
      .getByText(/^\d+%$/)
      .filter({ hasText: /^(12|0)%$/ })
      .evaluateAll((cells) => new Set(cells.map((cell) => getComputedStyle(cell).color)).size);
    expect(colours).toBeGreaterThan(1);
    // It needs attention, so it is the first.
    expect(await rows.first().textContent()).toContain('global-2');
  }
  await panelOf(page, 'Hosts').getByRole('button', { name: 'Failed, 1 h' }).click();
  await page.waitForURL(/hosts_by=failed&hosts_order=desc/);
  await panelOf(page, 'Workers').getByRole('button', { name: 'Failed, 1 h' }).click();
  await page.waitForURL(/sort=failed&order=desc/);
  await operator.look('operator-fleet-failing');

  // The whole row opens what it is about.
  const worker = page.getByRole('region', { name: 'Workers' }).locator('tbody tr').first();
  await worker.getByText('slots', { exact: false }).click();
  await page.getByRole('dialog').getByText('10 of 83 in the last hour').waitFor();
  await page.keyboard.press('Escape');
  const host = page.getByRole('region', { name: 'Hosts' }).locator('tbody tr').first();
  await host.getByText('Global', { exact: true }).click();
  await page.waitForURL(`**/operator/hosts/${idOf('global-2')}`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('nothing is said to be well while a figure is beyond its objective, and the host is named', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await failOnGlobal2(page);
  for (const path of ['/operator', '/operator/fleet']) {
    await page.goto(path);
    await page.getByText('No active alarms', { exact: true }).waitFor();
    // The host is named once the failed requests have been read.
    const said =
      /^The availability of the last hour is 99\.234%, below the objective of 99\.9%: 5 requests failed, all on host global-2\.$/;
    await page.getByText(said).waitFor();
    await page.getByText('12% on global-2 (10 of 83)').waitFor();
    expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  }
  await page.goto('/operator');
  await page.getByText('12% on global-2 (10 of 83)').waitFor();
  await operator.look('operator-platform-failing');
  // Only the hour is below its objective.
  await page.getByRole('radio', { name: '24 hours' }).click();
  await page.getByText('12% on global-2 (10 of 83)').waitFor();
  await page.getByText('The availability of the last hour').waitFor({ state: 'detached' });
  const failures = page.getByRole('region', { name: 'Failed requests' });
  await failures.getByText('engine_failed').first().click();
  await page.waitForURL(`**/${up.first.organization.id}/logs/req_${'1'.repeat(26)}`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // The browser itself reports that there is no such request.
  operator.complaints.length = 0;
});

/** The alarm as it is now, which was a warning when it was recorded. */
const ALARM = 'The availability of the last hour is 98.202%: 17 of 946 requests failed.';

async function alarmOfAvailability(
  page: Page,
  { ended }: Readonly<{ ended: string | null }>,
): Promise<void> {
  const facts = {
    kind: 'availability_low',
    subject: '',
    page: 'fleet',
    affected: 1,
    runbook: null,
  };
  await page.route('**/api/v1/platform/status', (route) =>
    change(route, (answer) => {
      const alarm = {
        ...facts,
        severity: 'urgent',
        message: ALARM,
        count: null,
        last: null,
        since: null,
      };
      return { ...answer, alarms: [alarm] };
    }),
  );
  await page.route('**/api/v1/platform/alarms?*', (route) =>
    change(route, (answer) => {
      const recorded = {
        ...facts,
        id: 'alm_1',
        severity: 'warning',
        message: 'The availability of the last hour is 98.851%: 10 of 871 requests failed.',
        models: [],
        regions: [],
        routers: [],
        began: new Date(Date.now() - 10 * 60_000).toISOString(),
        ended,
      };
      return { ...answer, data: [recorded] };
    }),
  );
}

test('the alarm about the availability names the host, and its severity is that of now everywhere', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await failOnGlobal2(page);
  await alarmOfAvailability(page, { ended: null });
  await page.goto('/operator');
  const alarm = panelOf(page, 'Needs attention').getByRole('listitem');
  await alarm.getByText('All of them were on host global-2.').waitFor();
  const row = panelOf(page, 'Alarm history').locator('tbody tr');
  await row.getByText(ALARM).waitFor();
  await row.getByText('Urgent', { exact: true }).waitFor();
  await operator.look('operator-alarm-host');
  await alarm.getByRole('link', { name: 'Fleet', exact: true }).click();
  await page.waitForURL('**/operator/fleet?by=agent#history');
  await page.getByRole('radio', { name: 'By host', checked: true }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the alarm about the availability names the region, and is active in the history if it is back', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await alarmOfAvailability(page, { ended: new Date(Date.now() - 60_000).toISOString() });
  await page.route('**/api/v1/fleet/history?*group_by=region*points=none*', (route) =>
    change(route, (answer) => {
      const of = { model: null, agent: null, agent_name: null, worker: null, points: [] };
      const outcomes = { cancelled: 0, refused: 0, limited: 0, failed: 1 };
      const groups = [
        { ...of, region: 'global', total: { ...outcomes, answered: 800, unavailable: 0 } },
        { ...of, region: 'us', total: { ...outcomes, answered: 129, unavailable: 15 } },
      ];
      return { ...answer, groups, omitted: 0 };
    }),
  );
  await page.goto('/operator');
  const alarm = panelOf(page, 'Needs attention').getByRole('listitem');
  await alarm.getByText('Most of them were in US: 16 of 17.').waitFor();
  const row = panelOf(page, 'Alarm history').locator('tbody tr');
  await row.getByText(ALARM).waitFor();
  await row.getByText('Active', { exact: true }).waitFor();
  expect(await row.getByText(/^Ended/).count()).toBe(0);
  await operator.look('operator-alarm-region');
  await alarm.getByRole('link', { name: 'Fleet', exact: true }).click();
  await page.waitForURL('**/operator/fleet?by=region#history');
  await page.getByRole('radio', { name: 'By region', checked: true }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a host with an open breaker says since when, how much failed, and leads to the runbook and to failed requests', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await failOnGlobal2(page);
  await page.route('**/api/v1/workers?*', (route) =>
    change(route, (answer) => ({
      ...answer,
      data: answer.data.map((worker: { agent_name: string }) =>
        worker.agent_name === 'global-2' ? { ...worker, breaker: 'open', share: 0 } : worker,
      ),
    })),
  );
  await page.route('**/api/v1/agents/*/events?*worker=*', (route) =>
    change(route, (answer) => {
      const opened = {
        id: 'hev_1',
        created: new Date(Date.now() - 12 * 60_000).toISOString(),
        action: 'worker.breaker-opened',
        worker: new URL(route.request().url()).searchParams.get('worker'),
        actor: null,
        router: null,
        detail: null,
        before: null,
        count: 1,
      };
      return { ...answer, data: [{ ...opened, last: opened.created }] };
    }),
  );
  await page.goto(`/operator/hosts/${idOf('global-2')}`);
  await page.getByText(/^The breaker of worker \S+ is open$/).waitFor();
  await page
    .getByText(
      /^It kept failing, and its breaker opened 1[23] min\. ago\. 10 of 83 attempts failed in the last hour\.$/,
    )
    .waitFor();
  await page.getByText(/and sends it no requests until a probe succeeds\.$/).waitFor();
  await operator.look('operator-host-breaker');
  const failed = page.getByText(/^Last failed requests:/).getByRole('link');
  expect(await failed.count()).toBe(3);
  const href = await failed.first().getAttribute('href');
  expect(href).toContain(`/${up.first.organization.id}/logs/req_${'1'.repeat(26)}`);
  await page.getByRole('link', { name: 'Runbook', exact: true }).click();
  await page.waitForURL('**/operator/runbooks/PenstockBreakerOpen');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a model that a region has no ready worker for is red there, and not in the regions that have one', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  for (const host of ['us-1', 'us-2']) await up.api('POST', `/agents/${idOf(host)}/drain`);
  await page.goto('/operator');
  const rows = page
    .getByRole('region', { name: 'Demand and capacity by model and region' })
    .locator('tbody tr');
  const first = rows.first();
  await first.getByText('None', { exact: true }).waitFor();
  expect(await first.getByRole('cell').nth(1).textContent()).toBe('US');
  // The page does not say the contrary, also before there is an alarm.
  await page
    .getByText('6 models have no ready worker in US')
    .or(page.getByRole('heading', { name: 'Needs attention' }))
    .first()
    .waitFor();
  expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  await operator.look('operator-demand-by-region');
  const more = page.getByRole('button', { name: /^Show all \d+$/ });
  if ((await more.count()) > 0) await more.click();
  const served = rows.filter({ hasNot: page.getByText('None', { exact: true }) });
  const regions = await served.locator('td:nth-child(2)').allInnerTexts();
  expect(new Set(regions)).toEqual(new Set(['Global', 'EU']));
  for (const host of ['us-1', 'us-2']) await up.api('POST', `/agents/${idOf(host)}/undrain`);
  await first.getByText('None', { exact: true }).waitFor({ state: 'hidden' });
});
