/** Usage and its cost, down to a single request: real requests of two keys and two models. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exactUsd, picoOf } from '../../router/dashboard/format/usd.ts';
import { formatUsd, parseUsd } from '../../shared/money.ts';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const QWEN = 'qwen/qwen3-235b-a22b-instruct-2507';
const KIMI = 'moonshotai/kimi-k2.5';
const STORY = 'Tell me a long story of three blue herons. '.repeat(60);
const WELCOME = 5_000_000_000_000n;

let ada: Visitor;
let organization: string;
beforeAll(async () => {
  ada = await Visitor.signedUp(browser, up, { name: 'Ada', email: 'ada@example.com' });
  organization = await ada.organization();
});
afterAll(() => ada[Symbol.asyncDispose]());

/** Calls the management API as the person at this page. */
async function call<Answer>(page: Page, method: string, path: string, data?: object) {
  const answer = await page.request.fetch(`${up.origin}/api/v1${path}`, {
    method,
    headers: { origin: up.origin },
    ...(data && { data }),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as Answer;
}

function post(key: string, body: object, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return up.post('/chat/completions', body, { ...init, headers });
}

/** Sends a request, and returns the answer's id. */
async function ask(key: string, model: string, content: string): Promise<string> {
  const messages = [{ role: 'user', content }];
  const answer = await post(key, { model, max_tokens: 24, messages });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return ((await answer.json()) as { id: string }).id;
}

/** Reads the beginning of an answer and disconnects. */
async function leave(key: string): Promise<void> {
  const messages = [{ role: 'user', content: STORY }];
  const going = new AbortController();
  const body = { model: QWEN, max_tokens: 4_000, stream: true, messages };
  const answer = await post(key, body, { signal: going.signal });
  await answer.body?.getReader().read();
  going.abort();
}

type Row = Readonly<Record<string, string>>;

async function downloaded(page: Page, link: Locator): Promise<Row[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const [head = '', ...lines] = (await readFile(await download.path(), 'utf8'))
    .trim()
    .split(/\r?\n/);
  const columns = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
  });
}

function sumOf(rows: readonly Row[], column: string): bigint {
  return rows.reduce<bigint>((sum, row) => sum + (parseUsd(row[column] ?? '') ?? 0n), 0n);
}

const usagePath = () => `/${organization}/usage`;
const totals = (page: Page) => page.getByRole('region', { name: 'Totals' });
const byGroup = (page: Page, by: string) => page.getByRole('region', { name: `By ${by}` });
const rowsOf = (table: Locator) => table.locator('tbody').getByRole('row');
const requests = (page: Page) => rowsOf(page.getByRole('region', { name: 'Latest requests' }));
/** The most requests that the page lists. */
const LATEST = 5;

const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
const dayOf = (days: number) => ago(days).toISOString().slice(0, 10);

/** Waits until the bubble of a chart of days is that of the day so many days ago. */
async function bubbleIsAt(page: Page, days: number): Promise<void> {
  const month = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const shown = new Intl.DateTimeFormat('en-US', month).format(ago(days));
  await page.locator('.recharts-tooltip-wrapper').getByText(shown).waitFor();
}

async function areListed(page: Page, count: number): Promise<void> {
  await expect.poll(() => requests(page).count(), { timeout: 15_000 }).toBe(count);
}

test('before the first request the page says what will stand there', async () => {
  await ada.page.goto(usagePath());
  await ada.page.getByText('No requests in this period').waitFor();
  await ada.page.getByRole('link', { name: 'Create an API key' }).waitFor();
  await ada.look('usage-empty');
});

