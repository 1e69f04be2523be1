/** Every page on a phone: nothing is clipped, tables are cards, and a bar leads to sections. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PAGES } from '../../router/dashboard/pages.ts';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const PHONE = { width: 390, height: 844 };

/** Elements that are wider than the place that they have, except code and tabs, which scroll. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .filter((element) => getComputedStyle(element).overflowX !== 'visible')
      // Text that is cut on purpose ends with an ellipsis; hidden elements have no width.
      .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
      .filter((element) => element.clientWidth > 1)
      .filter((element) => element.closest('pre, [role=tablist]') === null)
      .map((element) => `${element.tagName} ${element.getAttribute('aria-label') ?? ''}`),
  );
}

/** What people type in or choose with. */
const CONTROLS = [
  'input:not([type=checkbox]):not([type=radio]):not([type=hidden])',
  'select',
  'textarea',
  '[role=combobox]',
  '[role=group] > button[data-state]',
  '[role=radiogroup] > button[data-state]',
  'button[aria-haspopup=dialog][data-state]',
  'output',
  '[role=tab]',
  'nav[aria-label="Billing"] a',
];
const FINGER_PX = 44;

/** The visible fields, pickers, toggles and finders. */
function controlsOf(page: Page): Locator {
  return page.locator(CONTROLS.join()).filter({ visible: true });
}

