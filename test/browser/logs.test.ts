/** Logs: served and refused requests in one list, and from a request's id to its cause and cure. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

/** Two lines of a table are higher. */
const LINE_PX = 30;
const QWEN = 'qwen/qwen3-235b-a22b-instruct-2507';

let ada: Visitor;
let organization: string;
let key: string;
/** The ids that their sender got. */
let served: string;
let unknownModel: string;
beforeAll(async () => {
  ada = await Visitor.signedUp(browser, up, { name: 'Ada', email: 'ada@example.com' });
  organization = await ada.organization();
  const answer = await ada.page.request.post(`/api/v1/organizations/${organization}/keys`, {
    data: { name: 'Agent' },
    headers: { origin: up.origin },
  });
  ({ key } = (await answer.json()) as { key: string });
});
afterAll(() => ada[Symbol.asyncDispose]());

/** Sends a request, and returns its id. */
async function send(fields: object): Promise<string> {
  const body = {
    model: QWEN,
    max_tokens: 8,
    messages: [{ role: 'user', content: 'Hello.' }],
    ...fields,
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await up.post('/chat/completions', body, { headers });
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

const logsPath = () => `/${organization}/logs`;
const rows = (page: Page): Locator =>
  page.getByRole('region', { name: 'Requests' }).locator('tbody tr');

async function areListed(count: number): Promise<void> {
  await expect.poll(() => rows(ada.page).count()).toBe(count);
}

describe('logs', () => {
  test('an organization without requests is told so', async () => {
    await ada.page.goto(logsPath());
    await ada.page.getByText('No requests in this period', { exact: true }).waitFor();
    await ada.page.getByRole('button', { name: 'Show the last 30 days' }).click();
    await ada.page.getByRole('link', { name: 'Create an API key' }).waitFor();
    expect(new URL(ada.page.url()).search).toBe('?range=30d');
    await ada.page.goto(logsPath());
    await ada.page.getByText('No requests in this period', { exact: true }).waitFor();
    await ada.look('logs-empty');
  });

  test('while the list is live, requests appear by themselves, served and refused', async () => {
    const { page } = ada;
    await page.getByRole('switch', { name: 'Live' }).click();
    served = await send({});
    unknownModel = await send({ model: 'lab/none' });
    await send({ temperature: 9 });
    await areListed(3);
    await page.getByText('404 model_not_found').waitFor();
    expect(new URL(page.url()).search).toBe('?live=true');
    await ada.look('logs-live');
    await page.getByRole('switch', { name: 'Live' }).click();
    await areListed(3);
  });

  test('filters narrow both kinds, stand in the address and survive a reload', async () => {
    const { page } = ada;
    await page.goto(logsPath());
    const filters = page.getByRole('group', { name: 'Filters' });
    await filters.getByRole('button', { name: 'Filter by status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Refused', exact: true }).click();
    await areListed(2);
    await filters.getByRole('button', { name: 'Filter by code' }).click();
    // Those that occurred come first.
    await expect
      .poll(async () => (await page.getByRole('option').allInnerTexts()).slice(0, 3))
      .toEqual([
        expect.stringMatching(/^(invalid_value|model_not_found)\s+1 refused$/),
        expect.stringMatching(/^(invalid_value|model_not_found)\s+1 refused$/),
        expect.not.stringContaining('refused'),
      ]);
    await ada.look('logs-codes');
    await page.getByRole('option', { name: 'invalid_value' }).click();
    await areListed(1);
    // The list is long, so it has a search.
    await page.getByLabel('Search: code').fill('MODEL found');
    await expect.poll(() => page.getByRole('option').count()).toBe(1);
    await page.getByRole('option', { name: 'model_not_found' }).click();
    await areListed(2);
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).searchParams.get('code')).toBe('invalid_value,model_not_found');
    await page.goto(`${logsPath()}?status=refused&code=invalid_value`);
    await areListed(1);
    await page.reload();
    await areListed(1);
    await ada.look('logs-filtered');
    await page.goto(`${logsPath()}?status=2xx&model=${QWEN}&range=1h`);
    await areListed(1);
    await page.getByText(/prompt, 8 completion/).waitFor();
  });

  test('refused requests of a model have no figure, on both pages, but a sentence and their list', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=1h&status=refused&model=lab%2Fnone`);
    await areListed(1);
    const volume = page.getByRole('region', { name: 'Volume' });
    await volume
      .getByText('Refused requests are not counted by model. The latest are listed below.')
      .waitFor();
    expect(await volume.getByText('Refused', { exact: true }).count()).toBe(0);
    expect(await volume.getByRole('slider').count()).toBe(0);
    await ada.look('logs-refused-of-model');
    for (const model of [QWEN, 'lab/none']) {
      await page.goto(`/${organization}/usage?model=${encodeURIComponent(model)}`);
      await page.getByText('Refused requests are not counted by model.').waitFor();
    }
    await page.getByRole('link', { name: 'The latest are in Logs' }).click();
    await areListed(1);
    await page.getByText('404 model_not_found').waitFor();
  });

  test('a filter that is opened before its choices have arrived keeps its search and the focus', async () => {
    const { page } = ada;
    const held = Promise.withResolvers<void>();
    const keys = (url: URL) => url.pathname.endsWith('/keys');
    await page.route(keys, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(logsPath());
    await page.getByRole('button', { name: 'Filter by key' }).click();
    const list = page.getByRole('dialog', { name: 'Filter by key' });
    await list.getByText('Loading…').waitFor();
    const search = list.getByLabel('Search: key');
    await search.fill('no such key');
    held.resolve();
    await list.getByText('No matches').waitFor();
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    await search.fill('');
    await list.getByRole('option').first().waitFor();
    await page.unroute(keys);
  });

  test('from a request id to cause and cure it takes three clicks', async () => {
    const { page } = ada;
    await page.goto(`/${organization}`);
    let clicks = 0;
    const click = async (place: Locator) => {
      clicks += 1;
      await place.click();
    };
    await click(page.getByRole('link', { name: 'Logs' }));
    const field = page.getByRole('textbox', { name: 'Request ID' });
    await field.fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the ID of a request').waitFor();
    await ada.look('logs-not-an-id');
    await field.fill(` ${unknownModel}`);
    await click(page.getByRole('button', { name: 'Find' }));
    await page.getByText('No model has this name.').waitFor();
    await page.getByText('The model "lab/none" does not exist').waitFor();
    await ada.look('request-refused');
    await click(page.getByRole('link', { name: 'Go to Models' }));
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    expect(clicks).toBe(3);
  });

  test('a request that was served has a timeline, and is found by the id of its completion', async () => {
    const { page } = ada;
    await page.goto(logsPath());
    await page
      .getByRole('textbox', { name: 'Request ID' })
      .fill(served.replace('req_', 'chatcmpl-'));
    await page.keyboard.press('Enter');
    const timeline = page.getByRole('list', { name: 'Timeline' });
    await timeline.getByText('First token').waitFor();
    await timeline.getByText('Ended').waitFor();
    // It was asked for eight tokens and has eight.
    await page.getByText('Raise max_tokens if the response is incomplete.').waitFor();
    expect(page.url().endsWith(served)).toBe(true);
    await ada.look('request-timeline');
  });

  test('usage shows how many requests were refused, and leads to them', async () => {
    const { page } = ada;
    await page.goto(`/${organization}/usage`);
    await page.getByText('Not counted here: 2 refused', { exact: true }).waitFor();
    await ada.look('usage-refused');
    await page.getByRole('link', { name: '2 refused' }).click();
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('30d');
    await areListed(2);
  });

  test('a failed request says why, and any place of its row opens it', async () => {
    const { page } = ada;
    const { data: agents } = await up.api('GET', '/agents');
    const path = `/agents/${(agents as { id: string }[])[0]?.id}`;
    await up.api('POST', `${path}/drain`);
    const failed = await send({});
    await up.api('POST', `${path}/undrain`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(logsPath());
    await areListed(4);
    const row = rows(page).filter({ hasText: failed });
    await row.getByText('503 no_worker').waitFor();
    expect(await row.getByRole('link').textContent()).toMatch(/\d:\d\d:\d\d/);
    // No column is out of sight.
    const table = page.getByRole('region', { name: 'Requests' });
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await ada.look('logs-failed');
    // A narrower screen shows the cost of each answered request, too.
    await page.setViewportSize({ width: 1280, height: 800 });
    const cost = rows(page).filter({ hasText: served }).getByRole('cell').nth(5);
    expect(await cost.textContent()).toMatch(/^\$0\.0/);
    expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await row.getByText('The model is unavailable: no GPU host serves it at the moment.').click();
    await page.waitForURL(`**/logs/${failed}`);
    // No customer saw a token.
    await page.getByText('No token received').waitFor();
    const marked = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    expect(await marked.allTextContents()).toEqual(['Logs']);
  });

  test('an address of earlier versions leads to the page of the request', async () => {
    const { page } = ada;
    await page.goto(`/${organization}/usage/${served}`);
    await page.waitForURL(`**/${organization}/logs/${served}`);
    await page.getByRole('link', { name: 'Logs', exact: true }).first().waitFor();
  });

  test('the chart counts what the list has, by outcome, and a click on a bar shows its time', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=1h`);
    const outcomes = page.getByRole('list', { name: 'Requests by outcome' });
    await expect.poll(() => outcomes.textContent()).toBe('Succeeded1Canceled0Failed1Refused2');
    await ada.look('logs-volume');
    const chart = page.getByRole('slider', { name: 'Requests over time' });
    // Each outcome has one color: in its bars, in the legend and in the rows of its requests.
    const colorOf = async (place: Locator) =>
      await place.locator('rect').first().getAttribute('fill');
    for (const [outcome, name, text] of [
      ['succeeded', 'Succeeded', served],
      ['failed', 'Failed', '503 no_worker'],
      ['refused', 'Refused', '404 model_not_found'],
    ] as const) {
      const colors = [
        await chart.locator(`rect[data-outcome=${outcome}]`).first().getAttribute('fill'),
        await colorOf(outcomes.getByRole('button', { name })),
        await colorOf(rows(page).filter({ hasText: text })),
      ];
      expect(new Set(colors).size, `${name}: ${colors.join(', ')}`).toBe(1);
    }
    const bars = chart.locator('rect');
    const box = await bars.first().boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 1);
    await page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(page.url());
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
    expect(Date.parse(to) - Date.parse(from)).toBe(60_000);
    await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBeGreaterThan(0);
    await page.goBack();
    await areListed(4);
  });

  test('the time of a click or a drag has a way back, and the chart stays in its place', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=1h`);
    const chart = page.getByRole('slider', { name: 'Requests over time' });
    await chart.locator('rect').first().waitFor();
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    const place = async () => (await chart.boundingBox()) ?? expect.fail('no chart');
    const before = await place();
    const drag = async () => {
      const { x, y, width, height } = before;
      await page.mouse.move(x + 0.3 * width, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + 0.6 * width, y + height / 2, { steps: 3 });
    };
    await drag();
    // Escape ends a drag that is under way.
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(new URL(page.url()).search).toBe('?range=1h');
    for (const lead of [() => reset.click(), () => page.keyboard.press('Escape')]) {
      await drag();
      await page.mouse.up();
      await page.waitForURL(/from=.*to=/);
      await reset.waitFor();
      expect(await place()).toEqual(before);
      await lead();
      await page.waitForURL(/\?range=1h$/);
      await reset.waitFor({ state: 'detached' });
    }
  });

  test('labels of the time axis do not touch each other on a phone', async () => {
    const { page } = ada;
    const desktop = page.viewportSize() ?? expect.fail('no size');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const range of ['1h', '24h', '7d', '30d']) {
      await page.goto(`${logsPath()}?range=${range}`);
      const labels = page.getByRole('region', { name: 'Volume' }).locator('p[aria-hidden] span');
      await labels.first().waitFor();
      const boxes = await labels.evaluateAll((all) =>
        all.map((label) => label.getBoundingClientRect()).filter(({ width }) => width > 0),
      );
      expect(boxes.length, range).toBeGreaterThan(1);
      for (const [at, { left }] of boxes.entries()) {
        expect(left - (boxes[at - 1]?.right ?? -Infinity), range).toBeGreaterThanOrEqual(8);
      }
    }
    await page.setViewportSize(desktop);
  });

  test('with the keyboard, several bars are chosen together', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=24h`);
    const chart = page.getByRole('slider', { name: 'Requests over time' });
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/1 succeeded, 1 failed, 2 refused$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=.*to=/);
    await areListed(4);
  });

  test('an entry of the legend shows only its outcome, and leads back to all', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=24h`);
    const legend = page.getByRole('list', { name: 'Requests by outcome' });
    for (const [name, status, count] of [
      ['Refused', 'refused', 2],
      ['Failed', 'failed', 1],
      ['Succeeded', '2xx', 1],
    ] as const) {
      await legend.getByRole('button', { name }).click();
      await areListed(count);
      expect(new URL(page.url()).searchParams.get('status')).toBe(status);
      await expect
        .poll(() => legend.getByRole('button', { pressed: true }).textContent())
        .toBe(`${name}${count}`);
    }
    await ada.look('logs-one-outcome');
    await legend.getByRole('button', { pressed: true }).click();
    await areListed(4);
  });

  test('a time is chosen by two instants, in the zone of the reader, and filters are kept', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?range=1h&status=2xx`);
    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    const range = page.getByRole('button', { name: 'Custom range' });
    const ground = async (of: Locator) =>
      await of.evaluate((element) => getComputedStyle(element).backgroundColor);
    // What is set to something else than its default is lit, and nothing else.
    const lit = await ground(
      page.getByRole('button', { name: 'Status: Succeeded' }).locator('xpath=..'),
    );
    expect(await ground(range)).not.toBe(lit);
    const code = page.getByRole('button', { name: 'Filter by code' }).locator('xpath=..');
    expect(await ground(code)).not.toBe(lit);
    await range.click();
    await page.getByLabel('From', { exact: true }).fill('2026-01-01T08:30');
    const to = page.getByLabel('To', { exact: true });
    // An address has no such year.
    await to.fill('10000-01-01T00:00');
    await page.getByRole('button', { name: 'Show this time' }).click();
    expect(await to.evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
    await to.fill('2026-01-01T09:30');
    await ada.look('logs-custom');
    await page.getByRole('button', { name: 'Show this time' }).click();
    await page.getByText('No requests match these filters').waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      status: '2xx',
      from: '2026-01-01T08:30Z',
      to: '2026-01-01T09:30Z',
    });
    await ada.look('logs-none-match');
    await page.mouse.move(0, 0);
    await expect.poll(() => ground(range)).toBe(lit);
    await page.getByRole('radio', { name: '1 hour', exact: true }).click();
    await areListed(1);
    await page.getByRole('radio', { name: 'Local', exact: true }).click();
  });

  test('the CSV has what the filters leave', async () => {
    const { page } = ada;
    await page.goto(`${logsPath()}?status=refused,5xx`);
    await areListed(3);
    const link = page.getByRole('link', { name: 'CSV of these requests' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('created,ended,outcome,status,code,message');
  });
});