describe('after requests of two keys and two models', () => {
  let batch: { id: string; key: string };
  let agent: { id: string; key: string };
  let completion: string;
  beforeAll(async () => {
    const path = `/organizations/${organization}/keys`;
    batch = await call(ada.page, 'POST', path, { name: 'Nightly batch' });
    agent = await call(ada.page, 'POST', path, { name: 'Agent' });
    await ask(batch.key, QWEN, STORY);
    // By now most of the prompt is cached.
    completion = await ask(batch.key, QWEN, STORY);
    await ask(batch.key, QWEN, 'And another one.');
    await ask(agent.key, KIMI, 'How deep is the sea?');
    await ask(agent.key, QWEN, 'How high is the sky?');
    const session = `/organizations/${organization}/playground/session`;
    const playground = await call<{ key: string }>(ada.page, 'POST', session);
    await ask(playground.key, QWEN, 'How far is the moon?');
    await leave(agent.key);
    const listed = () =>
      call<{ data: object[] }>(ada.page, 'GET', `/organizations/${organization}/usage`);
    await until(async () => (await listed()).data.length === 7, 'a request whose client left');
  });

  test('sums, chart, groups and single requests are of the same seven', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    await totals(page).getByText('0 failed, 1 canceled').waitFor();
    await page
      .getByRole('img', { name: /^Cost by model, by day/ })
      .locator('.recharts-surface')
      .waitFor();
    const groups = byGroup(page, 'model');
    await groups.getByRole('button', { name: KIMI }).waitFor();
    expect(await rowsOf(groups).count()).toBe(2);
    await areListed(page, LATEST);
    await page.getByText('Canceled by client', { exact: true }).waitFor();
    const speeds = requests(page).getByTitle('Completion tokens per second after the first token');
    expect(await speeds.filter({ hasText: /^[\d,.]+$/ }).count()).toBeGreaterThanOrEqual(4);
    // The costs of the models are terms of the total, also as they are shown.
    const costs = await rowsOf(groups).locator('td:nth-child(2) > .tabular-nums').allTextContents();
    const total = totals(page)
      .getByText('Cost', { exact: true })
      .locator('..')
      .locator('p.text-2xl .tabular-nums');
    const shown = [(await total.textContent()) ?? '', ...costs].map((text) => text.slice(1));
    expect(new Set(shown.map((text) => text.length)).size, shown.join()).toBe(1);
    const [whole = 0n, ...parts] = shown.map(picoOf);
    expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(whole);
    // So have the chart and the requests.
    const [digits = 0] = shown.map((text) => text.length);
    const chart = page.getByRole('img', { name: /^Cost by model, by day/ });
    await chart.locator('.recharts-bar-rectangle').last().hover();
    const bubble = chart.locator('.recharts-tooltip-wrapper');
    await bubble.getByText('Total', { exact: true }).waitFor();
    const told = (await bubble.allInnerTexts()).join().match(/\$[\d.]+/g) ?? [];
    expect(told.map((text) => text.length - 1)).toEqual([digits, digits, digits]);
    const charged = await requests(page).locator('td:nth-child(5)').allTextContents();
    expect(new Set(charged.map((text) => text.length)).size, charged.join()).toBe(1);
    expect(charged[0]?.length).toBeGreaterThanOrEqual(digits + 1);
    await page.mouse.move(0, 0);
    await ada.look('usage-filled');
  });

  test('a click on the figures of a model shows only that model', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    const row = rowsOf(byGroup(page, 'model')).filter({ hasText: KIMI });
    await row.getByRole('cell').nth(2).click();
    await page.getByRole('button', { name: `Model: ${KIMI}` }).waitFor();
    await areListed(page, 1);
  });

  test('on a phone each request is two lines, and leads to its page', async () => {
    const { page } = ada;
    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(usagePath());
    await areListed(page, LATEST);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(390);
    expect((await requests(page).first().boundingBox())?.height).toBeLessThan(72);
    await requests(page).first().getByRole('link').click();
    await page.getByRole('region', { name: 'Cost, line by line' }).waitFor();
    expect(await width()).toBe(390);
    if (size) await page.setViewportSize(size);
  });

  test('another group, measure and time stand in the address, survive a reload, and can be shared', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    await page.getByRole('radio', { name: 'Key', exact: true }).click();
    const costs = page.getByRole('img', { name: /^Cost by key, by day/ });
    await costs.locator('.recharts-bar-rectangle').last().hover();
    await costs.getByText('Total', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Measure' }).selectOption('Tokens');
    await page.getByRole('radio', { name: '1 hour', exact: true }).click();
    const isShown = async (shown: Page) => {
      await shown.getByRole('img', { name: /^Tokens by key, by minute/ }).waitFor();
      const names = rowsOf(byGroup(shown, 'key')).getByRole('button');
      expect((await names.allTextContents()).toSorted()).toEqual(['Agent', 'Nightly batch']);
      // All keys of the playground count as one group, so that nobody has to find them by their
      // ids.
      await rowsOf(byGroup(shown, 'key')).getByText('Playground').waitFor();
    };
    await isShown(page);
    const { search } = new URL(page.url());
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual({
      group: 'key',
      measure: 'tokens',
      range: '1h',
    });
    await page.reload();
    await isShown(page);
    await ada.look('usage-by-key');

    await using operator = await Visitor.operator(browser, up);
    await operator.page.goto(page.url());
    await isShown(operator.page);
  });

  test('latency and the share of the cache are drawn as lines', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?range=1h&measure=ttft`);
    const chart = page.getByRole('img', {
      name: /^Median time to first token by model, by minute/,
    });
    await chart.locator('.recharts-line').first().waitFor({ state: 'attached' });
    await ada.look('usage-latency');
    await totals(page)
      .getByText(/^~[\d,.]+ tokens\/s$/)
      .waitFor();
    await page.getByRole('combobox', { name: 'Measure' }).selectOption('Tokens per second');
    await page.getByRole('img', { name: /^Tokens per second by model, by minute/ }).waitFor();
    await page.getByRole('combobox', { name: 'Measure' }).selectOption('Cached share');
    await page.getByRole('img', { name: /^Cached share by model, by minute/ }).waitFor();
    // Less than half of the prompts of the day were cached, so the axis does not go up to 100%.
    await page.goto(`${usagePath()}?measure=cached`);
    const shares = page.getByRole('img', { name: /^Cached share by model, by day/ });
    await shares.getByText('0%', { exact: true }).waitFor();
    expect(await shares.getByText('100%', { exact: true }).count()).toBe(0);
  });

  test('the number of failed and canceled requests leads to them in the logs', async () => {
    const { page } = ada;
    for (const path of [usagePath(), `/${organization}`]) {
      await page.goto(path);
      await page.getByText('0 failed, 1 canceled').waitFor();
      await page.getByRole('link', { name: '1 canceled' }).click();
      await page.waitForURL(/\/logs\?.*status=canceled/);
      const rows = rowsOf(page.getByRole('region', { name: 'Requests', exact: true }));
      await expect.poll(() => rows.count(), { timeout: 15_000 }).toBe(1);
      await rows.getByText('Canceled').waitFor();
    }
    // Beside another filter of statuses, the logs would list others.
    await page.goto(`${usagePath()}?status=4xx`);
    await totals(page).getByText('0 failed, 1 canceled').waitFor();
    expect(await page.getByRole('link', { name: '1 canceled' }).count()).toBe(0);
  });

  test('the totals are compared with the previous period', async () => {
    const { page } = ada;
    // The service is new, so the hour before has nothing. Its query gets sums of its own for the period
    // that it asks for, made of those of this hour.
    const ofBefore = (url: URL) =>
      url.pathname.endsWith('/usage/summary') && !url.searchParams.has('group_by');
    await page.route(ofBefore, async (route) => {
      const url = new URL(route.request().url());
      const [start, end] = ['start', 'end'].map((name) => url.searchParams.get(name) ?? '');
      url.searchParams.set('start', end ?? '');
      url.searchParams.delete('end');
      const response = await route.fetch({ url: url.href });
      const { totals: sums, ...rest } = await response.json();
      const earlier = {
        cost: (Number(sums.cost) / 4).toFixed(12),
        requests: sums.requests - 2,
        prompt_tokens: sums.prompt_tokens / 2,
        cached_tokens: sums.cached_tokens / 4,
        completion_tokens: sums.completion_tokens / 2,
        ttft_ms: { p50: sums.ttft_ms.p50 * 2, p90: sums.ttft_ms.p90 * 2 },
        duration_ms: { p50: sums.duration_ms.p50 * 1.25, p90: sums.duration_ms.p90 * 1.25 },
      };
      const json = { ...rest, start, end, totals: { ...sums, ...earlier } };
      await route.fulfill({ response, json });
    });
    await page.goto(`${usagePath()}?range=1h`);
    await page.getByText(/^Compared with the previous period/).waitFor();
    for (const change of ['+300%', '+40%', '+100%', '-50%', '-20%']) {
      await totals(page).getByText(change, { exact: true }).waitFor();
    }
    await totals(page)
      .getByText(/^\+28\.\d points$/)
      .waitFor();
    await ada.look('usage-compared');
    await page.unrouteAll();
    await page.reload();
    await totals(page).getByText('0 failed, 1 canceled').waitFor();
    expect(await page.getByText(/^Compared with/).count()).toBe(0);
  });

  test('filters narrow everything, and survive a reload', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Filter by key' }).click();
    await page.getByRole('option', { name: 'Agent', exact: true }).waitFor();
    await ada.look('usage-filter-menu');
    await page.getByRole('option', { name: 'Agent', exact: true }).click();
    await page.keyboard.press('Escape');
    await filters.getByRole('button', { name: 'Key: Agent' }).waitFor();
    await areListed(page, 3);
    await byGroup(page, 'model').getByRole('button', { name: KIMI }).click();
    await areListed(page, 1);
    expect(new URL(page.url()).searchParams.get('model')).toBe(KIMI);
    expect(new URL(page.url()).searchParams.get('key')).toBe(agent.id);
    await ada.look('usage-filtered');

    await page.reload();
    await filters.getByRole('button', { name: `Model: ${KIMI}` }).waitFor();
    await areListed(page, 1);
  });

  test('a click on a name below the chart filters by its group, which keeps its colour', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    await areListed(page, LATEST);
    const legend = page.getByRole('list', { name: 'Legend' });
    const kimi = legend.getByRole('listitem').filter({ hasText: KIMI });
    const colour = () => kimi.locator('rect').getAttribute('fill');
    const before = await colour();
    await kimi.getByRole('button').click();
    await expect.poll(() => legend.getByRole('listitem').count()).toBe(1);
    expect(await colour()).toBe(before);
    expect(new URL(page.url()).searchParams.get('model')).toBe(KIMI);
    // A second click shows all of them again.
    await kimi.getByRole('button').click();
    await expect.poll(() => legend.getByRole('listitem').count()).toBeGreaterThan(1);
  });

  test('a click on a bar chooses its day, as it does in Logs, and filters nothing', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?range=7d`);
    await page.getByText('Click a bar or drag over several to show only their days.').waitFor();
    await page.getByText('Click a name to show only that model, and again').waitFor();
    await page.locator('.recharts-bar-rectangle path').last().click();
    const today = new Date().toISOString().slice(0, 10);
    await page.waitForURL(`**/usage?from=${today}&to=${today}`);
    await areListed(page, LATEST);
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/range=7d$/);
    await page.getByLabel('Measure').selectOption('Median time to first token');
    await page.getByText('Click the chart or drag over it to show only those days.').waitFor();
    const line = page.getByRole('img', { name: / by model, by / });
    await line.locator('.recharts-line').first().waitFor({ state: 'attached' });
    const { x, y, width, height } = (await line.boundingBox()) ?? expect.fail('no chart');
    // Left of the drawing are the numbers of the axis.
    await page.mouse.click(x + 2, y + height / 2);
    await page.mouse.click(x + width - 10, y + height / 2);
    await page.waitForURL(new RegExp(`from=${today}&to=${today}`));
  });

  test('days of the chart are chosen with the keyboard, one or several', async () => {
    const { page } = ada;
    // Over the chart, the pointer would say which day is shown, not the keyboard.
    await page.mouse.move(0, 0);
    await page.goto(`${usagePath()}?range=7d`);
    const chart = page.getByRole('img', { name: / by model, by / }).locator('svg[tabindex]');
    const isAt = (days: number) => bubbleIsAt(page, days);
    await chart.focus();
    await isAt(6);
    await page.keyboard.press('ArrowRight');
    await isAt(5);
    await page.keyboard.press('Shift+ArrowRight');
    await isAt(4);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`from=${dayOf(5)}&to=${dayOf(4)}`));
    await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/range=7d/);
    await chart.focus();
    for (const days of [5, 4, 3, 2, 1, 0]) {
      await page.keyboard.press('ArrowRight');
      await isAt(days);
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`from=${dayOf(0)}&to=${dayOf(0)}`));
    // The chart of this day has the focus.
    await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('application');
  });

  test('the arrow keys move although the pointer rests over the chart, until it moves again', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?range=7d`);
    const chart = page.getByRole('img', { name: / by model, by / }).locator('svg[tabindex]');
    const { x, y, width, height } = (await chart.boundingBox()) ?? expect.fail('no chart');
    await page.mouse.move(x + width - 10, y + height / 2);
    await bubbleIsAt(page, 0);
    await chart.focus();
    await bubbleIsAt(page, 0);
    for (const days of [5, 4]) {
      await page.keyboard.press('ArrowRight');
      await bubbleIsAt(page, days);
    }
    await page.mouse.move(x + width - 12, y + height / 2);
    await bubbleIsAt(page, 0);
    // A choice of several days begins where the keys are, and not at the pointer.
    await page.keyboard.press('Shift+ArrowRight');
    await bubbleIsAt(page, 3);
    await page.keyboard.press('Shift+ArrowRight');
    await bubbleIsAt(page, 2);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`from=${dayOf(3)}&to=${dayOf(2)}`));
    await page.mouse.move(0, 0);
  });

  test('a filter takes several values, which stand in the address and are one file', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?key=${agent.id}`);
    await areListed(page, 3);
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Key: Agent' }).click();
    await page.getByRole('option', { name: 'Nightly batch', exact: true }).click();
    await areListed(page, LATEST);
    await ada.look('usage-filter-of-two');
    await page.keyboard.press('Escape');
    await filters.getByRole('button', { name: 'Key: Agent, Nightly batch' }).waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toBe(`${agent.id},${batch.id}`);
    await page.reload();
    await areListed(page, LATEST);
    await page.getByRole('link', { name: 'All requests in Logs' }).click();
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toBe(`${agent.id},${batch.id}`);
    const link = page.getByRole('link', { name: 'CSV of these requests' });
    expect(await downloaded(page, link)).toHaveLength(6);
    await page.goBack();
    await filters.getByRole('button', { name: 'Key: Agent, Nightly batch' }).click();
    await page.getByRole('option', { name: 'Agent', exact: true }).click();
    await page.keyboard.press('Escape');
    await filters.getByRole('button', { name: 'Key: Nightly batch' }).waitFor();
    await areListed(page, 3);
  });

  test('filters that nothing matches say so, and are taken out, by keyboard too', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?key=${agent.id}&source=api`);
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Filter by status' }).click();
    await page.getByRole('menuitemcheckbox', { name: '5xx, failed' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('No requests match these filters').waitFor();
    await ada.look('usage-none-match');
    await filters.getByRole('button', { name: 'Remove filter: Status' }).focus();
    await page.keyboard.press('Enter');
    await filters.getByRole('button', { name: 'Filter by status' }).waitFor();
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toBe('Filter by status');
    await filters.getByRole('button', { name: 'Clear filters' }).click();
    await areListed(page, LATEST);
    expect(new URL(page.url()).search).toBe('');
  });

  test('days are chosen from a calendar, and shown in UTC', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?range=7d`);
    await page.getByRole('button', { name: 'Custom range' }).click();
    const today = new Date().toISOString().slice(0, 10);
    const sixDaysAgo = new Date(Date.parse(today) - 6 * 86_400_000).toISOString().slice(0, 10);
    // The dialog opens at the days that are shown.
    expect(await page.getByLabel('First day').inputValue()).toBe(sixDaysAgo);
    expect(await page.getByLabel('Last day').inputValue()).toBe(today);
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByLabel('Last day').fill(today);
    await ada.look('usage-days');
    await page.getByRole('button', { name: 'Show these days' }).click();
    await page.getByText('Summed by month, in UTC.').waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('from')).toBe('2026-01-01');
    expect(searchParams.get('to')).toBe(today);
    await areListed(page, LATEST);
  });

  test('a drag over the chart chooses its days, and Escape leads back', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?range=7d`);
    const chart = page.getByRole('img', { name: / by model, by / });
    await chart.locator('.recharts-surface').waitFor();
    const drag = async (one: number, other: number) => {
      const { x, y, width, height } = (await chart.boundingBox()) ?? expect.fail('no chart');
      await page.mouse.move(x + one * width, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + other * width, y + height / 2, { steps: 3 });
      await page.mouse.up();
      await page.waitForURL(/from=20[\d-]+&to=20[\d-]+/);
      await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
    };
    const leadsBack = async () => {
      await page.keyboard.press('Escape');
      await page.waitForURL(/range=7d/);
      expect(page.url()).not.toContain('from=');
    };
    await drag(0.6, 0.99);
    // The bubble does not stay where it was before.
    const bubble = page.locator('.recharts-tooltip-wrapper p');
    await expect.poll(() => bubble.count()).toBe(0);
    await leadsBack();
    // From days without a request, which have no chart, there is a way back, too.
    await drag(0.2, 0.4);
    await page.getByText('No requests in this period').waitFor();
    await leadsBack();
  });

  test('times are in the time zone of the reader, or in UTC, which the browser keeps', async () => {
    const { page } = ada;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' });
    await page.goto(`${usagePath()}?range=1h`);
    await page.getByText('Newest first, in your time zone.').waitFor();
    await page.getByText(/Times are in your time zone, Asia\/(Kolkata|Calcutta)\./).waitFor();
    const first = requests(page).first().locator('time');
    const isShownIn = async (timeZone: string) => {
      const at = new Date((await first.getAttribute('datetime')) ?? '');
      const day = { month: 'short', day: 'numeric' } as const;
      const time = { hour: 'numeric', minute: '2-digit' } as const;
      const expected = new Intl.DateTimeFormat('en-US', { ...day, ...time, timeZone }).format(at);
      expect(await first.textContent()).toBe(expected);
    };
    await isShownIn('Asia/Kolkata');
    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    await page.getByText('Newest first, in UTC.').waitFor();
    await page.getByText('Times are in UTC.').waitFor();
    await isShownIn('UTC');
    await ada.look('usage-utc');
    // A tab that is open already follows.
    const other = await page.context().newPage();
    await other.goto(`${usagePath()}?range=1h`);
    await other.getByText('Times are in UTC.').waitFor();
    await page.getByRole('radio', { name: 'Local', exact: true }).click();
    await other.getByText('Newest first, in your time zone.').waitFor();
    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    await other.getByText('Newest first, in UTC.').waitFor();
    await other.close();
    await page.reload();
    await page.getByText('Newest first, in UTC.').waitFor();
    await requests(page).first().getByRole('link').click();
    await page
      .getByText(/\d\d:\d\d [AP]M UTC$/)
      .first()
      .waitFor();
    // The days of usage are days of UTC in both cases, so that nothing else is offered.
    await page.goto(usagePath());
    await page.getByText('Summed by day, in UTC.').waitFor();
    expect(await page.getByRole('radio', { name: 'Local', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Times in your time zone' }).click();
    await page.getByText('Newest first, in your time zone.').waitFor();
    await page.getByText('Summed by day, in UTC.').waitFor();
    await devtools.detach();
  });

  test('what the files sum up to is what the page shows, and what the ledger took', async () => {
    const { page } = ada;
    await page.goto(usagePath());
    await totals(page).waitFor();
    const sums = await downloaded(page, page.getByRole('link', { name: 'CSV of these sums' }));
    await page.getByRole('link', { name: 'All requests in Logs' }).click();
    const list = await downloaded(page, page.getByRole('link', { name: 'CSV of these requests' }));
    expect(list).toHaveLength(7);
    await page.goBack();
    const cost = sumOf(list, 'cost');
    expect(cost).toBeGreaterThan(0n);
    expect(sumOf(sums, 'cost')).toBe(cost);
    const { balance } = await call<{ balance: string }>(
      page,
      'GET',
      `/organizations/${organization}/credit`,
    );
    expect(WELCOME - (parseUsd(balance) ?? 0n)).toBe(cost);
    await totals(page)
      .getByTitle(exactUsd(formatUsd(cost)), { exact: true })
      .waitFor();
    const saved = sumOf(sums, 'cached_savings');
    expect(saved).toBeGreaterThan(0n);
    await totals(page)
      .getByTitle(exactUsd(formatUsd(saved)), { exact: true })
      .waitFor();
  });

  test('a request leads to its detail, whose lines sum up to its cost, and back to where one was', async () => {
    const { page } = ada;
    await page.goto(`${usagePath()}?key=${batch.id}`);
    await page.getByRole('button', { name: 'Key: Nightly batch' }).waitFor();
    await requests(page).nth(1).getByRole('link').click();
    await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
    await page.getByText(completion).waitFor();
    const lines = rowsOf(page.getByRole('region', { name: 'Cost, line by line' }));
    expect(await lines.count()).toBe(4);
    const amounts = (await lines.locator('td:last-child').allTextContents()).map(
      (text) => parseUsd(text.replace('$', '')) ?? 0n,
    );
    const total = amounts.pop();
    expect(total).toBeGreaterThan(0n);
    expect(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n)).toBe(total);
    const headline = page.getByRole('region', { name: 'Figures' });
    await headline.getByText(exactUsd(formatUsd(total ?? 0n)), { exact: true }).waitFor();
    await page.getByText(/^[\d,.]+ completion tokens\/s after the first token$/).waitFor();
    await page.getByText(/Cached tokens saved \$0\.\d+\./).waitFor();
    await page.getByText(/Prompts and responses are never stored/).waitFor();
    await page.getByRole('button', { name: 'Copy the request ID' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(page.url().endsWith(copied)).toBe(true);
    await ada.look('request');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Key: Nightly batch' }).waitFor();
  });

  test('a page of the list without a row is not its end', async () => {
    const { page } = ada;
    // The API's answer when none of the latest ten thousand requests matches the filter.
    const first = (url: URL) => url.pathname.endsWith('/usage') && !url.searchParams.has('after');
    await page.route(first, async (route) => {
      if (!route.request().url().includes('/api/')) return await route.continue();
      await route.fulfill({ json: { data: [], has_more: true, next: '1000' } });
    });
    await page.goto(usagePath());
    await page.getByText('Older requests may match').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await areListed(page, LATEST);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.unroute(first);
  });

  test('the list of requests does not wait for the sums, nor the overview for its keys', async () => {
    const { page } = ada;
    const isCall = (url: URL, end: string) =>
      url.pathname.startsWith('/api/') && url.pathname.endsWith(end);
    const isAnswered = (end: string) =>
      page.waitForResponse((answer) => isCall(new URL(answer.url()), end));
    for (const [path, held, meanwhile] of [
      [usagePath(), '/usage/summary', '/usage'],
      [`/${organization}`, '/keys', '/usage/summary'],
    ] as const) {
      const gate = Promise.withResolvers<void>();
      const isHeld = (url: URL) => isCall(url, held);
      await page.route(isHeld, async (route) => {
        await gate.promise;
        await route.continue();
      });
      const answered = isAnswered(meanwhile);
      await page.goto(path);
      await answered;
      const rest = isAnswered(held);
      gate.resolve();
      await rest;
      await page.unroute(isHeld);
    }
  });

  test('a request that is none says so', async () => {
    await ada.page.goto(`${usagePath()}/req_00000000000000000000000000`);
    await ada.page.getByText('Request not found').waitFor();
    await ada.page.getByText('If the response was 401 because the API key is unknown').waitFor();
    await ada.page.locator('#content').getByRole('link', { name: 'Go to Logs' }).waitFor();
  });

  test('a viewer sees all of it', async () => {
    const email = 'vera@example.com';
    const { url } = await call<{ url: string }>(
      ada.page,
      'POST',
      `/organizations/${organization}/invitations`,
      { email, role: 'viewer' },
    );
    const invitation = new URL(url).hash.replace('#token=', '');
    await using vera = await Visitor.open(browser, up);
    const password = 'three blue herons at dawn';
    await call(vera.page, 'POST', '/sign-up', { email, password, name: 'Vera', invitation });
    await vera.page.goto(usagePath());
    await totals(vera.page).getByText('0 failed, 1 canceled').waitFor();
    await vera.page.getByRole('link', { name: 'All requests in Logs' }).click();
    const link = vera.page.getByRole('link', { name: 'CSV of these requests' });
    expect(await downloaded(vera.page, link)).toHaveLength(7);
    await vera.page.goto(`${usagePath()}?from=2020-01-01&to=2020-01-02`);
    await vera.page.getByRole('link', { name: 'See API keys' }).waitFor();
  });
});
