/** The models, the page of one and their status, as visitors and signed-in people see them. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { addToChunk, cellsOf } from '../../router/history/cells.ts';
import { LISTENED, noFigures, SERVED } from '../../router/history/figures.ts';
import { LEVELS } from '../../router/history/levels.ts';
import { HistoryRecorder } from '../../router/history/recorder.ts';
import { seriesOf } from '../../router/history/series.ts';
import { writeHistory } from '../../router/history/write.ts';
import { openStore } from '../../router/store/open-store.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { makeLog } from '../../shared/log.ts';
import { up } from '../support/shared-up.ts';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { DESKTOPS, tooWide } from './tables.ts';
import { Visitor } from './visitor.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const NAME = 'Qwen3 235B A22B Instruct 2507';
const HOUR_MS = 60 * MINUTE_MS;

test('a visitor compares models, and reads what one costs before anybody has used it', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor();
  const rows = page.getByRole('region', { name: 'Models' }).getByRole('row');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('prompt');
  await page.waitForURL(/sort=prompt/);
  const prices = async () =>
    (await rows.locator('td:nth-child(3)').allTextContents()).map((text) =>
      Number(text.replace('$', '')),
    );
  await expect.poll(prices).toEqual((await prices()).toSorted((a, b) => a - b));
  await page.getByRole('searchbox', { name: 'Search models' }).fill('qwen');
  await page.getByText('2 of 6 models').waitFor();
  await page.getByRole('checkbox', { name: `Compare ${NAME}` }).check();
  await page.getByText('Choose up to three more models to compare.').waitFor();
  // The list stays where it is.
  const place = await rows.nth(1).boundingBox();
  await page
    .getByRole('checkbox', { name: /^Compare / })
    .nth(1)
    .check();
  await page.waitForURL(/compare=[^&]*%2C/);
  expect(await rows.nth(1).boundingBox()).toEqual(place);
  await page.getByRole('button', { name: 'Show comparison' }).click();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  expect(await comparison.getByRole('columnheader').count()).toBe(3);
  // Nothing leads to what is in view.
  await page.getByRole('button', { name: 'Show comparison' }).waitFor({ state: 'hidden' });
  // The lower price is marked, and figures that neither model has are left out.
  const completion = comparison.getByRole('row', { name: /^Completion / });
  await completion.getByText('(best)').waitFor();
  expect(await comparison.getByRole('row', { name: /^Time to first token/ }).count()).toBe(0);
  await visitor.look('catalog-visitor');

  await comparison.getByRole('link', { name: NAME }).click();
  await page.waitForURL(`**/catalog/${MODEL}`);
  await page.getByRole('heading', { level: 1, name: NAME }).waitFor();
  const curl = page.getByLabel('curl example', { exact: true }).first();
  await curl.getByText(`${up.ready.base_url}/chat/completions`).waitFor();
  expect(await curl.textContent()).toContain(MODEL);
  // No line of the example is cut.
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await curl.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  // Nothing was measured yet: one line says so, below the code, and no time is proposed.
  await page.getByText('There are no figures yet').waitFor();
  expect(await page.getByText('Choose a longer time').count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Measured figures' }).count()).toBe(0);
  const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(titles.indexOf('Code')).toBeLessThan(titles.indexOf('Measured'));
  expect(titles).not.toContain('Over time');
  await page.getByRole('link', { name: 'Get an API key' }).waitFor();
  const cost = page.getByRole('status', { name: 'Cost' });
  await page.getByRole('textbox', { name: 'Prompt tokens', exact: true }).fill('1,000,000');
  await page.getByRole('textbox', { name: 'Completion tokens' }).fill('0');
  await page.getByRole('textbox', { name: 'Requests' }).fill('2');
  const listed = await page
    .getByRole('region', { name: 'Prices' })
    .getByRole('row')
    .nth(1)
    .getByRole('cell')
    .last()
    .textContent();
  await cost.getByText(listed ?? '', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Requests' }).fill('two');
  await page.getByText('Enter a whole number').waitFor();
  await visitor.look('model-visitor');
});

test('the bar of the models is two lines, and three compared models are no wider than a phone', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/catalog');
  const bar = [
    page.getByRole('searchbox', { name: 'Search models' }),
    page.getByRole('combobox', { name: 'Sort by' }),
    page.getByRole('radiogroup', { name: 'Time of the figures' }),
  ];
  await bar[2]?.waitFor();
  const middles = async () => {
    const boxes = await Promise.all(bar.map((one) => one.boundingBox()));
    return boxes.map((box) => box && Math.round(box.y + box.height / 2));
  };
  for (const size of DESKTOPS) {
    await page.setViewportSize(size);
    const [first, ...others] = await middles();
    for (const other of others) expect(Math.abs((other ?? 0) - (first ?? 0))).toBeLessThan(4);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const boxes = page.getByRole('checkbox', { name: /^Compare / });
  // The last of them, which is out of view, has the best prices.
  for (const at of [1, 2, 4]) await boxes.nth(at).check();
  await page.getByRole('region', { name: 'Comparison' }).getByText('(best)').first().waitFor({
    state: 'attached',
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a model that nobody knows is not found, and the catalog is near', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/catalog/no/such');
  await page.getByText('This model is not in the catalog').waitFor();
  await page.getByRole('link', { name: 'All models' }).click();
  await page.waitForURL('**/catalog');
});

test('where models are hidden from visitors, they sign in first', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route('**/catalog', async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const hidden = text.replace(
      'name="models" content="public"',
      'name="models" content="signed-in"',
    );
    expect(hidden).not.toBe(text);
    await route.fulfill({ response, body: hidden });
  });
  await page.goto('/catalog');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).searchParams.get('next')).toBe('/catalog');
  expect(await page.getByRole('link', { name: 'Models' }).count()).toBe(0);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
});

test('a signed-in person sees the prices of their organization, and gets to the status', async () => {
  await using ada = await Visitor.signedUp(browser, up, { name: 'Ada', email: 'ada@example.com' });
  const { page } = ada;
  const id = await ada.organization();
  const rate = { prompt: '0.00000001', completion: '0.00000002', input_cache_read: '0' };
  await up.api('PUT', `/organizations/${id}/rates/${MODEL}`, rate);
  await page.goto(`/${id}`);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Models' })
    .click();
  await page.getByRole('link', { name: NAME, exact: true }).click();
  const prices = page.getByRole('region', { name: 'Prices' });
  await prices.getByRole('columnheader', { name: 'Your price' }).waitFor();
  await prices.getByRole('cell', { name: '$0.01', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Create API key' }).click();
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  // What a visitor followed leads to the playground of the organization.
  await page.goto(`/playground?model=${encodeURIComponent(MODEL)}`);
  await page.waitForURL(`**/${id}/playground?model=*`);
  await page.getByRole('link', { name: 'Status', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
  await page.getByRole('heading', { level: 2, name: NAME }).waitFor();
});

test('an operator reports an incident, updates it and deletes it, and visitors read it', async () => {
  await using operator = await Visitor.operator(browser, up);
  await using visitor = await Visitor.open(browser, up);
  const { page } = operator;
  const dialog = page.getByRole('dialog');
  await page.goto('/status');
  await page.getByRole('button', { name: 'Report an incident' }).click();
  await dialog.getByRole('button', { name: 'Report incident' }).click();
  await dialog.getByText('Enter a title.').waitFor();
  await dialog.getByLabel('Title').fill('Slow answers');
  // Nobody is told by mistake that everything is affected.
  const preview = dialog.getByRole('region', { name: 'Preview of the status page' });
  await preview.getByText('Affected models · regions').waitFor();
  await dialog.getByLabel('Message').fill('Answers begin some seconds late.');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('We are looking for the cause.');
  await dialog.getByRole('button', { name: 'Report incident' }).click();
  await dialog.getByText('Choose the affected models, or all models.').waitFor();
  // As in a field that was refused, the focus is where there is something to choose.
  const focused = dialog.locator(':focus');
  await expect.poll(() => focused.textContent()).toBe('All models');
  await dialog.getByRole('button', { name: 'All models' }).click();
  await dialog.getByText('Choose the affected models').waitFor({ state: 'detached' });
  // Only one region is served, so that there is nothing to choose.
  await dialog.getByRole('button', { name: 'All regions', pressed: true }).waitFor();
  await preview.getByText('All models · all regions').waitFor();
  // One model takes the place of all.
  await dialog.getByRole('button', { name: NAME }).click();
  await dialog.getByRole('button', { name: 'All models', pressed: false }).waitFor();
  await preview.getByText(`${NAME} · all regions`).waitFor();
  await operator.look('status-report');
  await dialog.getByRole('button', { name: 'Report incident' }).click();
  const current = page.locator('section', { hasText: 'Current incidents' });
  await current.getByText('Slow answers').waitFor();

  await visitor.page.goto('/status');
  const read = visitor.page.locator('section', { hasText: 'Current incidents' });
  await read.getByText('Answers begin some seconds late.').waitFor();
  // Each paragraph keeps its line.
  const shown = await read.getByText('Answers begin some seconds late.').innerText();
  expect(shown).toBe('Answers begin some seconds late.\n\nWe are looking for the cause.');
  await read.getByText(`${NAME} · all regions`).waitFor();
  await visitor.page.getByText('1 open incident: Slow answers').waitFor();
  await visitor.page.getByRole('button', { name: 'Subscribe' }).click();
  const subscribe = visitor.page.getByRole('dialog', { name: 'Subscribe to incidents' });
  await subscribe.getByText(`${new URL(visitor.page.url()).origin}/status.atom`).waitFor();
  await visitor.look('status-subscribe');
  const enter = subscribe.getByRole('link', { name: 'sign in' });
  expect(await enter.getAttribute('href')).toBe('/sign-in?next=%2Faccount');
  const feed = subscribe.getByRole('link', { name: 'Open the feed' });
  expect(await feed.getAttribute('href')).toBe('/status.atom');
  expect(await feed.getAttribute('target')).toBe('_blank');
  await subscribe.getByRole('button', { name: 'Done' }).click();
  const told = await visitor.page.request.get('/status.atom');
  const [, link = ''] = /href="([^"]+#[0-9a-z_]+)"/.exec(await told.text()) ?? [];
  // What is in the feed leads to the incident.
  await visitor.page.goto(link);
  await visitor.page.locator('li[aria-current]', { hasText: 'Slow answers' }).waitFor();
  const row = visitor.page.getByRole('listitem').filter({ hasText: NAME });
  await row.getByText('Incident', { exact: true }).first().waitFor();
  await row.getByRole('button', { name: /Incident: Slow answers$/ }).hover();
  await row.getByText('Incident: Slow answers', { exact: true }).waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Report an incident' }).count()).toBe(0);
  expect(await visitor.page.getByRole('button', { name: /^Delete: / }).count()).toBe(0);

  await page.getByRole('button', { name: 'Post update: Slow answers' }).click();
  await dialog.getByLabel('Message').fill('The cause is known.');
  // What was typed is not lost by accident.
  await page.keyboard.press('Escape');
  const discard = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
  await discard.getByRole('button', { name: 'Keep editing' }).click();
  await discard.waitFor({ state: 'detached' });
  expect(await dialog.getByLabel('Message').inputValue()).toBe('The cause is known.');
  await page.mouse.click(5, 5);
  expect(await dialog.count()).toBe(1);
  await page.keyboard.press('Escape');
  await discard.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resolve: Slow answers' }).click();
  await dialog.getByLabel('Message').fill('A host was replaced.');
  await dialog.getByRole('button', { name: 'Resolve incident' }).click();
  await page.getByText('Incident resolved', { exact: true }).waitFor();
  const past = page.locator('section', { hasText: 'Past incidents' });
  await past.getByText('A host was replaced.').waitFor();
  expect(await current.count()).toBe(0);
  await operator.look('status-incidents');

  await page.getByRole('button', { name: 'Edit: Slow answers' }).click();
  await dialog.getByLabel('Message of the newest update').fill('Two hosts were replaced.');
  await operator.look('status-incident-correct');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await past.getByText('Two hosts were replaced.').waitFor();
  expect(await past.getByText('A host was replaced.').count()).toBe(0);

  await page.getByRole('button', { name: 'Delete: Slow answers' }).click();
  const confirm = page.getByRole('alertdialog');
  await confirm.getByRole('button', { name: 'Delete incident' }).click();
  await past.getByText('No incidents were reported in the last 90 days.').waitFor();
});

test('with traffic, a model has figures, and the status shows its days', {
  timeout: 240_000,
}, async () => {
  await using busy = await Up.start();
  // A router that stops writes what it has recorded.
  await busy.stop();
  await observe(join(busy.data, 'penstock.db'));
  await busy.run();
  await using visitor = await Visitor.open(browser, busy);
  const { page } = visitor;
  await page.goto(`/catalog/${MODEL}`);
  const figures = page.getByRole('region', { name: 'Measured figures' }).getByRole('row');
  const cells = (row: number) => figures.nth(row).getByRole('cell').allTextContents();
  await expect
    .poll(() => cells(1))
    .toEqual([
      'Time to first token, median',
      expect.stringMatching(/^~\d+ ms$/),
      expect.stringMatching(/^~\d+ ms$/),
      expect.stringMatching(/^~\d+ ms$/),
    ]);
  expect(await cells(6)).toEqual(['Requests counted', '300+', '800+', '3,000+']);
  const chart = page.getByRole('img', { name: 'Time to first token, over time' });
  await chart.waitFor();
  expect((await chart.boundingBox())?.width).toBeGreaterThan(400);
  await page
    .getByRole('img', { name: 'Median tokens per second of one answer, over time' })
    .waitFor();
  await page.getByLabel('Time of the charts').getByText('30 days').click();
  await page.waitForURL(/span=month/);
  await page.getByText('Each point is six hours.').waitFor();
  await visitor.look('model-busy');

  await page.goto('/status');
  const row = page.getByRole('listitem').filter({ hasText: NAME }).first();
  await row.getByText(/^9[89]\.\d\d% uptime since [A-Z][a-z]{2} \d+, \d\d:\d\d UTC$/).waitFor();
  await row.getByText('Operational', { exact: true }).waitFor();
  const days = row.getByRole('group', { name: /^Uptime of 1[01] days: below 99\.9% on / });
  await days
    .getByRole('button', { name: /: Not measured$/ })
    .first()
    .waitFor();
  expect(await days.getByRole('button').count()).toBe(30);
  await visitor.look('status');
  await days
    .getByRole('button', { name: /: 9\d\.\d\d% uptime/ })
    .first()
    .hover();
  await row.locator('p', { hasText: /^9\d\.\d\d% uptime, \d+\.\d\d% unavailable$/ }).waitFor();
  const low = days.getByRole('button', { name: /: 9\d\.\d\d% uptime/ }).first();
  await low.click();
  const outages = row.getByRole('region', { name: /^Not available on [A-Z][a-z]{2} \d+$/ });
  expect(await outages.getByRole('listitem').count()).toBeGreaterThan(0);
  const [from, to] = await outages
    .locator('time')
    .evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
  expect(to ?? 0).toBeGreaterThan(from ?? 0);
  await visitor.look('status-outages');
  await low.click();
  await outages.waitFor({ state: 'detached' });
  // With the keyboard, a row is one stop, and each day is reached from there.
  await days.getByRole('button').last().focus();
  await page.keyboard.press('ArrowLeft');
  await row.locator('p', { hasText: /^100% uptime$/ }).waitFor();
  await page.keyboard.press('Home');
  await row.locator('p', { hasText: /^Not measured$/ }).waitFor();
  await page.keyboard.press('Escape');
  await row.locator('p', { hasText: /^Not measured$/ }).waitFor({ state: 'detached' });

  await page.goto('/');
  const shown = page.getByRole('region', { name: 'Models' }).getByRole('row');
  await shown.first().getByRole('columnheader', { name: 'Tokens/s' }).waitFor();
  await visitor.look('landing-busy');

  // Who is signed in sees the same figures.
  await using ada = await Visitor.signedUp(browser, busy, {
    name: 'Ada',
    email: 'ada@example.com',
  });
  await ada.page.goto('/catalog');
  const own = ada.page.getByRole('row').filter({ hasText: MODEL }).first();
  await own.getByText('Operational', { exact: true }).waitFor();
  const [, , , , , first, speed, state] = await own.getByRole('cell').allTextContents();
  expect(first).toMatch(/^~\d+ ms$/);
  expect(Number(speed?.replace('~', ''))).toBeGreaterThan(40);
  expect(state).toMatch(/^Operational9[89]\.\d\d% uptime$/);
  expect(await tooWide(ada.page)).toEqual([]);
  await ada.look('models-busy');
});

/** Writes ten days into the store of a stopped router: an outage of two hours, and requests. */
async function observe(file: string): Promise<void> {
  const log = makeLog('test', 'silent');
  const url = `sqlite:${file}`;
  await using store = await openStore({ url, registry: REGISTRY }, { clock, log });
  const now = clock.now();
  const recorder = new HistoryRecorder();
  let number = 0;
  const write = async (minute: number, samples: number, isServed: boolean, requests: number) => {
    const cell = recorder.model('global', MODEL);
    cell?.add(LISTENED, samples);
    cell?.add(SERVED, isServed ? samples : 0);
    for (let nth = 0; nth < requests; nth++) {
      recorder.ended('global', MODEL, 200);
      recorder.firstToken('global', MODEL, 150 + 10 * nth);
      const tokens = { promptTokens: 900, cachedTokens: 300, completionTokens: 400 };
      const request = { model: MODEL, agent: null, worker: null, ...tokens };
      recorder.generated('global', request, 40 + nth);
    }
    number += 1;
    const batch = { router: 'rtr_of_the_test', number, minute, now, cells: recorder.take() };
    await store.call(writeHistory, batch);
  };
  const current = now - (now % HOUR_MS);
  const isOutage = (ago: number) => ago === 100 || ago === 101;
  for (let ago = 240; ago >= 1; ago--) {
    const requests = ago === 200 || ago === 5 ? 325 : 10;
    await write(current - ago * HOUR_MS, 6, !isOutage(ago), requests);
  }
  await write(current, 6, true, 0);
  for (let ago = 10; ago >= 1; ago--) await write(now - ago * MINUTE_MS, 6, true, 30);
  fillHours(file, (hour) => !isOutage(Math.floor(current / HOUR_MS) - hour));
}

/** Adds the samples of the other 59 minutes of each hour, which would take long to write by minutes. */
function fillHours(file: string, isServed: (hour: number) => boolean): void {
  using database = new DatabaseSync(file);
  const { id } = seriesOf({ region: 'global', model: MODEL, agent: '', worker: '' });
  const { number: level, perChunk } = LEVELS.hour;
  const chunks = database
    .prepare('SELECT chunk, cells FROM history_cells WHERE level = ? AND series = ?')
    .all(level, id) as { chunk: number; cells: Uint8Array }[];
  const update = database.prepare(
    'UPDATE history_cells SET cells = ? WHERE level = ? AND series = ? AND chunk = ?',
  );
  for (const { chunk, cells } of chunks) {
    let filled = cells;
    for (const [offset] of cellsOf(cells)) {
      const figures = noFigures();
      figures[LISTENED] = 354;
      figures[SERVED] = isServed(chunk * perChunk + offset) ? 354 : 0;
      filled = addToChunk(filled, offset, figures);
    }
    update.run(filled, level, id, chunk);
  }
}
