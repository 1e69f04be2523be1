/** The history of the fleet, as an operator reads it: by model and by host, and one host of it. */
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HistoryRecorder } from '../../router/history/recorder.ts';
import {
  GPU_MEMORY,
  GPU_USE,
  GPUS,
  KV_USE,
  LISTENED,
  READY,
  RUNNING,
  SAMPLES,
  SERVED,
  SLOTS,
  WORKERS,
} from '../../router/history/figures.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { writeHistory } from '../../router/history/write.ts';
import { openStore } from '../../router/store/open-store.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import type { AgentId } from '../../shared/ids.ts';
import { REGION_NAMES } from '../../shared/region.ts';
import { makeLog } from '../../shared/log.ts';
import { Up } from '../support/up.ts';
import { look, MODEL } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);

/** How many charts the history of the fleet has. */
const CHARTS = 12;

/** It starts the service twice. */
const SLOW = { timeout: 240_000 };

test(
  'the history of the fleet is shown by span, model and host, and every view has an address',
  SLOW,
  async () => {
    await using up = await Up.start();
    const body = { model: MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }] };
    expect((await up.post('/chat/completions', body)).status).toBe(200);
    const { data: agents } = await up.api('GET', '/agents');
    const agent = agents[0].id as AgentId;
    const { id: bare } = await up.api('POST', '/agents', { name: 'without-gpu-figures' });
    // A router that stops writes what it has recorded.
    await up.stop();
    await observeDay(`sqlite:${join(up.data, 'penstock.db')}`, agent, bare);
    await up.run();
    await up.api('POST', `/agents/${agent}/undrain`);

    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    const reports: string[] = [];
    const audits: URL[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/agents/report')) reports.push(request.url());
      if (request.url().includes('/audit?')) audits.push(new URL(request.url()));
    });
    await page.goto('/operator/fleet');
    const totals = page.getByRole('region', { name: 'Totals of the span' }).getByRole('table');
    await page.getByRole('radio', { name: '24 hours', exact: true }).click();
    await page.waitForURL(/span=day/);
    await page.getByRole('radio', { name: 'By model' }).click();
    await totals
      .getByRole('row')
      .filter({ hasText: MODEL })
      .getByText(/^2,8\d\d$/)
      .waitFor();
    await page
      .getByRole('img', { name: 'Tokens per second, over time' })
      .locator('.recharts-surface')
      .waitFor();
    await look(operator, 'operator-fleet-history');
    const desktop = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height: 844 });
    const figures = page.getByRole('figure').filter({ visible: true });
    await expect.poll(() => figures.count()).toBe(3);
    await page.getByRole('button', { name: `Show ${CHARTS - 3} more charts` }).click();
    await expect.poll(() => figures.count()).toBe(CHARTS);
    await page.setViewportSize(desktop);
    await page.getByRole('img', { name: 'Tokens per second, over time' }).hover();
    const bubbles = page.locator('.recharts-tooltip-wrapper').filter({ visible: true });
    // All charts of the page show the instant that the pointer is at, and one of them says which.
    await expect.poll(() => page.locator('.recharts-tooltip-cursor').count()).toBe(CHARTS);
    const titles = bubbles.getByText(/^\d+:\d\d [AP]M$/).filter({ visible: true });
    expect(await titles.count()).toBe(1);
    // The chart under the pointer tells what happened then, and the others only show their values.
    const chart = page.getByRole('img', { name: 'Requests per second, over time' });
    const line = chart.locator('.recharts-reference-line line').first();
    // What has just happened is drawn with the next minute of the history.
    await line.waitFor({ state: 'attached', timeout: 90_000 });
    await line.hover({ force: true, position: { x: 0.5, y: 60 } });
    await expect
      .poll(() =>
        bubbles
          .getByText(/enrolled the host/)
          .filter({ visible: true })
          .count(),
      )
      .toBe(1);
    // No value is a colour without a name.
    const values = bubbles.getByRole('listitem').filter({ visible: true });
    const valueNames = values.locator('span:first-of-type').filter({ visible: true });
    expect(await values.count()).toBeGreaterThan(0);
    expect(await valueNames.count()).toBe(await values.count());
    await chart.getByText(MODEL, { exact: true }).filter({ visible: true }).waitFor();
    // The agent was enrolled in this time, which the charts and the list below them tell.
    const happened = page.getByRole('list', { name: 'Events in this time' });
    await happened.getByText(/enrolled the host "without-gpu-figures"$/).waitFor();
    await page
      .getByText(/^Enrolled( \+\d)?$/)
      .first()
      .waitFor();
    // The names, lines and rows of one grouping do not stay among those of the next. What is recorded
    // since the start may have more models than the day that was written.
    const names = totals.locator('td:first-child');
    const legend = page.getByRole('list', { name: 'Legend' }).getByRole('listitem');
    const lines = chart.locator('.recharts-line');
    const { data: models } = await up.api('GET', '/models');
    for (const [grouping, always, possible] of [
      ['By host', ['local', 'without-gpu-figures'], []],
      ['By region', [REGION_NAMES.global], []],
      ['Whole fleet', ['Whole fleet'], []],
      ['By model', [MODEL], models.map(({ id }: { id: string }) => id)],
    ] as const) {
      await page.getByRole('radio', { name: grouping }).click();
      await expect.poll(() => names.allInnerTexts()).toEqual(expect.arrayContaining([...always]));
      const shown = await names.allInnerTexts();
      expect([...always, ...possible]).toEqual(expect.arrayContaining(shown));
      // Each has a second line, which leads to the bucket that is not over.
      await expect.poll(() => lines.count()).toBe(2 * shown.length);
      const named = grouping === 'Whole fleet' ? [] : shown;
      await expect.poll(() => legend.allInnerTexts()).toEqual(named);
    }
    await page.getByRole('radio', { name: 'By host' }).click();
    await legend.getByText('without-gpu-figures').waitFor();
    await showOneLine(page);
    await zoomIn(page);
    await page.getByRole('radio', { name: 'By model' }).click();
    await page.getByRole('button', { name: 'Custom range' }).click();
    const dialog = page.getByRole('dialog');
    const hoursAgo = (hours: number) =>
      new Date(clock.now() - hours * 60 * MINUTE_MS).toISOString().slice(0, 16);
    await dialog.getByLabel('From').fill(hoursAgo(6));
    await dialog.getByLabel('To', { exact: true }).fill(hoursAgo(4));
    await dialog.getByRole('button', { name: 'Show this time' }).click();
    await page.waitForURL(/from=[^&]+Z&to=[^&]+Z/);
    // Only a drag is reset.
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0);
    const custom = page.url();
    await page.keyboard.press('Escape');
    expect(page.url()).toBe(custom);
    // Of the audit log, only the time of the charts is read.
    await expect
      .poll(() => audits.some(({ searchParams }) => searchParams.has('until')))
      .toBe(true);
    expect(audits.every(({ searchParams }) => searchParams.has('from'))).toBe(true);
    // A minute of every ten has 20 answers and seldom an error.
    const row = totals.getByRole('row').filter({ hasText: MODEL });
    await row.getByText(/^2[3-6]\d$/).waitFor();
    await page.reload();
    await row.getByText(/^2[3-6]\d$/).waitFor();
    expect(await page.getByRole('radio', { name: '24 hours', exact: true }).isChecked()).toBe(
      false,
    );
    await page.getByRole('radio', { name: '24 hours', exact: true }).click();
    await page.waitForURL((url) => !url.search.includes('from='));
    // The host reports of the month are one answer, which a page that is shown for long asks again.
    expect(new Set(reports).size).toBe(1);

    await page.getByRole('combobox', { name: 'Model' }).selectOption(MODEL);
    await page.waitForURL(/model=/);
    await page.getByRole('radio', { name: 'By host' }).waitFor({ state: 'detached' });
    await page.goto('/operator/fleet?span=day&by=agent');
    await totals.getByRole('link', { name: 'local', exact: true }).click();
    await page.waitForURL(`**/operator/hosts/${agent}`);
    await page.getByRole('heading', { level: 1, name: 'local' }).waitFor();
    await page.getByRole('radio', { name: '24 hours', exact: true }).click();
    await totals.getByRole('row').filter({ hasText: 'engine' }).first().waitFor();
    // What is asked first: whether it serves, whether it is slow, and what happened last.
    const hour = page.getByRole('region', { name: 'Last hour' });
    await hour.getByText('No other host serves its models').first().waitFor();
    await hour.getByText('No attempt failed here').waitFor();
    await hour.getByText('Ended the drain of the host').waitFor();
    await hour.getByRole('link', { name: 'Last event' }).click();
    await page.waitForURL(/span=day#events$/);
    await page.getByRole('cell', { name: 'Ended the drain of the host' }).waitFor();
    for (const words of [
      /^Agent started: Penstock \d/,
      'Connected to a router',
      /^Disconnected from a router: /,
      /^Engine found: /,
    ]) {
      await page.getByRole('cell', { name: words }).first().waitFor();
    }
    await page.getByLabel('Note').fill('A fan is replaced on Friday.');
    await page.getByRole('button', { name: 'Add note' }).click();
    const note = page.getByRole('row').filter({ hasText: 'Note: A fan is replaced on Friday.' });
    await note.getByRole('cell', { name: 'Operator', exact: true }).waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('');
    await page.getByLabel('Note').fill('   ');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('Enter a note.').waitFor();
    await page
      .getByRole('img', { name: 'GPU utilization, over time' })
      .locator('.recharts-surface')
      .waitFor();
    await look(operator, 'operator-host');

    await page.goto(`/operator/hosts/${bare}?span=day`);
    await page.getByText('This host reports no GPU figures.').waitFor();
    await page.getByText('This host answered no request in this span.').first().waitFor();
    await page.getByRole('img', { name: 'KV cache in use, over time' }).waitFor();
    expect(await page.getByRole('img', { name: 'GPU utilization, over time' }).count()).toBe(0);
    await look(operator, 'operator-host-without-gpu');
  },
);