/** Those of them that are lower than a finger needs. */
async function tooLow(page: Page): Promise<string[]> {
  const controls = await controlsOf(page).all();
  const found: string[] = [];
  for (const control of controls) {
    const height = (await control.boundingBox())?.height ?? FINGER_PX;
    if (height >= FINGER_PX) continue;
    const name = await control.evaluate((element) => element.outerHTML.slice(0, 200));
    found.push(`${height} px: ${name}`);
  }
  return found;
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

/** How far one element begins below the end of another, in pixels. */
async function gapBelow(above: Locator, below: Locator): Promise<number> {
  const [upper, lower] = [await above.boundingBox(), await below.boundingBox()];
  return (lower?.y ?? Infinity) - (upper?.y ?? 0) - (upper?.height ?? 0);
}

test('on a phone no page has anything that is clipped, and each field is as high as a finger', async () => {
  const { id, key, keyId } = await up.customer('Pocket Instruments');
  await up.post(
    '/chat/completions',
    {
      model: 'qwen/qwen3-235b-a22b-instruct-2507',
      max_tokens: 3,
      messages: [{ role: 'user', content: 'Hello' }],
    },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );
  const [request] = await up.usage(id);
  const wanted = {
    url: `https://example.com/${'a-long-path/'.repeat(10)}`,
    events: ['balance.low', 'balance.exhausted', 'payment.succeeded', 'key.revoked'],
  };
  const webhook = (await up.api('POST', `/organizations/${id}/webhooks`, wanted)) as { id: string };
  const { data: people } = (await up.api('GET', '/people')) as { data: { id: string }[] };
  const { data: agents } = (await up.api('GET', '/agents')) as { data: { id: string }[] };
  const invited = { email: 'guest@example.com', role: 'viewer' };
  await up.api('POST', `/organizations/${id}/invitations`, invited);
  const { data: routers } = (await up.api('GET', '/routers')) as { data: { id: string }[] };
  const { data: jobs } = (await up.api('GET', '/jobs?state=done')) as { data: { id: string }[] };
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.setViewportSize(PHONE);
  let measured = 0;
  for (const { path } of Object.values(PAGES)) {
    const address = path
      .replace('$organization', id)
      .replace('$request', request?.request_id ?? 'none')
      .replace('$webhook', webhook.id)
      .replace('$person', people[0]?.id ?? 'none')
      .replace('$agent', agents[0]?.id ?? 'none')
      .replace('$router', routers[0]?.id ?? 'none')
      .replace('$job', jobs[0]?.id ?? 'none')
      .replace('$runbook', 'PenstockStoreDown')
      .replace('$document', 'backup')
      .replace('$key', keyId);
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    // A chart is as wide as its place once it has measured it.
    await expect.poll(() => clipped(page), { message: address }).toEqual([]);
    measured += await controlsOf(page).count();
    expect(await tooLow(page), address).toEqual([]);
  }
  expect(measured).toBeGreaterThan(50);
});

test('no page for visitors is clipped on a phone', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  for (const path of [
    '/',
    '/catalog',
    '/catalog/qwen/qwen3-235b-a22b-instruct-2507',
    '/status',
    '/nowhere',
  ]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await expect.poll(() => clipped(page), { message: path }).toEqual([]);
    expect(await tooLow(page), path).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
  // The browser itself reports the 404 of the last one in its console.
  visitor.complaints.length = 0;
});

test('a row is a card: title, foremost value and menu, then each value after the name of its column', async () => {
  await using cal = await Visitor.signedUp(browser, up, { name: 'Cal', email: 'cal@example.com' });
  const { page } = cal;
  const id = await cal.organization();
  await page.goto(`/${id}/members`);
  const cell = page.getByRole('region', { name: 'Members' }).getByRole('cell');
  const top = async (nth: number) => (await cell.nth(nth).boundingBox())?.y ?? 0;
  const label = (nth: number) =>
    cell.nth(nth).evaluate((element) => getComputedStyle(element, '::before').content);
  await cell.first().waitFor();
  expect(await label(1)).toBe('none');
  await page.getByRole('columnheader', { name: 'Role' }).waitFor();

  await page.setViewportSize(PHONE);
  // The title and the foremost value explain themselves.
  expect([await label(0), await label(1), await label(2), await label(5)]).toEqual([
    'none',
    'none',
    '"Joined"',
    '"Caps"',
  ]);
  expect(Math.abs((await top(0)) - (await top(1)))).toBeLessThan(8);
  expect(await top(2)).toBeGreaterThan((await top(1)) + 8);
  const menu = await page.getByRole('button', { name: 'Actions for Cal' }).boundingBox();
  const title = await cell.first().boundingBox();
  expect(menu?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  await page.getByRole('button', { name: 'Actions for Cal' }).click();
  await page.getByRole('menuitem').first().waitFor();
});

test('the beginning of a key stays on one line of its card, and the menu beside it', async () => {
  const { id } = await up.customer('Cards');
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const allowed = await page.request.post(`/api/v1/organizations/${id}/operator-changes`, {
    data: { reason: 'A test of the menu.' },
    headers: { origin: up.origin },
  });
  expect(allowed.status()).toBe(201);
  await page.setViewportSize(PHONE);
  await page.goto(`/${id}/keys`);
  const keys = page.getByRole('region', { name: 'API keys' });
  const beginning = keys.getByText(/^sk-/);
  await beginning.waitFor();
  expect((await beginning.boundingBox())?.height).toBeLessThan(24);
  const name = await keys.getByRole('link').first().boundingBox();
  const menu = await keys.getByRole('button', { name: /^Actions for / }).boundingBox();
  expect(Math.abs((menu?.y ?? 0) - (name?.y ?? Infinity))).toBeLessThan(24);
});

test('a list of a phone is compact: values share lines, in two columns, and no number is broken', async () => {
  await using pia = await Visitor.signedUp(browser, up, { name: 'Pia', email: 'pia@example.com' });
  const { page } = pia;
  const id = await pia.organization();
  await page.setViewportSize(PHONE);
  await page.goto(`/${id}/members`);
  const row = page.getByRole('region', { name: 'Members' }).getByRole('row').nth(1);
  await row.getByText('pia@example.com').waitFor();
  expect((await row.boundingBox())?.height).toBeLessThan(170);
  const places = await row
    .getByRole('cell')
    .evaluateAll((cells) => cells.slice(2, 6).map((cell) => cell.getBoundingClientRect().x));
  expect(new Set(places.map((x) => Math.round(x))).size).toBe(2);
  const lines = await row
    .locator('time, .tabular-nums > *')
    .evaluateAll((shown) => shown.map((one) => one.getClientRects().length));
  expect(lines.filter((count) => count > 1)).toEqual([]);
});

test('a change of the audit log has one time on a phone', async () => {
  await using pim = await Visitor.signedUp(browser, up, { name: 'Pim', email: 'pim@example.com' });
  const { page } = pim;
  const id = await pim.organization();
  await page.setViewportSize(PHONE);
  await page.goto(`/${id}/audit`);
  const changes = page.getByRole('region', { name: 'Audit log' }).getByRole('row');
  await changes.nth(1).waitFor();
  expect(await changes.nth(1).locator('time:visible').count()).toBe(1);
});

test('the buttons above a chat are one row of squares as large as a finger', async () => {
  await using pip = await Visitor.signedUp(browser, up, { name: 'Pip', email: 'pip@example.com' });
  const { page } = pip;
  await page.setViewportSize(PHONE);
  await page.goto(`/${await pip.organization()}/playground`);
  await page.getByRole('button', { name: 'Settings' }).waitFor();
  const buttons = page.getByRole('main').locator('header').getByRole('button');
  const boxes = await buttons.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect),
  );
  expect(boxes.length).toBeGreaterThan(4);
  expect(boxes.filter(({ width, height }) => width < FINGER_PX || height < FINGER_PX)).toEqual([]);
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
});

