/** Money in the browser: credit runs out, is bought, recharged, refunded and invoiced. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { closeMonth } from '../../router/control/invoices/monthly.ts';
import type { InvoiceParts } from '../../router/control/invoices/routes.ts';
import { insertTransfer } from '../../router/ledger/credit.ts';
import { monthBefore, startOfMonth } from '../../router/store/month.ts';
import { exactUsd, picoOf } from '../../router/dashboard/format/usd.ts';
import { openStore } from '../../router/store/open-store.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { inPico, picoUsd } from '../../shared/money.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { up } from '../support/shared-up.ts';
import { Up, until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
/** The sandbox's cards (router/control/checkout/cards.ts). */
const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  asks: '4000 0025 0000 3155',
  failsLater: '4000 0000 0000 0341',
  noRefunds: '4000 0000 0000 5126',
} as const;
/** Many screenshots and a second `up` take time on a busy machine. */
const SLOW = { timeout: 240_000 };
const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);

/** A visitor with their own organization and a key for it. */
async function customer(
  name: string,
): Promise<{ visitor: Visitor; page: Page; id: string; key: string }> {
  const email = `${name.toLowerCase()}@example.com`;
  const visitor = await Visitor.signedUp(browser, up, {
    name,
    email,
    organization: `${name} & Co`,
  });
  const id = await visitor.organization();
  const { key } = await up.api('POST', `/organizations/${id}/keys`, { name: 'test' });
  return { visitor, page: visitor.page, id, key };
}

/** Requests an answer of this many tokens, and returns the status. */
async function ask(key: string, tokens = 3): Promise<number> {
  const content = `Write exactly ${tokens} tokens.`;
  const body = { model: MODEL, max_tokens: tokens, messages: [{ role: 'user', content }] };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await up.post('/chat/completions', body, { headers });
  await response.text();
  return response.status;
}

/** Takes credit away until this amount is left. */
async function leave(id: string, left: string): Promise<void> {
  const { balance } = await up.api('GET', `/organizations/${id}/credit`);
  const amount = (Number(left) - Number(balance)).toFixed(9);
  await up.api('POST', `/organizations/${id}/credit/adjustments`, {
    amount,
    reason: 'Spent elsewhere',
  });
}

/** Takes screenshots, and checks that a phone needs no horizontal scrolling. */
async function look(visitor: Visitor, name: string): Promise<void> {
  const { page } = visitor;
  const desktop = page.viewportSize() ?? { width: 0, height: 0 };
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.setViewportSize(desktop);
  await visitor.look(name);
}

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByRole('button', { name: /^(Pay|Save card)/ }).click();
}

const row = (page: Page, table: string, text: string) =>
  page.getByRole('region', { name: table }).getByRole('row').filter({ hasText: text });

/** Pico-USD of an amount such as "+$1,234.50", or of a dash. */
function picoShown(text: string): bigint {
  if (text === '–') return 0n;
  const isNegative = text.startsWith('−');
  const amount = picoOf(text.replace(/[+−$,]/g, ''));
  return isNegative ? -amount : amount;
}

/**
 * Expects that each balance in the dialog of a day is the one before it and the amount, as they are
 * shown and with the same number of decimals, across both tables.
 */
async function expectChain(dialog: Locator): Promise<void> {
  const shown = await dialog.locator('td .tabular-nums[title], dd .tabular-nums').allTextContents();
  expect(new Set(shown.map((text) => text.split('.')[1]?.length)).size, shown.join()).toBe(1);
  const [opening = 0n, closing = 0n, ...rows] = shown.map(picoShown);
  const pairs = rows.flatMap((amount, at) => (at % 2 === 0 ? [[amount, rows[at + 1] ?? 0n]] : []));
  const signs = await dialog.locator('td', { hasText: /^[+−]\$/ }).allTextContents();
  expect(signs).toHaveLength(pairs.length);
  const after = pairs.map(([, balance]) => balance);
  const before = pairs.map(([amount = 0n, balance = 0n]) => balance - amount);
  const sorted = (all: readonly (bigint | undefined)[]) => all.map(String).toSorted();
  expect(sorted([...before, closing])).toEqual(sorted([opening, ...after]));
}

/** Leads to another view of the billing page. */
async function open(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Billing' }).getByRole('link', { name: view }).click();
}

const CORRECTIONS = 'Payments and corrections';

/** Leads to the transfers of one cause, in the activity. */
async function openActivity(page: Page, filter: string): Promise<void> {
  await open(page, 'Activity');
  await page.getByRole('radio', { name: filter }).click();
  await page.getByRole('region', { name: filter }).waitFor();
}

/** By how many px the content of a box is wider than the box. */
function wider(box: Locator): Promise<number> {
  return box.evaluate((one) => one.scrollWidth - one.clientWidth);
}