/** The choice of the legend holds for all charts. */
async function showOneLine(page: Page): Promise<void> {
  const entry = page.getByRole('button', { name: 'local', exact: true });
  const other = page.getByRole('button', { name: 'without-gpu-figures', exact: true });
  const lines = page.getByRole('img', { name: /, over time$/ }).locator('.recharts-line');
  const all = await lines.count();
  await entry.click();
  await expect.poll(() => lines.count()).toBe(all / 2);
  expect(await entry.getAttribute('aria-pressed')).toBe('true');
  expect(await other.getAttribute('aria-pressed')).toBe('false');
  await other.focus();
  await page.keyboard.press('Shift+Enter');
  await expect.poll(() => lines.count()).toBe(all);
  expect(await other.getAttribute('aria-pressed')).toBe('true');
}

/** A drag over a chart chooses its time; Escape and a button lead back. */
async function zoomIn(page: Page): Promise<void> {
  const chart = page.getByRole('img', { name: 'Requests per second, over time' });
  const reset = page.getByRole('button', { name: 'Reset zoom' });
  const drag = async (from: number, to: number) => {
    await chart.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await chart.boundingBox()) ?? expect.fail('no chart');
    await page.mouse.move(x + from * width, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + to * width, y + height / 2, { steps: 3 });
  };
  // Each address with a time of its own that the page has had, in the end also that of the first
  // drag, had it chosen a time.
  const zoomed = new Set<string>();
  const listen = (frame: Frame) => {
    if (frame.url().includes('from=')) zoomed.add(frame.url());
  };
  page.on('framenavigated', listen);
  await drag(0.2, 0.4);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await drag(0.5, 0.8);
  await page.mouse.up();
  await page.waitForURL(/from=[^&]+Z&to=[^&]+Z/);
  const first = page.url();
  await reset.waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.search.includes('from='));
  expect(page.url()).toContain('span=day');
  await drag(0.6, 0.8);
  await page.mouse.up();
  await page.waitForURL(/from=[^&]+Z&to=[^&]+Z/);
  const second = page.url();
  await reset.click();
  await page.waitForURL((url) => !url.search.includes('from='));
  await reset.waitFor({ state: 'detached' });
  page.off('framenavigated', listen);
  expect([...zoomed]).toEqual([first, second]);
}

