/** What a first visit costs: script over the wire, and time until the overview can be used. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { openBrowser, Visitor } from './visitor.ts';

const SCRIPT_BYTES_MAX = 200_000;
const VISITS = 5;

let up: Up;
let browser: Browser;
beforeAll(async () => {
  [up, browser] = await Promise.all([Up.start(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await up[Symbol.asyncDispose]();
});

test('the first load of the overview is under 200 kB of script, and usable within a second', async () => {
  const took: number[] = [];
  let scripts = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    // A profile of its own each: nothing is in a cache.
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    const started = performance.now();
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click({ trial: true });
    took.push(performance.now() - started);
    scripts = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }
  const median = took.toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] ?? Infinity;
  process.stdout.write(
    `first load: ${scripts} bytes of script, ${Math.round(median)} ms (median of ${VISITS})\n`,
  );
  // Less would mean that some were not counted.
  expect(scripts).toBeGreaterThan(SCRIPT_BYTES_MAX / 4);
  expect(scripts).toBeLessThan(SCRIPT_BYTES_MAX);
  expect(median).toBeLessThan(1_000);
});