test('the fields of dialogs and the list of models are as high as a finger', async () => {
  await using pol = await Visitor.signedUp(browser, up, { name: 'Pol', email: 'pol@example.com' });
  const { page } = pol;
  const id = await pol.organization();
  await page.setViewportSize(PHONE);
  for (const [path, button] of [
    ['members', 'Invite member'],
    ['keys', 'Create key'],
    ['usage', 'Custom range'],
    ['logs', 'Custom range'],
  ] as const) {
    await page.goto(`/${id}/${path}`);
    await page.getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').or(dialog.locator('input')).first().waitFor();
    expect(await controlsOf(page).count(), path).toBeGreaterThan(0);
    expect(await tooLow(page), path).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await page.goto(`/${id}/playground`);
  await page.getByRole('button', { name: /^Model: / }).click();
  await page.getByRole('combobox', { name: 'Search models' }).waitFor();
  expect(await tooLow(page)).toEqual([]);
});

test('a switch of the account stands at the right of its text, and a dialog has the width of the phone', async () => {
  await using pat = await Visitor.signedUp(browser, up, { name: 'Pat', email: 'pat@example.com' });
  const { page } = pat;
  await page.setViewportSize(PHONE);
  await page.goto('/account');
  const switches = page.getByRole('switch');
  await switches.first().waitFor();
  const sides = await switches.evaluateAll((all) =>
    all.map((one) => Math.round(one.getBoundingClientRect().right)),
  );
  expect(sides.length).toBe(4);
  expect(new Set(sides).size).toBe(1);
  expect(sides[0]).toBeGreaterThan(330);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = await page.getByRole('dialog').boundingBox();
  expect(dialog?.width).toBeGreaterThan(370);
});

/** How many elements each line of them has, from the top. */
async function linesOf(elements: Locator): Promise<number[]> {
  const middles = await elements.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2),
  );
  const lines: number[][] = [];
  for (const middle of middles.toSorted((a, b) => a - b)) {
    const line = lines.at(-1);
    if (line && middle - (line[0] ?? 0) < FINGER_PX / 2) line.push(middle);
    else lines.push([middle]);
  }
  return lines.map((line) => line.length);
}