test('a row has the whole model and why a request was refused, with times as people read them', async () => {
  await using eve = await Visitor.signedUp(browser, up, { name: 'Eve', email: 'eve@example.com' });
  const { page } = eve;
  const id = await eve.organization();
  const ask = async (limits: object, fields: object) => {
    const made = await up.api('POST', `/organizations/${id}/keys`, { name: 'Batch', ...limits });
    const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' };
    const messages = [{ role: 'user', content: 'Hello.' }];
    const body = { model: QWEN, max_tokens: 8, messages, ...fields };
    return (await up.post('/chat/completions', body, { headers })).status;
  };
  expect(await ask({}, {})).toBe(200);
  expect(await ask({ daily_cap: '0.000000001' }, {})).toBe(429);
  expect(await ask({}, { model: 7 })).toBe(400);
  await expect.poll(() => up.refusals(id)).toHaveLength(2);
  await page.setViewportSize({ width: 1440, height: 900 });
  const paths = [`/${id}/logs`, `/${id}`, `/${id}/usage`];
  for (const path of paths) {
    await page.goto(path);
    const model = page.getByRole('cell', { name: QWEN }).first();
    const seen = path === `/${id}` ? page.getByRole('link', { name: QWEN }) : model;
    await seen.waitFor();
    await model.waitFor();
    // Neither cut nor broken, and the table does not scroll sideways.
    const isCut = await seen.evaluate((cell) => cell.scrollWidth > cell.clientWidth);
    const height = await seen.evaluate((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return text.getBoundingClientRect().height;
    });
    const tables = page
      .getByRole('main')
      .getByRole('region')
      .filter({ has: page.locator('table') });
    const hidden = await tables.evaluateAll((boxes) =>
      boxes.map((box) => box.scrollWidth - box.clientWidth),
    );
    expect([path, isCut, height < LINE_PX, Math.max(...hidden)]).toEqual([path, false, true, 0]);
  }
  await page.goto(`/${id}/logs`);
  await expect.poll(() => rows(page).count()).toBe(3);
  const capped = rows(page).filter({ hasText: 'what is left of the daily cap of this key' });
  await capped.getByText(/which is reset at [A-Z][a-z]{2} \d+, \d{4}/).waitFor();
  await rows(page).filter({ hasText: 'invalid_value' }).getByText('Not read').waitFor();
  await eve.look('logs-refused');

  await capped.getByRole('link').click();
  const header = page.locator('main header').first();
  await header.getByText('429 key_limit_reached').waitFor();
  await header.getByRole('button', { name: 'Copy the request ID' }).waitFor();
  await page.getByText(/^Error message: .* which is reset at [A-Z][a-z]{2} \d+, \d{4}/).waitFor();
  await eve.look('request-capped');
  await page.getByRole('link', { name: 'Batch', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Batch' }).waitFor();
});
