/** The documentation of inference, as visitors and signed-in people read it. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

test('a visitor reads the documentation from the sign-in page on, with a base URL that works', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Docs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
  const header = page.getByRole('banner');
  await header.getByRole('link', { name: 'Sign in' }).waitFor();
  await header.getByRole('link', { name: 'Create account' }).waitFor();
  const first = page.getByLabel('the curl example', { exact: true }).first();
  await first.getByText(`${up.ready.base_url}/chat/completions`).waitFor();
  await visitor.look('docs-visitor');

  // A chosen language is chosen on every page, and is copied as it is shown.
  await page.getByRole('tab', { name: 'Python' }).first().click();
  await page.getByRole('link', { name: 'Streaming', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Streaming' }).waitFor();
  const python = page.getByLabel('the Python example', { exact: true });
  await page.getByRole('button', { name: 'Copy the Python example' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`base_url="${up.ready.base_url}"`);
  expect(copied.trim()).toBe((await python.textContent())?.trim());

  // The session of nobody is asked for, however long the page is read.
  await page.clock.install();
  await page.clock.runFor(120_000);
  await page.getByRole('link', { name: 'Quickstart', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
});

test('a link to a code of an error leads to its cause, and an unknown page says so', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  // The text is shown before its font arrives, and moves then.
  const font = Promise.withResolvers<void>();
  await page.route('**/*.woff2', async (route) => {
    await font.promise;
    await route.continue();
  });
  await page.goto('/docs/errors#insufficient_credit', { waitUntil: 'commit' });
  const heading = page.getByRole('heading', { name: 'insufficient_credit' });
  await heading.waitFor();
  font.resolve();
  await expect
    .poll(async () => (await heading.boundingBox())?.y)
    .toSatisfy((y: number) => y >= 0 && y < 300);
  await visitor.look('docs-errors');
  await page.getByRole('link', { name: 'region', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Regions' }).waitFor();
  const answer = await page.goto('/docs/nothing');
  expect(answer?.status()).toBe(404);
  await page.getByText('This page does not exist').waitFor();
  // The browser itself reports the 404 in its console.
  visitor.complaints.length = 0;
});

test('a signed-in person sees the examples with their base URL, a model and a key of theirs', async () => {
  await using ida = await Visitor.signedUp(browser, up, { name: 'Ida', email: 'ida@example.com' });
  const { page } = ida;
  const id = await ida.organization();
  await page.goto(`/${id}`);
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  await page.getByText('has no active API key').waitFor();
  const made = [];
  for (const name of ['nightly', 'laptop']) {
    made.push(await up.api('POST', `/organizations/${id}/keys`, { name }));
  }
  await page.reload();
  await page.getByRole('combobox', { name: 'API key' }).selectOption('nightly');
  const { label } = made[0] as { label: string };
  await page.getByText('to the value of “nightly”').waitFor();
  await page.getByText(label, { exact: true }).waitFor();
  // The label is not a key that works, so it is not what the button copies.
  await page.getByRole('button', { name: 'Copy the example', exact: true }).first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'export PENSTOCK_API_KEY=<your key>',
  );
  const curl = page.getByLabel('the curl example', { exact: true }).first();
  await curl.getByText(`${up.ready.base_url}/chat/completions`).waitFor();
  await curl.getByText('deepseek-ai/deepseek-v4-flash').waitFor();
  await ida.look('docs-signed-in');
  // The dashboard's navigation is around the page, with the organization that was shown last.
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('button', { name: /Ida.*Switch organization/ }).waitFor();
  await navigation.getByRole('link', { name: 'Overview' }).click();
  await page.waitForURL(`**/${id}`);
});