/**
 * Writes a day of history into the store of a stopped router, a minute of every ten. The agent
 * `bare` answers nothing, and reports no GPUs.
 */
async function observeDay(url: string, agent: AgentId, bare: AgentId): Promise<void> {
  const log = makeLog('test', 'silent');
  await using store = await openStore({ url, registry: REGISTRY }, { clock, log });
  const now = clock.now();
  const recorder = new HistoryRecorder();
  const region = 'global';
  for (let nth = 1; nth < 144; nth++) {
    const wave = 1 + Math.sin(nth / 12);
    const usage = { promptTokens: 900, cachedTokens: Math.round(300 * wave) };
    const request = { model: MODEL, agent, worker: 'engine', ...usage, completionTokens: 400 };
    for (let answer = 0; answer < 20; answer++) {
      const ttftMs = 150 + 100 * wave + 20 * answer;
      recorder.attempted({ agent, name: 'engine', region }, 'finished', ttftMs);
      recorder.ended(region, MODEL, 200);
      recorder.firstToken(region, MODEL, ttftMs);
      recorder.billed(region, request);
      recorder.generated(region, request, 60 - 10 * wave);
    }
    if (nth % 20 === 0) recorder.ended(region, MODEL, 502);
    const worker = recorder.worker({ agent, name: 'engine', region });
    for (const cell of [recorder.region(region), recorder.model(region, MODEL), worker]) {
      for (const at of [SAMPLES, LISTENED, SERVED, WORKERS, READY, GPUS]) cell?.add(at, 6);
      cell?.add(SLOTS, 6 * 64);
      cell?.add(RUNNING, Math.round(60 * wave));
      cell?.add(KV_USE, Math.round(6 * 400 * wave));
      cell?.add(GPU_USE, Math.round(6 * 450 * wave));
      cell?.add(GPU_MEMORY, 6 * 800);
    }
    const idle = recorder.worker({ agent: bare, name: 'engine', region });
    for (const at of [SAMPLES, WORKERS, READY]) idle?.add(at, 6);
    const minute = now - nth * 10 * MINUTE_MS;
    const batch = { router: 'rtr_of_the_test', number: nth, minute, now, cells: recorder.take() };
    await store.call(writeHistory, batch);
  }
}
