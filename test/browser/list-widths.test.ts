/** Lists with names and figures as customers have them, in the windows of laptops. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up, until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { DESKTOPS, tooWide } from './tables.ts';
import { Visitor } from './visitor.ts';

const QWEN = 'qwen/qwen3-235b-a22b-instruct-2507';
const DEEPSEEK = 'deepseek-ai/deepseek-v4-flash';
const messages = [{ role: 'user', content: 'Summarize the minutes of the meeting of Monday.' }];
/** A line of text and the padding of a row. */
const ROW_PX = 46;

let up: Up;
let ada: Visitor;
let id: string;
beforeAll(async () => {
  // With several regions, a model has a state in each.
  up = await Up.start(['--regions']);
  ada = await Visitor.signedUp(browser, up, {
    name: 'Mara Lindqvist',
    email: 'mara@lumen.example',
  });
  id = await ada.organization();
  const headers = { origin: up.origin };
  const key = async (fields: object): Promise<{ id: string; key: string }> => {
    const path = `/api/v1/organizations/${id}/keys`;
    const made = await ada.page.request.post(path, { data: fields, headers });
    expect(made.ok(), await made.text()).toBe(true);
    return (await made.json()) as { id: string; key: string };
  };
  const ask = async ({ key: with_ }: { key: string }, model: string, fields: object = {}) => {
    const answer = await up.post(
      '/chat/completions',
      { model, max_tokens: 40, messages, ...fields },
      { headers: { authorization: `Bearer ${with_}`, 'content-type': 'application/json' } },
    );
    await answer.text();
    return answer.status;
  };
  const batch = await key({
    name: 'Nightly summaries of support tickets, production',
    monthly_cap: '2500',
    daily_cap: '125',
    limits: { requests_per_minute: 1_200, tokens_per_minute: 2_000_000 },
    allowed_models: [QWEN, DEEPSEEK],
    expires: '2099-12-31T00:00:00.000Z',
  });
  const capped = await key({ name: 'Demo (capped)', daily_cap: '0.000000001' });
  for (const model of [QWEN, DEEPSEEK]) expect(await ask(batch, model)).toBe(200);
  expect(await ask(batch, 'moonshotai/kimi-k2.5')).toBe(403);
  for (let sent = 0; sent < 3; sent += 1) expect(await ask(capped, QWEN)).toBe(429);
  expect(await ask(batch, QWEN, { max_tokens: 0 })).toBe(400);
  const isCapped = ({ code }: { code: string }) => code === 'key_limit_reached';
  await until(async () => (await up.refusals(id)).filter(isCapped).length === 3, 'the refusals');
  await until(async () => (await up.usage(id)).length === 2, 'the usage');
}, 180_000);
afterAll(async () => {
  await ada[Symbol.asyncDispose]();
  await up[Symbol.asyncDispose]();
});

async function opened(path: string): Promise<Page> {
  const { page } = ada;
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('main').locator('tbody tr').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  return page;
}

test('no list of a customer is wider than its card', async () => {
  const wide: string[] = [];
  for (const path of [
    `/${id}`,
    `/${id}/keys`,
    `/${id}/usage`,
    `/${id}/usage?group=key`,
    `/${id}/logs`,
    `/${id}/billing?view=activity`,
    `/${id}/billing?view=statements`,
    `/${id}/members`,
    `/${id}/audit`,
    '/catalog',
  ]) {
    wide.push(...(await tooWide(await opened(path))));
  }
  expect(wide).toEqual([]);
});

test('a key has its menu in sight, and says how many requests its cap has refused', async () => {
  const page = await opened(`/${id}/keys`);
  const capped = page.getByRole('row').filter({ hasText: 'Demo (capped)' });
  for (const size of DESKTOPS) {
    await page.setViewportSize(size);
    const list = await page.getByRole('region', { name: 'API keys' }).boundingBox();
    const menu = await capped.getByRole('button', { name: /^Actions for/ }).boundingBox();
    expect((menu?.x ?? Infinity) + (menu?.width ?? 0)).toBeLessThan(
      (list?.x ?? 0) + (list?.width ?? 0),
    );
  }
  // Also where the columns have no room beside each other.
  await page.setViewportSize({ width: 800, height: 800 });
  const menu = capped.getByRole('button', { name: /^Actions for/ });
  const [list, dots] = [
    await page.getByRole('region', { name: 'API keys' }).boundingBox(),
    await menu.boundingBox(),
  ];
  expect((dots?.x ?? Infinity) + (dots?.width ?? 0)).toBeLessThan(
    (list?.x ?? 0) + (list?.width ?? 0),
  );
  await ada.look('keys-over-cap');
  const refused = capped.getByRole('link', { name: '3 over the cap today' });
  expect(await page.getByText('over the cap today').count()).toBe(1);
  await refused.click();
  await page.getByRole('heading', { level: 1, name: 'Logs' }).waitFor();
  // The logs begin with the day (UTC) that is counted.
  expect(page.url()).toMatch(/[?&]from=[^&]*T00/);
  const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
  await expect.poll(() => rows.filter({ hasText: 'key_limit_reached' }).count()).toBe(3);
  expect(await rows.count()).toBe(3);
});

test('a request is one line in the logs, and two on a phone, without the names of its figures', async () => {
  const page = await opened(`/${id}/logs`);
  const rows = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(7);
  const heights = () => rows.evaluateAll((all) => all.map((row) => row.clientHeight));
  for (const size of DESKTOPS) {
    await page.setViewportSize(size);
    expect(Math.max(...(await heights())), `${size.width}`).toBeLessThan(ROW_PX);
  }
  const served = rows.filter({ hasText: 'Hit token limit' }).first();
  await served.getByText(/^\d+ → 40$/).waitFor();
  await rows
    .filter({ hasText: 'invalid_value' })
    .getByText(/max_tokens/)
    .waitFor();
  await ada.look('logs-lines');
  for (const path of [`/${id}/logs`, `/${id}/usage`]) {
    await opened(path);
    await page.setViewportSize({ width: 390, height: 844 });
    const list = page.getByRole('region', { name: /^(Requests|Latest requests)$/ });
    const shown = list.locator('tbody tr');
    await shown.first().waitFor();
    const most = Math.max(
      ...(await shown.evaluateAll((all) => all.map((row) => row.clientHeight))),
    );
    expect(most, path).toBeLessThan(1.6 * ROW_PX);
    const labels = await list
      .locator('tbody td')
      .filter({ visible: true })
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
    expect(new Set(labels).size, labels.join()).toBe(1);
    await page.setViewportSize({ width: 1360, height: 900 });
  }
});