test('on a phone the filters of a list stand behind a button that says how many are set', async () => {
  await using visitor = await Visitor.operator(browser, up);
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  const organization = up.first.organization.id;
  for (const [path, name] of [
    [`/${organization}/logs`, 'Search and filters'],
    [`/${organization}/usage`, 'Filters'],
  ] as const) {
    await page.goto(path);
    const filters = page.getByRole('button', { name, exact: true });
    await filters.waitFor();
    // Two lines of choices stand above the figures: the ranges, and below them all buttons.
    const controls = page
      .locator('main header')
      .first()
      .getByRole('button')
      .or(page.getByRole('radio'));
    await expect
      .poll(() => linesOf(controls.filter({ visible: true })), { message: path })
      .toEqual([expect.any(Number), 3]);
    const source = page.getByRole('button', { name: 'Filter by source' });
    expect(await source.isVisible()).toBe(false);
    // The account menu has the time zone.
    expect(await page.getByRole('radio', { name: 'UTC', exact: true }).isVisible()).toBe(false);
    const find = page.getByRole('textbox', { name: 'Request ID' });
    expect(await find.isVisible()).toBe(false);
    await filters.click();
    if (path.endsWith('/logs')) await find.waitFor();
    await source.click();
    await page.getByRole('menuitemcheckbox', { name: 'API' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `${name} (1)`, exact: true }).click();
    expect(await page.getByRole('group', { name: 'Filters' }).isVisible()).toBe(false);
  }
  await page.goto('/catalog');
  const vision = page.getByRole('button', { name: 'Image input', exact: true });
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  await filters.click();
  await vision.click();
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
  await visitor.look('models-filters');
  await page.setViewportSize({ width: 1360, height: 900 });
  expect(await page.getByRole('button', { name: /^Filters/ }).count()).toBe(0);
  await vision.waitFor();
});

test('the buttons of a dialog that is longer than a phone stay in view', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Tall',
    email: 'tall@example.com',
  });
  const { page } = ada;
  const id = await ada.organization();
  await page.setViewportSize(PHONE);
  await page.goto(`/${id}/keys`);
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create API key' });
  await dialog.getByText('More options').click();
  const tokens = dialog.getByLabel('Tokens per minute');
  await tokens.waitFor();
  const isLonger = await dialog.evaluate((box) => box.scrollHeight > box.clientHeight);
  expect(isLonger).toBe(true);
  const create = dialog.getByRole('button', { name: 'Create key' });
  const bottom = async () => {
    const box = await create.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? Infinity);
  };
  expect(await bottom()).toBeLessThan(PHONE.height);
  // A field that gets the focus does not stand behind them.
  await tokens.focus();
  const field = await tokens.boundingBox();
  expect((field?.y ?? Infinity) + (field?.height ?? 0)).toBeLessThan(
    (await create.boundingBox())?.y ?? 0,
  );
  expect(await bottom()).toBeLessThan(PHONE.height);
});

test('the bar of a phone leads to the sections of a long page, and back to its top', async () => {
  await using sol = await Visitor.signedUp(browser, up, { name: 'Sol', email: 'sol@example.com' });
  const { page } = sol;
  await page.setViewportSize(PHONE);
  await page.goto('/account');
  const sections = page.getByRole('banner').getByRole('button', { name: 'On this page' });
  await sections.click();
  const titles = await page.getByRole('menuitem').allTextContents();
  const headings = await page.locator('main h2').allTextContents();
  expect(titles.map((title) => title.trim())).toEqual(['Top', ...headings]);
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  const heading = page.getByRole('heading', { name: 'Sessions', level: 2 });
  await expect.poll(() => isFocused(heading)).toBe(true);
  expect(await gapBelow(page.getByRole('banner'), heading)).toBeLessThan(FINGER_PX);
  await sections.click();
  await page.getByRole('menuitem', { name: 'Top' }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  // A short page has nothing to lead to.
  await page.goto('/new-organization');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await sections.count()).toBe(0);
});

