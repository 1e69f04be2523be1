/** What operators see of a host whose engine hangs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

let up: Up;

beforeAll(async () => {
  up = await Up.start();
}, 180_000);
afterAll(() => up[Symbol.asyncDispose]());

test('a host whose engine hangs says why, what it served, and leads to the runbook', async () => {
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  const { sim } = up.ready.pids;
  process.kill(sim, 'SIGSTOP');
  using _ = { [Symbol.dispose]: () => void process.kill(sim, 'SIGCONT') };
  await page.goto('/operator/fleet');
  const workers = page.getByRole('region', { name: 'Workers' });
  const cause = /^(Its health|It does not answer)/;
  // The agent gives it up after three health checks without an answer.
  await workers.getByText('Not ready', { exact: true }).waitFor({ timeout: 90_000 });
  await workers.getByText(cause).filter({ visible: true }).waitFor();
  // Until the alarm is raised, the page does not say that all is well.
  await page
    .getByText(/1 worker needs attention/)
    .or(page.getByRole('heading', { name: 'Needs attention' }))
    .first()
    .waitFor();
  expect(await page.getByText('Nothing needs attention').count()).toBe(0);
  await workers.getByText(/ · served (\d models|\S+)$/).waitFor();
  await operator.look('operator-fleet-unready');
  await page.getByRole('region', { name: 'Hosts' }).locator('tbody a').first().click();
  await page.getByText(/^Worker .* is not ready$/).waitFor();
  await page.getByText(/It was last ready/).waitFor();
  expect(await page.getByText(cause).count()).toBeGreaterThan(1);
  await operator.look('operator-host-unready');
  await page.getByRole('link', { name: 'Runbook', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'An engine does not answer' }).waitFor();
});
