/**
 * The cost of a first visit: the script bytes that are transferred, and the time until the overview
 * can be used.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const SCRIPT_BYTES_MAX = 200_000;
const VISITS = 9;
const USABLE_MS_MAX = 1_000;
/**
 * The time that `spin` takes on the machine for which the limit of one second is promised. A
 * machine on which `spin` takes 65 ms needs 1,040 to 1,094 ms for a page that takes 808 to 847 ms
 * there. On a slower machine the limit grows in proportion.
 */
const SPIN_MS = 50;

test('the first load of the overview is under 200 kB of script, and usable within a second', async () => {
  const took: number[] = [];
  const spins: number[] = [];
  let scripts = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    // Each visit has its own profile, so that nothing is cached.
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    const started = performance.now();
    await page.goto(`/${up.first.organization.id}`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click({ trial: true });
    took.push(performance.now() - started);
    spins.push(await spin(page));
    scripts = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  }
  const usable = median(took);
  const slowness = Math.max(1, median(spins) / SPIN_MS);
  process.stdout.write(
    `first load: ${scripts} bytes of script, ${Math.round(usable)} ms (median of ${VISITS}), ` +
      `on a machine that takes ${slowness.toFixed(2)} times as long as the one of the promise\n`,
  );
  // A smaller sum would mean that some scripts were not counted.
  expect(scripts).toBeGreaterThan(SCRIPT_BYTES_MAX / 4);
  expect(scripts).toBeLessThan(SCRIPT_BYTES_MAX);
  expect(usable / slowness).toBeLessThan(USABLE_MS_MAX);
});

/** A fixed amount of work in the page, to measure how fast the machine is at the moment. */
function spin(page: Page): Promise<number> {
  return page.evaluate(() => {
    const rows = Array.from({ length: 20_000 }, (_, n) => ({ id: `row-${n}`, sum: n * 1.5 }));
    const started = performance.now();
    for (let round = 0; round < 5; round++) JSON.parse(JSON.stringify(rows));
    return performance.now() - started;
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;
}