test('a long list on a phone has a way back to the top once its reader is below', async () => {
  await using lea = await Visitor.signedUp(browser, up, { name: 'Lea', email: 'lea@example.com' });
  const { page } = lea;
  const id = await lea.organization();
  for (let nth = 0; nth < 16; nth++) {
    const made = await page.request.post(`/api/v1/organizations/${id}/keys`, {
      data: { name: `Key ${nth}` },
      headers: { origin: up.origin },
    });
    expect(made.status()).toBe(201);
  }
  await page.setViewportSize(PHONE);
  await page.goto(`/${id}/keys`);
  const last = page.getByRole('link', { name: 'Key 0', exact: true });
  await last.waitFor();
  const top = page.getByRole('banner').getByRole('button', { name: 'Top' });
  expect(await top.count()).toBe(0);
  await last.scrollIntoViewIfNeeded();
  await top.click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await top.waitFor({ state: 'detached' });
});

test('the sections of the documentation are in a bar that stays in view on a phone, for visitors too', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  await page.goto('/docs');
  const sections = page.getByRole('button', { name: 'On this page' });
  await sections.click();
  await page.getByRole('menuitem', { name: 'List the models' }).click();
  const heading = page.getByRole('heading', { name: 'List the models' });
  await expect.poll(() => isFocused(heading)).toBe(true);
  expect(await gapBelow(page.getByRole('banner'), sections)).toBeLessThan(8);
  const gap = await gapBelow(sections, heading);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(FINGER_PX);
  await page.setViewportSize({ width: 1360, height: 900 });
  expect(await sections.count()).toBe(0);
});

test('what a phone says of an action covers no part of the page', async () => {
  await using tia = await Visitor.signedUp(browser, up, { name: 'Tia', email: 'tia@example.com' });
  const { page } = tia;
  await page.setViewportSize(PHONE);
  await page.goto('/account');
  await page.getByLabel('Name', { exact: true }).fill('Tia Maria');
  await page.getByRole('button', { name: 'Save name' }).click();
  const said = page.getByText('Name saved', { exact: true });
  await said.waitFor();
  const bar = (await page.getByRole('banner').boundingBox()) ?? expect.fail('no bar');
  const box = (await said.locator('..').boundingBox()) ?? expect.fail('nothing is said');
  expect(box.y + box.height).toBeLessThanOrEqual(bar.y + bar.height);
  const menu = await page.getByRole('button', { name: 'Open navigation' }).boundingBox();
  expect(box.x).toBeGreaterThan((menu?.x ?? Infinity) + (menu?.width ?? 0));
});

test('a card leaves out missing values, except where figures stand in columns to be compared', async () => {
  const { id, key } = await up.customer('Refused Instruments');
  const wrong = { model: 'lab/none', messages: [{ role: 'user', content: 'Hello' }] };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  expect((await up.post('/chat/completions', wrong, { headers })).status).toBe(404);
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const dashes = (table: string) =>
    page
      .getByRole('region', { name: table, exact: true })
      .getByText('–', { exact: true })
      .filter({ visible: true });
  const listed = async () => {
    await page.goto(`/${id}/logs`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    return await dashes('Requests').count();
  };
  // No tokens, no cost and no duration.
  await expect.poll(listed, { timeout: 30_000 }).toBe(3);
  await page.setViewportSize(PHONE);
  expect(await dashes('Requests').count()).toBe(0);

  await page.goto('/catalog');
  const card = page.getByRole('region', { name: 'Models', exact: true }).getByRole('row').nth(1);
  await card.waitFor();
  const places = await card
    .getByRole('cell')
    .evaluateAll((cells) => cells.slice(1, 7).map((cell) => cell.getBoundingClientRect().toJSON()));
  expect(new Set(places.map(({ x }) => Math.round(x))).size).toBe(3);
  expect(new Set(places.map(({ y }) => Math.round(y))).size).toBe(2);
});