test(
  'credit runs out, a top-up in the checkout brings it back, and requests are served again',
  SLOW,
  async () => {
    const { visitor, page, id, key } = await customer('Ada');
    await using _ = visitor;
    await leave(id, '0.0002');
    expect(await ask(key, 200)).toBe(200);
    await until(async () => (await ask(key, 200)) === 402, 'the end of the credit');

    await page.goto(`/${id}/billing`);
    await page.getByText('Credit is low').waitFor();
    await look(visitor, 'billing-empty');
    await openActivity(page, CORRECTIONS);
    await page.waitForURL('**/billing?view=activity&show=payments');
    await row(page, CORRECTIONS, 'Welcome credit').getByText('+$5.00').waitFor();
    await row(page, CORRECTIONS, 'Adjustment').getByText('Spent elsewhere').waitFor();
    await look(visitor, 'billing-corrections');
    // Narrowed by the service, and kept in the address.
    const asked = page.waitForRequest((request) => request.url().includes('kind=welcome'));
    await page.getByRole('button', { name: 'Welcome credit' }).click();
    expect(new URL((await asked).url()).searchParams.getAll('kind').join()).toBe('welcome');
    await page.waitForURL('**/billing?view=activity&show=payments&cause=welcome');
    await row(page, CORRECTIONS, 'Adjustment').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, CORRECTIONS, 'Welcome credit').waitFor();
    expect(await row(page, CORRECTIONS, 'Adjustment').count()).toBe(0);
    await page.getByRole('button', { name: 'Adjustments' }).click();
    await row(page, CORRECTIONS, 'Adjustment').waitFor();
    await look(visitor, 'billing-causes');
    await open(page, 'Payments');
    await page.getByText('No payments yet').waitFor();
    await open(page, 'Credit');
    await page.waitForURL('**/billing');

    // An error of the API is shown at the field.
    await page.getByLabel('Amount', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Continue to checkout' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Enter an amount from $5 to $4,999.' })
      .waitFor();

    // A card that is declined, with no second attempt.
    await page.getByRole('radio', { name: '$20', exact: true }).click();
    await page.getByRole('button', { name: 'Continue to checkout' }).click();
    await payWith(page, CARDS.declined);
    await page.getByText('Your card was declined.').waitFor();
    await page.getByRole('link', { name: 'Cancel and return to billing' }).click();
    await page
      .getByRole('status')
      .getByText('The card was declined. Nothing was charged.')
      .waitFor();
    await page.waitForURL(`**/${id}/billing`);
    expect(await ask(key, 200)).toBe(402);

    // A card whose bank requires a confirmation.
    await page.getByLabel('Amount', { exact: true }).fill('$20');
    await page.getByRole('button', { name: 'Continue to checkout' }).click();
    await payWith(page, CARDS.asks);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('status').getByText('$20.00 was added to the balance').waitFor();
    await page.waitForURL(`**/${id}/billing`);
    await page.getByText('Credit is low').waitFor({ state: 'detached' });
    expect(await ask(key, 200)).toBe(200);
    await look(visitor, 'billing-topped-up');
    await openActivity(page, CORRECTIONS);
    const paid = row(page, CORRECTIONS, 'Payment');
    await paid.getByText('+$20.00').waitFor();
    await paid.getByText('Ada', { exact: true }).waitFor();
    await paid.getByRole('button', { name: /^REC-/ }).click();
    await page.getByRole('dialog', { name: 'Payment' }).getByText('Top-up').waitFor();
    await page.keyboard.press('Escape');
    await open(page, 'Payments');
    await row(page, 'Payments', 'Paid').getByText('$20.00').waitFor();
    await row(page, 'Payments', 'Failed').getByText('The card was declined').waitFor();
    await look(visitor, 'billing-paid');
    // On a phone, the number of the receipt and its PDF stand apart.
    const desktop = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width: 390, height: 844 });
    const boxes = await Promise.all(
      [/^REC-/, /^PDF/].map((name) => page.getByRole('link', { name }).boundingBox()),
    );
    const [number, pdf] = boxes.map((box) => box ?? { x: 0, width: 0 });
    expect((pdf?.x ?? 0) - ((number?.x ?? 0) + (number?.width ?? 0))).toBeGreaterThanOrEqual(8);
    // The card of a payment without a receipt does not say so.
    expect(await row(page, 'Payments', 'Failed').getByText('–').isVisible()).toBe(false);
    await page.setViewportSize(desktop);

    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^REC-/ }).click();
    const receipt = await opening;
    await receipt.getByRole('heading', { name: /^Receipt REC-/ }).waitFor();
    await receipt.getByText(/^\$20\.00 paid on /).waitFor();
    await receipt.screenshot({
      path: join(import.meta.dirname, 'pictures', 'receipt-document.png'),
    });
    await receipt.emulateMedia({ media: 'print' });
    await receipt.setViewportSize({ width: 660, height: 935 });
    expect(await receipt.evaluate(() => document.documentElement.scrollWidth)).toBe(660);
    await receipt.close();

    // The statement of the month has each model, and its total is what the ledger took.
    await open(page, 'Statements');
    await page.reload();
    const statement = page.getByRole('region', { name: /^Statement of / });
    await statement.getByText(MODEL).waitFor();
    const sums = await statement.getByRole('row').last().getByRole('cell').allTextContents();
    const { data: days } = await up.api('GET', `/organizations/${id}/ledger`);
    expect(sums[0]).toBe('Total');
    const charged = days[0].usage.replace('-', '');
    // Every digit, as in the document.
    expect(sums.at(-1)).toBe(exactUsd(charged));
    const { balance: left } = await up.api('GET', `/organizations/${id}/credit`);
    await page.getByRole('definition').getByText(exactUsd(left), { exact: true }).waitFor();
    // The balance at the top is rounded down, and says so.
    await page.getByText(`Exactly ${exactUsd(left)}`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'CSV of this statement' }).waitFor();
    await look(visitor, 'billing-statement');

    // To print, there is a document with the parties and the balance, also as a PDF.
    const printing = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Print or PDF' }).click();
    const printed = await printing;
    await printed.getByRole('heading', { name: /^Statement for \w+ 2\d{3}$/ }).waitFor();
    await printed.getByText('Balance at the start of the month').waitFor();
    // On a phone, each line is a card, and nothing is wider than the window.
    await printed.setViewportSize({ width: 390, height: 844 });
    expect(await printed.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await wider(printed.locator('.wide'))).toBe(0);
    await printed.screenshot({
      path: join(import.meta.dirname, 'pictures', 'statement-document-phone.png'),
      fullPage: true,
    });
    await printed.setViewportSize({ width: 1360, height: 900 });
    // The amounts of the lines, of their sum and of the balance end at one edge.
    const ends = await printed
      .locator('.lines td:last-child, .totals td:last-child')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(new Set(ends).size, ends.join()).toBe(1);
    await printed.screenshot({
      path: join(import.meta.dirname, 'pictures', 'statement-document-desktop.png'),
    });
    await printed.emulateMedia({ media: 'print' });
    await printed.setViewportSize({ width: 660, height: 935 });
    expect(await printed.evaluate(() => document.documentElement.scrollWidth)).toBe(660);
    await printed.screenshot({
      path: join(import.meta.dirname, 'pictures', 'statement-document.png'),
    });
    await printed.close();

    // The dashboard's page can be printed, too: the statement in dark on light, and neither navigation nor buttons.
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'dark';
    });
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 740, height: 1_000 });
    await statement.getByText('Total').waitFor();
    // Paper has the name of the month instead of the choice, and the balance of the statement alone.
    expect(await page.getByLabel('Month').isVisible()).toBe(false);
    expect(await page.getByText('Available to spend').isVisible()).toBe(false);
    expect(
      await page
        .getByText(/^\w+ 2\d{3}$/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'CSV of this statement' }).count()).toBe(0);
    expect(await statement.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    expect(await statement.getByRole('columnheader', { name: 'Cost' }).isVisible()).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe(
      'rgb(23, 24, 28)',
    );
    await page.screenshot({ path: join(import.meta.dirname, 'pictures', 'statement-print.png') });
    await page.emulateMedia({ media: null });
    await page.setViewportSize(desktop);
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'light';
    });

    // The newest day ends with the balance, and a day opens to its entries.
    await open(page, 'Activity');
    const today = page.getByRole('region', { name: 'Activity by day' }).getByRole('row').nth(1);
    await today.getByText('+$20.00').waitFor();
    // Nothing was refunded, so that there is no column for it.
    const causes = page.getByRole('region', { name: 'Activity by day' }).getByRole('columnheader');
    expect((await causes.allTextContents()).slice(2, -2)).toEqual(['Payments', 'Credits', 'Usage']);
    // The opening balance and the changes are the closing balance, as they are shown.
    const amounts = (await today.locator('td span[title]').allTextContents()).map(picoShown);
    expect(amounts.slice(0, -1).reduce((sum, one) => sum + one, 0n)).toBe(amounts.at(-1));
    await today.getByRole('cell').first().click();
    const entries = page.getByRole('dialog');
    await entries.getByText('Payments and credit').waitFor();
    const toUsage = entries.getByRole('link', { name: 'Usage of this day' });
    expect(await toUsage.getAttribute('href')).toMatch(/\/usage\?from=\S+&to=/);
    await entries.getByText('Spent elsewhere').waitFor();
    await entries.getByText('req_').first().waitFor();
    await expectChain(entries);
    // The ids of requests are not out of sight.
    const charges = entries.getByRole('region', { name: /^Usage of / });
    expect(await charges.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    await look(visitor, 'billing-activity-day');
    await page.keyboard.press('Escape');
    await entries.waitFor({ state: 'detached' });
    await look(visitor, 'billing-activity');
    await page.getByRole('link', { name: 'CSV by day of the activity' }).waitFor();
    await page.getByRole('link', { name: 'CSV of all entries of the activity' }).waitFor();

    // The buyer on the next receipts.
    await open(page, 'Payments');
    await page.getByRole('button', { name: 'Edit billing details' }).click();
    const buyer = page.getByRole('dialog', { name: 'Billing details' });
    await buyer.getByLabel('Name').fill('Ada GmbH');
    await buyer.getByLabel('Address').fill('1\n2\n3\n4\n5\n6\n7');
    await buyer.getByRole('button', { name: 'Save' }).click();
    await buyer.getByText('Enter at most 6 lines').waitFor();
    await buyer.getByLabel('Address').fill('Am Wehr 2\n20095 Hamburg');
    await look(visitor, 'billing-details');
    await buyer.getByRole('button', { name: 'Save' }).click();
    await buyer.waitFor({ state: 'detached' });
    await page.getByText('20095 Hamburg').waitFor();

    // A budget for the month, of which something is spent.
    await open(page, 'Budget');
    const budget = page.locator('section').filter({ hasText: 'Monthly budget' });
    await budget.getByText('Not set').waitFor();
    await budget.getByRole('button', { name: 'Set budget' }).click();
    const wanted = page.getByRole('dialog', { name: 'Monthly budget' });
    await wanted.getByLabel('Budget').fill('0');
    await wanted.getByRole('button', { name: 'Save' }).click();
    await wanted.getByText('Enter an amount above zero.').waitFor();
    await wanted.getByLabel('Budget').fill('250');
    await wanted.getByRole('button', { name: 'Save' }).click();
    await budget.getByText('of $250.00').waitFor();
    const spend = page.getByRole('img', { name: /^Spend in .* added up by day/ });
    await spend.locator('.recharts-line').first().waitFor();
    // One line needs no legend.
    expect(await budget.getByRole('list', { name: 'Legend' }).count()).toBe(0);
    // In the scale of the budget, so little would be a flat line.
    expect(await spend.getByText('$250.00').count()).toBe(0);
    await look(visitor, 'billing-budget');

    // The charges of requests are listed apart from payments, with the balance after each. The cost
    // of a request links to the request.
    await openActivity(page, 'Usage');
    await page.waitForURL('**/billing?view=activity&show=usage');
    const newest = row(page, 'Usage', 'req_').first();
    const { balance } = await up.api('GET', `/organizations/${id}/credit`);
    const after = newest.getByRole('cell').last();
    await after.getByTitle(exactUsd(balance), { exact: true }).waitFor();
    // It has the digits with which the amounts of the column add up, and is not rounded to $20.
    const shownBalance = (await after.textContent())?.replace('$', '') ?? '';
    const lastDigit = picoOf('1') / 10n ** BigInt(shownBalance.split('.')[1]?.length ?? 0);
    const cut = picoOf(balance) - picoOf(shownBalance);
    expect(cut >= 0n && cut < lastDigit, `${shownBalance} of ${balance}`).toBe(true);
    expect(await row(page, 'Usage', '+$20.00').count()).toBe(0);
    await look(visitor, 'billing-usage');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV of the transfers shown' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv.split('\r\n')[1]).toContain(`,usage,-`);
    expect(csv.split('\r\n')[1]).toContain(`,${balance},`);

    await page.reload();
    const usage = newest.getByRole('link');
    const request = await usage.textContent();
    await usage.click();
    await page.waitForURL(`**/${id}/logs/${request}`);
  },
);

