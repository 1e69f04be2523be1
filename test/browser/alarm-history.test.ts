/** Alarms that are over, on the operators' first page and in the history of the fleet. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordAlarms } from '../../router/control/platform/alarm-log.ts';
import { alarmsFrom } from '../../router/control/platform/alarms.ts';
import { REGISTRY } from '../../router/installation/store.ts';
import { openStore } from '../../router/store/open-store.ts';
import { systemClock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { namesOf, NOTHING, seenBy } from '../router/control/alarm-facts.ts';
import { Up } from '../support/up.ts';
import { look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const MINUTE_MS = 60_000;

/** Two workers were not ready from 40 minutes ago until 15 minutes ago. */
async function recordOutage(url: string): Promise<void> {
  const log = makeLog('test', 'silent');
  await using store = await openStore({ url, registry: REGISTRY }, { clock: systemClock, log });
  const quiet = { ...NOTHING, routers: [], jobs: { ...NOTHING.jobs, oldestDue: null } };
  const seen = [seenBy({ unready_workers: namesOf('gpu-1/vllm', 'gpu-2/vllm') })];
  const now = Date.now();
  for (let ago = 40; ago >= 15; ago--) {
    const alarms = ago > 15 ? alarmsFrom({ ...quiet, seen }) : [];
    await store.call(recordAlarms, { alarms, now: now - ago * MINUTE_MS });
  }
}

test('an operator who was away sees which alarms there were, and when', async () => {
  await using up = await Up.start();
  await up.stop();
  await recordOutage(`sqlite:${join(up.data, 'penstock.db')}`);
  await up.run();
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator');
  const row = page.getByRole('row').filter({ hasText: '2 workers are not ready' });
  await row.getByText('25 min', { exact: true }).waitFor();
  expect(await row.getByRole('cell').nth(2).textContent()).toBe('Warning');
  // On a phone, the sentence and its severity are the first line of a card.
  const table = page.getByRole('region', { name: 'Alarm history' }).locator('table');
  expect(await table.getAttribute('data-title')).toBe('2');
  expect(await table.getAttribute('data-value')).toBe('3');
  await look(operator, 'operator-alarm-history');
  await row.getByText('PenstockEngineDown', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'An engine does not answer' }).click();
  await page.getByRole('heading', { level: 1, name: 'An engine does not answer' }).waitFor();
  await page.locator('h1 + p').getByText('PenstockEngineDown', { exact: true }).waitFor();
  await page.getByText(/^Last active 1\d min\. ago, for 25 min\.$/).waitFor();
  await page.goto('/operator/runbooks');
  const listed = page.getByRole('link', {
    name: /^An engine does not answer\s*PenstockEngineDown/,
  });
  await listed.getByText(/^Last active 1\d min\. ago$/).waitFor();
  await look(operator, 'operator-runbooks-last-active');

  await page.goto('/operator/fleet#history');
  const events = page.getByRole('list', { name: 'Events in this time' });
  await events.getByText('Alarm: 2 workers are not ready: gpu-1/vllm, gpu-2/vllm.').waitFor();
  await events
    .getByText('The alarm is over: 2 workers are not ready: gpu-1/vllm, gpu-2/vllm.')
    .waitFor();
});