test('the examples name models that the chosen key may call, and the usual key may call all', async () => {
  await using leo = await Visitor.signedUp(browser, up, { name: 'Leo', email: 'leo@example.com' });
  const { page } = leo;
  const id = await leo.organization();
  const kimi = 'moonshotai/kimi-k2.5';
  await up.api('POST', `/organizations/${id}/keys`, { name: 'all models' });
  await up.api('POST', `/organizations/${id}/keys`, { name: 'only kimi', allowed_models: [kimi] });
  await page.goto('/docs/quickstart');
  const keys = page.getByRole('combobox', { name: 'API key' });
  await page.getByText('to the value of “all models”').waitFor();
  const curl = page.getByLabel('the curl example', { exact: true }).first();
  await curl.getByText('deepseek-ai/deepseek-v4-flash').waitFor();
  await keys.selectOption('only kimi');
  await curl.getByText(kimi).waitFor();
  await leo.look('docs-key-of-some-models');
  expect(await page.locator('main pre').filter({ hasText: 'deepseek' }).count()).toBe(0);
});

test('on a phone no copy button of the documentation covers code', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['quickstart', 'streaming', 'errors']) {
    await page.goto(`/docs/${path}`);
    const code = page.locator('main pre');
    await code.first().waitFor();
    const boxes = (of: Locator) =>
      of.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    const buttons = await boxes(page.locator('main').getByRole('button', { name: /^Copy the/ }));
    const codes = await boxes(code);
    expect(codes.length).toBeGreaterThan(0);
    expect(buttons.length).toBeGreaterThanOrEqual(codes.length);
    const covered = codes.filter((one) => buttons.some((button) => overlap(one, button)));
    expect(covered, path).toEqual([]);
    // The button is at the code, and in the window.
    expect(buttons.every(({ right }) => right <= 390)).toBe(true);
  }
});

test('the headings of an article are beside it, and the one that is read is marked', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/docs/quickstart');
  const headings = page.getByRole('navigation', { name: 'On this page' });
  await headings.getByRole('link', { name: 'Set your API key' }).waitFor();
  const marked = headings.locator('[aria-current=location]');
  expect(await marked.count()).toBe(0);
  await headings.getByRole('link', { name: 'List the models' }).click();
  await page.waitForURL('**/docs/quickstart#list-the-models');
  await expect.poll(() => marked.allTextContents()).toEqual(['List the models']);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(() => marked.count()).toBe(0);
});

test('the list beside each article has exactly its headings', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/docs/quickstart');
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  await pages.getByRole('link').first().waitFor();
  const names = await pages.getByRole('link').allTextContents();
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    await pages.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const ids = await page
      .locator('article')
      .locator('h2, h3')
      .evaluateAll((all) => all.map(({ id }) => `#${id}`));
    const listed = await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    // A single heading needs no list.
    expect(listed, name).toEqual(ids.length > 1 ? ids : []);
  }
});

test('the search finds a section by the keyboard alone, and marks what it has found', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/docs/quickstart');
  await page.getByRole('heading', { level: 1, name: 'Quickstart' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('retry-after');
  const results = page.getByRole('option');
  await results.first().waitFor();
  for (const result of await results.all()) {
    await expect.poll(() => result.textContent()).toMatch(/retry-after/i);
  }
  expect(new Set(await results.locator('mark').allTextContents())).toEqual(
    new Set(['retry-after']),
  );
  await visitor.look('docs-search');

  await page.getByRole('combobox', { name: 'Search docs' }).fill('INSUFFICIENT_credit');
  await results.filter({ hasText: 'insufficient_credit in Errors' }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#insufficient_credit');
  const heading = page.getByRole('heading', { name: 'insufficient_credit' });
  await expect
    .poll(async () => (await heading.boundingBox())?.y)
    .toSatisfy((y: number) => y >= 0 && y < 300);

  await page.getByRole('button', { name: 'Search docs' }).click();
  await page.keyboard.type('xyzzy');
  await page.getByText('Nothing found for “xyzzy”.').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('an article leads to the one before and the one after it', async () => {
  await using visitor = await Visitor.open(browser, up);
  const { page } = visitor;
  await page.goto('/docs/streaming');
  const neighbours = page.getByRole('navigation', { name: 'Neighbouring pages' });
  await neighbours.getByRole('link', { name: 'Previous Client libraries' }).waitFor();
  await neighbours.getByRole('link', { name: 'Next Tools' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

function overlap(a: DOMRect, b: DOMRect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