test('a checkout that was left charges nothing, and one that is unknown is said to be', async () => {
  const { visitor, page, id } = await customer('Bob');
  await using _ = visitor;
  await page.goto(`/${id}/billing`);
  await page.getByRole('button', { name: 'Continue to checkout' }).click();
  await page.getByRole('link', { name: 'Cancel and return to billing' }).click();
  await page.getByText('You left the checkout').waitFor();
  await open(page, 'Payments');
  await row(page, 'Payments', 'Incomplete').waitFor();
  await look(visitor, 'billing-left');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('You left the checkout').waitFor({ state: 'detached' });
  // The payment that was left leads to a new one of the same amount.
  const left = row(page, 'Payments', 'Incomplete');
  await left.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Payment' });
  await details.getByText('No payment has been reported yet.').waitFor();
  await details.getByRole('button', { name: 'Try again' }).waitFor();
  await look(visitor, 'billing-left-details');
  await page.keyboard.press('Escape');
  await left.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('$20.00').first().waitFor();
  await payWith(page, CARDS.good);
  await page.getByText('was added to the balance').waitFor();
  await open(page, 'Payments');
  await row(page, 'Payments', 'Paid').waitFor();
  // The payment that was left stays in the list, and is not offered again: it has been paid since.
  expect(await row(page, 'Payments', 'Incomplete').count()).toBe(1);
  await expect
    .poll(() => page.getByRole('button', { name: 'Try again', includeHidden: true }).count())
    .toBe(0);
  await left.getByRole('button', { name: 'Details' }).click();
  await details.getByText('Not yet').waitFor();
  expect(await details.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  expect(await details.getByText('new payment').count()).toBe(0);
  await page.keyboard.press('Escape');

  // Of several that were left, the newest is offered.
  for (const amount of ['25', '30']) {
    await up.api('POST', `/organizations/${id}/payments`, { amount });
  }
  await page.reload();
  await row(page, 'Payments', '$30.00').getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
  await look(visitor, 'billing-left-newest');

  // It is answered once, however long the page is shown.
  let answers = 0;
  page.on('response', (response) => {
    if (!response.url().endsWith('/payments/pay_nonsense')) return;
    // The router is asked again after an answer that is temporary, such as 503.
    if (response.status() === 404) answers += 1;
  });
  await page.clock.install();
  await page.goto(`/${id}/billing?payment=pay_nonsense&checkout=done`);
  await page.getByRole('alert').waitFor();
  await page.waitForURL(`**/${id}/billing`);
  await page.clock.runFor(20_000);
  await page.waitForLoadState('networkidle');
  expect(answers).toBe(1);
});

/** Runs in the page. */
function isPlaceholderCut(element: SVGElement | HTMLElement): boolean {
  const field = element as HTMLInputElement;
  const style = getComputedStyle(field);
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('no canvas');
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
  return context.measureText(field.placeholder).width > field.clientWidth - padding;
}

test('an operator finds payments of all customers by what became of them, with their amounts', async () => {
  const { id } = await up.api('POST', '/organizations', { name: 'Wanda & Co' });
  await up.api('POST', `/organizations/${id}/payments`, { amount: '40' });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator');
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.waitForURL('**/operator/payments');
  // The field says in full what it finds.
  await page.setViewportSize({ width: 1440, height: 900 });
  const search = page.getByRole('searchbox', { name: 'Search payments' });
  expect(await search.evaluate(isPlaceholderCut)).toBe(false);
  const left = row(page, 'Payments', 'Wanda & Co');
  await left.getByText('Incomplete').waitFor();
  await left.getByRole('cell', { name: '$40.00' }).waitFor();
  await look(operator, 'operator-payments');
  await search.fill('wanda');
  await page.waitForURL('**/operator/payments?search=wanda');
  await page.getByText('1 payment', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter by status' }).click();
  // The filter has the word of the badge.
  await page.getByRole('menuitem', { name: 'Paid', exact: true }).waitFor();
  await page.getByRole('menuitem', { name: 'Failed', exact: true }).click();
  await page.getByText('No payments match this search and these filters.').waitFor();
  const csv = page.getByRole('link', { name: 'CSV of the payments' });
  expect(await csv.getAttribute('href')).toContain('search=wanda&status=failed');
  await page.getByRole('button', { name: 'Remove filter: Status' }).click();
  await left.getByRole('cell', { name: '$40.00' }).click();
  await page.waitForURL(`**/operator/organizations/${id}?view=money`);
  // The list of the organization has the amount, too.
  await row(page, 'Online payments', 'Incomplete').getByRole('cell', { name: '$40.00' }).waitFor();
});

test('an operator sees that a refund failed, and that its amount went back to the balance', async () => {
  const { id } = await up.api('POST', '/organizations', { name: 'Xenia & Co' });
  const { checkout_url: url } = await up.api('POST', `/organizations/${id}/payments`, {
    amount: '40',
  });
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto(url);
  await payWith(page, CARDS.noRefunds);
  const payment = async () => {
    const { data } = await up.api('GET', `/organizations/${id}/payments`);
    return data[0];
  };
  await until(async () => (await payment()).state === 'succeeded', 'the payment');
  const path = `/organizations/${id}/payments/${(await payment()).id}/refund`;
  await up.api('POST', path, { amount: '12.50', reason: 'A fault of ours' });
  await until(async () => (await payment()).refund_pending === '0', 'the result of the refund');
  const sentence = 'Refund failed: $12.50 went back to the balance';
  await page.goto('/operator/payments');
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('menuitem', { name: 'Refund failed', exact: true }).click();
  await page.waitForURL('**/operator/payments?status=refund_failed');
  await row(page, 'Payments', 'Xenia & Co').getByText(sentence).waitFor();
  await look(operator, 'operator-payments-refund-failed');
  await page.goto(`/operator/organizations/${id}?view=money`);
  await row(page, 'Online payments', 'Paid').getByText(sentence).waitFor();
  await look(operator, 'operator-money-refund-failed');
});

test('a payment that was left is not offered again while credit cannot help', async () => {
  const { visitor, page, id } = await customer('Ann');
  await using _ = visitor;
  await page.goto(`/${id}/billing`);
  await page.getByRole('button', { name: 'Continue to checkout' }).click();
  await page.getByRole('link', { name: 'Cancel and return to billing' }).click();
  await page.getByText('You left the checkout').waitFor();
  await page.getByText('No payment has been reported yet.').waitFor();
  await up.api('PATCH', `/organizations/${id}/terms`, { status: 'suspended' });
  await page.goto(`/${id}/billing?view=payments`);
  await row(page, 'Payments', 'Incomplete').getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Payment' });
  await details.getByText('Not yet').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Try again', includeHidden: true }).count())
    .toBe(0);
  expect(await details.getByText('new payment').count()).toBe(0);
});

test(
  'auto-recharge charges a saved card once when credit runs low, and is turned off with it',
  SLOW,
  async () => {
    const { visitor, page, id, key } = await customer('Cyd');
    await using _ = visitor;
    await page.goto(`/${id}/billing`);
    await page.getByRole('button', { name: 'Save a card' }).click();
    await payWith(page, CARDS.good);
    await page.getByText('Card saved').waitFor();

    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Auto-recharge' });
    await dialog.getByLabel('When the balance falls below').fill('2');
    await dialog.getByLabel('Amount to add').fill('10');
    await dialog.getByLabel('Monthly cap').fill('5');
    await dialog.getByRole('button', { name: 'Turn on auto-recharge' }).click();
    await dialog.getByText('Enter a cap of at least the amount of one recharge.').waitFor();
    await look(visitor, 'billing-recharge');
    await dialog.getByLabel('Monthly cap').fill('15');
    await dialog.getByRole('button', { name: 'Turn on auto-recharge' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('When the balance falls below $2.00, $10.00 is added.').waitFor();

    await leave(id, '0.000001');
    await until(async () => (await ask(key)) === 200, 'the recharge');
    await page.reload();
    await page.getByText('Monthly cap reached').first().waitFor();
    await look(visitor, 'billing-recharged');
    await open(page, 'Payments');
    await row(page, 'Payments', 'Auto-recharge').getByText('$10.00').waitFor();
    expect(await row(page, 'Payments', 'Auto-recharge').count()).toBe(1);
    await open(page, 'Credit');

    await page.getByRole('button', { name: 'Remove card' }).click();
    const sure = page.getByRole('alertdialog');
    await look(visitor, 'billing-remove-card');
    await sure.getByRole('button', { name: 'Remove card' }).click();
    await page.getByText('No saved card').waitFor();
    await page.getByText('Save a card first').waitFor();
  },
);

test('transfers come page after page, also at their former address', async () => {
  const { visitor, page, id } = await customer('Fay');
  await using _ = visitor;
  for (let given = 1; given <= 20; given++) {
    await up.api('POST', `/organizations/${id}/credit/adjustments`, {
      amount: '1',
      reason: `Gift ${given}`,
    });
  }
  await page.goto(`/${id}/billing?view=transfers`);
  await page.waitForURL('**/billing?view=activity&show=payments');
  await row(page, CORRECTIONS, 'Gift 20').waitFor();
  expect(await row(page, CORRECTIONS, 'Welcome credit').count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await row(page, CORRECTIONS, 'Welcome credit').waitFor();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });

  // The views of the page stand in one row on a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  const links = page.getByRole('navigation', { name: 'Billing' }).getByRole('link');
  const tops = await links.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
});

test('a recharge that is declined says why, and what comes next', async () => {
  const { visitor, page, id } = await customer('Dan');
  await using _ = visitor;
  await page.goto(`/${id}/billing`);
  await page.getByRole('button', { name: 'Save a card' }).click();
  await payWith(page, CARDS.failsLater);
  await page.getByText('Card saved').waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn on auto-recharge' }).click();
  await page.getByText('When the balance falls below $5.00').waitFor();
  await leave(id, '1');
  // The recharge is attempted within seconds, and the page updates by itself.
  await page.getByText('Retrying').first().waitFor({ timeout: 40_000 });
  await page.getByText('Reason: The card was declined.').waitFor();
  await look(visitor, 'billing-declined');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('No card is charged while auto-recharge is off.').waitFor();
});

test('refunds are shown with their reasons, and the low-balance notice is set and cleared', async () => {
  const { visitor, page, id } = await customer('Eve');
  await using _ = visitor;
  await page.goto(`/${id}/billing`);
  await page.getByRole('radio', { name: '$50', exact: true }).click();
  await page.getByRole('button', { name: 'Continue to checkout' }).click();
  await payWith(page, CARDS.good);
  await page.getByText('$50.00 was added').waitFor();
  const { data } = await up.api('GET', `/organizations/${id}/payments`);
  await up.api('POST', `/organizations/${id}/payments/${data[0].id}/refund`, {
    amount: '12.34',
    reason: 'Bought too much',
  });
  const confirmed = async () => {
    const { data: payments } = await up.api('GET', `/organizations/${id}/payments`);
    return Number(payments[0].refund_pending) === 0;
  };
  await until(confirmed, 'the provider confirms the refund');
  await open(page, 'Payments');
  await page.reload();
  const paid = row(page, 'Payments', 'Partially refunded');
  await paid.getByText('Refunded $12.34').waitFor();
  await paid.getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Payment' });
  await dialog.getByText('Bought too much').waitFor();
  await look(visitor, 'billing-payment');
  await page.keyboard.press('Escape');
  await openActivity(page, CORRECTIONS);
  await row(page, CORRECTIONS, 'Refund').getByText('−$12.34').waitFor();
  await open(page, 'Budget');

  const notice = page.getByLabel('When the balance falls below');
  await notice.fill('plenty');
  await page.getByRole('button', { name: 'Save notice' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: 'Enter an amount from $0 to $4,000,000' })
    .waitFor();
  await notice.fill('100');
  await page.getByRole('button', { name: 'Save notice' }).click();
  await page.getByText('Credit is low').waitFor();
  await notice.fill('');
  await page.getByRole('button', { name: 'Save notice' }).click();
  await page.getByText('Credit is low').waitFor({ state: 'detached' });
});

test('a viewer sees the credit and where it went, and no form', async () => {
  const { id } = await up.customer('Looked at');
  const invited = await up.api('POST', `/organizations/${id}/invitations`, {
    email: 'vic@example.com',
    role: 'viewer',
  });
  const token = new URLSearchParams(new URL(invited.url).hash.slice(1)).get('token');
  await using vic = await Visitor.signedUp(browser, up, { name: 'Vic', email: 'v@example.com' });
  const { page } = vic;
  const accepted = await page.request.post('/api/v1/invitations/accept', {
    data: { token },
    headers: { origin: up.origin },
  });
  expect(accepted.ok(), await accepted.text()).toBe(true);

  await page.goto(`/${id}/billing`);
  await page.getByText('You cannot add credit or change auto-recharge.').waitFor();
  const main = page.getByRole('main');
  // A viewer may open the entries of a day, and choose what the activity shows.
  const changes = main.locator('button:not([role=radio])').filter({ hasNotText: /^Entries/ });
  const forms = main.getByRole('textbox').or(changes);
  await look(vic, 'billing-viewer');
  expect(await forms.count()).toBe(0);
  for (const [view, shown] of [
    ['Activity', 'Entries of'],
    ['Payments', 'No payments yet'],
    ['Budget', 'No email is sent.'],
  ] as const) {
    await open(page, view);
    await main.getByText(shown).first().waitFor();
    expect(await forms.count(), view).toBe(0);
  }
  await open(page, 'Credit');

  // A billing-admin has these forms, except those of the organization's settings.
  const { data: members } = await up.api('GET', `/organizations/${id}/members`);
  await up.api('PATCH', `/organizations/${id}/members/${members[0].id}`, { role: 'billing-admin' });
  await page.reload();
  await page.getByRole('button', { name: 'Continue to checkout' }).waitFor();
  await page.getByRole('button', { name: 'Save a card' }).waitFor();
  await open(page, 'Budget');
  await main.getByText('You cannot change this. Only administrators can do this').waitFor();
  expect(await main.getByRole('button', { name: 'Save notice' }).count()).toBe(0);
});

test(
  'an organization that is invoiced has its limit, its terms and its invoices in every form',
  SLOW,
  async () => {
    await using invoicing = await Up.start();
    const [{ id }, other] = [
      await invoicing.customer('Invoiced'),
      await invoicing.customer('Other'),
    ];
    const email = 'ines@example.com';
    const { url: invitation } = await invoicing.api('POST', `/organizations/${id}/invitations`, {
      email,
      role: 'org-admin',
    });
    await invoicing.api('POST', '/sign-up', {
      email,
      password: 'three blue herons at dawn',
      name: 'Ines',
      invitation: new URL(invitation).hash.replace('#token=', ''),
    });
    const terms = ['--credit-limit', '500', '--terms-days', '14'];
    for (const each of [id, other.id]) {
      await invoicing.admin('organization', 'billing', '--organization', each, ...terms);
    }
    await invoicing.stop();
    const url = `sqlite:${join(invoicing.data, 'penstock.db')}`;
    await closeLastMonthOf(id as OrganizationId, url, ['30', '11.005678']);
    await closeLastMonthOf(other.id as OrganizationId, url, ['12']);
    await invoicing.run();
    await using operator = await Visitor.operator(browser, invoicing);
    const { page } = operator;
    await page.goto(`/${id}/billing?view=payments`);
    await page.getByText('Invoiced monthly, due within 14 days').waitFor();
    const invoice = row(page, 'Invoices', 'INV-000001');
    await invoice.getByText('Open', { exact: true }).waitFor();
    await invoice.getByText('$36.00').waitFor();
    await page.getByText(/^Next invoice, so far: \$0\.00 \(/).waitFor();
    await invoicing.api('POST', `/organizations/${id}/credit/adjustments`, {
      amount: '-12.5',
      reason: 'Set-up',
    });
    await page.reload();
    await page.getByText(/^Next invoice, so far: \$12\.50 \(/).waitFor();
    await look(operator, 'billing-invoiced');
    await page.getByRole('button', { name: 'Show lines' }).click();
    const soFar = page.getByRole('dialog', { name: 'Next invoice, so far' });
    await soFar.getByText('Adjustment: Set-up').waitFor();
    await soFar.getByText('Debt brought forward').waitFor();
    await look(operator, 'billing-next-invoice');
    await page.keyboard.press('Escape');

    const opening = page.waitForEvent('popup');
    await invoice.getByRole('link', { name: 'HTML' }).click();
    const printed = await opening;
    await printed.getByRole('heading', { name: /INV-000001/ }).waitFor();
    // Adjustments alone have neither requests nor tokens.
    expect(await printed.getByRole('columnheader').allTextContents()).toEqual([
      'Description',
      'Amount (USD)',
    ]);
    await printed.screenshot({
      path: join(import.meta.dirname, 'pictures', 'invoice-document.png'),
    });
    await printed.close();
    const downloading = page.waitForEvent('download');
    await invoice.getByRole('link', { name: 'CSV' }).click();
    expect((await downloading).suggestedFilename()).toBe('INV-000001.csv');

    await listAllInvoices(operator, id);
  },
);

/** An operator finds the invoices of all customers, and marks one of two as paid. */
async function listAllInvoices(operator: Visitor, id: string): Promise<void> {
  const { page } = operator;
  await page.getByRole('button', { name: 'Operator', exact: true }).click();
  await page.getByRole('link', { name: 'Invoices', exact: true }).click();
  await page.waitForURL('**/operator/invoices');
  const list = page.getByRole('region', { name: 'Invoices' });
  const numbers = async () => await list.getByRole('link', { name: /^INV-/ }).allTextContents();
  await expect.poll(numbers).toEqual(['INV-000002', 'INV-000001']);
  await page.getByText('2 invoices, overdue ones included').waitFor();
  await total(page, 'Open').getByText('$43.00').waitFor();
  await look(operator, 'operator-invoices');
  await list.getByRole('button', { name: 'Actions for INV-000002' }).click();
  await page.getByRole('menuitem', { name: 'Mark as paid' }).waitFor();
  await page.keyboard.press('Escape');
  await payInvoice(operator);
  await list.getByRole('button', { name: 'Amount due' }).click();
  await page.waitForURL('**/operator/invoices?sort=amount_due&order=desc');
  await expect.poll(numbers).toEqual(['INV-000001', 'INV-000002']);

  await row(page, 'Invoices', 'INV-000001').getByText('bank 7').waitFor();
  await total(page, 'Paid this month').getByText('$36.00').waitFor();
  await total(page, 'Open').getByText('$7.00').waitFor();
  const search = page.getByRole('searchbox', { name: 'Search invoices' });
  await search.fill('inv-2');
  await expect.poll(numbers).toEqual(['INV-000002']);
  await search.fill('invoiced');
  await expect.poll(numbers).toEqual(['INV-000001']);
  await page.waitForURL('**/operator/invoices?search=invoiced&**');
  await search.fill('');
  await expect.poll(numbers).toEqual(['INV-000001', 'INV-000002']);
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('menuitem', { name: 'Paid' }).click();
  await expect.poll(numbers).toEqual(['INV-000001']);
  await page.reload();
  await expect.poll(numbers).toEqual(['INV-000001']);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV of the invoices' }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  expect(csv).toContain('INV-000001,');
  expect(csv).not.toContain('INV-000002,');
  await page.getByRole('button', { name: 'Remove filter: Status' }).click();
  await page.getByRole('button', { name: 'Filter by month' }).click();
  await page.getByRole('option').first().click();
  await page.getByText('No invoices match this search and these filters.').waitFor();
  await page.getByRole('button', { name: 'Remove filter: Month' }).click();

  await row(page, 'Invoices', 'INV-000001').getByRole('link', { name: 'Invoiced' }).click();
  await page.waitForURL(`**/operator/organizations/${id}?view=money`);
  await page.getByText(/^Next invoice, so far: \$12\.50 \(/).waitFor();
  await page.getByRole('radio', { name: CORRECTIONS }).click();
  const payment = row(page, CORRECTIONS, 'Payment');
  await payment.getByRole('link', { name: 'INV-000001' }).waitFor();
  await payment.getByText('+$36.00').waitFor();
}

/** An operator opens an invoice from the list, reads it, marks it as paid, and goes back. */
async function payInvoice(operator: Visitor): Promise<void> {
  const { page } = operator;
  await row(page, 'Invoices', 'INV-000001').getByRole('cell', { name: '$36.00' }).click();
  await page.waitForURL(/\/operator\/invoices\/ivc_\w{26}$/);
  await page.getByRole('heading', { name: 'INV-000001', level: 1 }).waitFor();
  const lines = page.getByRole('region', { name: 'Invoice INV-000001' });
  await lines.getByRole('columnheader', { name: 'Amount (USD)' }).waitFor();
  const demand = page.getByText(/^Amount due: \$36\.00 by /);
  await demand.waitFor();
  await page.getByText('Amount due', { exact: true }).waitFor();
  // What a bank transfer cannot pay is carried forward.
  await page.getByText('−$0.005678').waitFor();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('INV-000001').first().waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'PDF' }).click();
  expect((await downloading).suggestedFilename()).toBe('INV-000001.pdf');
  await page.getByText('For Invoiced · ').waitFor();
  await look(operator, 'operator-invoice');
  await sendAgain(operator, history);
  const more = page.getByRole('button', { name: 'Actions for INV-000001' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Void invoice' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  const paying = page.getByRole('dialog');
  const day = paying.getByLabel('Paid on (UTC)');
  const today = new Date().toISOString().slice(0, 10);
  expect(await day.inputValue()).toBe(today);
  // The reason why a day is refused is ours, and not the browser's.
  await paying.getByLabel('Reference').fill('bank 7');
  await day.fill('2099-12-31');
  await paying.getByRole('button', { name: 'Mark as paid' }).click();
  await paying.getByText(/^Enter .+, 20\d\d or an earlier day\.$/).waitFor();
  await day.fill(today);
  await look(operator, 'operator-invoice-paying');
  await paying.getByLabel('Reference').fill('bank 7');
  await paying.getByRole('button', { name: 'Mark as paid' }).click();
  // The document has the day of the payment in place of the due date.
  await page
    .getByRole('term')
    .filter({ hasText: /^Paid$/ })
    .waitFor();
  expect(await page.getByRole('term').filter({ hasText: /^Due$/ }).count()).toBe(0);
  expect(await demand.count()).toBe(0);
  await page.getByText(/^Paid: \$36\.00 on /).waitFor();
  await page.getByText('bank 7').first().waitFor();
  await look(operator, 'operator-invoice-paid');
  await history.getByText('as paid').first().waitFor();
  expect(await more.count()).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Invoices', exact: true }).click();
  await page.waitForURL('**/operator/invoices');
}

/** An operator sends the email of the invoice again, to the addresses that the dialog names. */
async function sendAgain(operator: Visitor, history: Locator): Promise<void> {
  const { page } = operator;
  await page.getByRole('button', { name: 'Send again' }).click();
  const asking = page.getByRole('dialog');
  const named = asking.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
  await named.first().waitFor();
  expect(await named.allTextContents()).toEqual(['ines@example.com']);
  await look(operator, 'operator-invoice-sending');
  await asking.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('INV-000001 is sent to ines@example.com.').first().waitFor();
  await history.getByText('sent invoice INV-000001 again').first().waitFor();
}

/** Returns a total at the top of the list. Its label is a link. */
function total(page: Page, name: string): Locator {
  const label = page.getByRole('paragraph').filter({ hasText: new RegExp(`^${name}$`) });
  return label.locator('xpath=following-sibling::p[1]');
}

/** Simulates charges of these USD in the previous month, in the store of a stopped router. */
async function closeLastMonthOf(
  organization: OrganizationId,
  url: string,
  charges: readonly string[],
): Promise<void> {
  const log = makeLog('test', 'silent');
  await using store = await openStore({ url, registry: REGISTRY }, { clock, log });
  const parts: Pick<InvoiceParts, 'store' | 'clock'> = { store, clock };
  const month = monthBefore(clock.now());
  for (const charge of charges) {
    await store.call(insertTransfer, {
      id: mintId('transfer', clock, random),
      organization,
      kind: 'adjustment',
      change: picoUsd(0n - inPico(charge)),
      reference: '',
      reason: 'Usage of last month',
      created: startOfMonth(month),
    });
  }
  await closeMonth({ ...parts, random, seller: null }, organization, month);
}
