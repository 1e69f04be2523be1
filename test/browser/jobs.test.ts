/** Background jobs, as an operator sees them: those that were given up are tried again. */
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../shared/clock.ts';
import { Up } from '../support/up.ts';
import { dialog, look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LETTER = `job_${'1'.repeat(26)}`;
const REFUND = `job_${'2'.repeat(26)}`;
const SECOND = `job_${'4'.repeat(26)}`;
const THIRD = `job_${'5'.repeat(26)}`;
const WEBHOOK = `job_${'3'.repeat(26)}`;

/** Writes jobs that were given up into the store of a service that does not run. */
function giveUp(up: Up): void {
  const store = new BetterSqlite3(join(up.data, 'penstock.db'));
  const insert = store.prepare(
    `insert into jobs (id, kind, subject, idempotency_key, payload, state, attempts, run_at,
       last_error, created, ended)
     values (?, ?, ?, ?, ?, 'failed', 12, ?, ?, ?, ?)`,
  );
  const at = clock.now() - 60_000;
  const { id } = up.first.organization;
  const letter = JSON.stringify({ kind: 'receipt', organization: id, payment: 'pay_0' });
  insert.run(LETTER, 'letter', id, 'letter/receipt/pay_0', letter, at, 'mail_refused', at, at);
  insert.run(WEBHOOK, 'webhook', `whk_${'0'.repeat(26)}`, 'webhook/0/1', '{}', at, 'Error', at, at);
  insert.run(REFUND, 'refund', id, 'refund/tra_0', '{}', at, 'TypeError', at, at);
  const refused = 'Error ECONNREFUSED | connect ECONNREFUSED 10.0.0.7:25 for ada@example.com';
  for (const more of [SECOND, THIRD]) {
    insert.run(more, 'letter', id, `letter/receipt/${more}`, letter, at, refused, at, at);
  }
  store.close();
}

test('jobs that were given up are listed and tried again, but a refund is not', {
  timeout: 240_000,
}, async () => {
  await using up = await Up.start();
  await up.stop();
  giveUp(up);
  await up.run();
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto('/operator');
  // The alarm of failed jobs has a link of this name, too.
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Jobs', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: LETTER });
  const error = row.getByText('The mail server did not accept the email');
  expect((await error.boundingBox())?.width).toBeGreaterThanOrEqual(220);
  await row.getByText(up.first.organization.name).waitFor();
  const refund = page.getByRole('row').filter({ hasText: REFUND });
  // What is not known by its code is not shown to people; the page of the job has it.
  await refund.getByText('An unexpected error ended the attempt').waitFor();
  await refund.getByText('Routers keep asking the payment provider for the result.').waitFor();
  expect(await page.getByText('TypeError').count()).toBe(0);
  expect(await refund.getByRole('button').count()).toBe(0);
  const webhook = page.getByRole('row').filter({ hasText: WEBHOOK });
  await webhook.getByText('Attempt to deliver a webhook').waitFor();
  // Each attempt has a job of its own.
  expect(await webhook.getByText('of 12').count()).toBe(0);
  expect(await row.getByText('12 of 12').count()).toBe(1);
  // All of the table fits beside the navigation.
  const table = page.getByRole('region', { name: 'Jobs' });
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await look(operator, 'operator-jobs');
  // On a phone, the id is on one line, and the name has all of its width.
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await row.getByText(LETTER, { exact: true }).boundingBox();
  expect(id?.height).toBeLessThan(24);
  const name = await row.getByRole('link', { name: 'Email: receipt' }).boundingBox();
  expect(name?.height).toBeLessThan(28);
  const again = row.getByRole('button', { name: `Try again: ${LETTER}` });
  expect(await again.isVisible()).toBe(false);
  if (wide) await page.setViewportSize(wide);

  await row.getByRole('button', { name: `Try again: ${LETTER}` }).click();
  await look(operator, 'operator-job-retry');
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Try again' }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Failed 4' }).waitFor();
  await page.getByRole('radio', { name: /^Ended \d/ }).click();
  await page.waitForURL(/state=done/);
  await row.getByText('Done', { exact: true }).waitFor();

  await row.getByRole('link', { name: 'Email: receipt' }).click();
  await page.waitForURL(`**/operator/jobs/${LETTER}`);
  await page.getByRole('heading', { level: 1, name: 'Email: receipt' }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'pay_0' }).waitFor();
  const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('row');
  const attempt = attempts.filter({ hasText: ' · process ' });
  await attempt.getByText('Done', { exact: true }).waitFor();
  expect(await attempts.count()).toBe(2);
  await look(operator, 'operator-job');
  await attempt.getByRole('link').click();
  await page.waitForURL(/\/operator\/routers\/rtr_[0-9a-z]{26}$/);
  await page.goto(`/operator/jobs/${REFUND}`);
  await page.getByText('This job cannot be tried again here').waitFor();
  await page.getByRole('definition').getByText('TypeError', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  // It is tried again from its own page, too.
  await page.goto(`/operator/jobs/${WEBHOOK}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Try again' }).click();
  await attempts.nth(1).waitFor();
  await page.goto(`/operator/jobs/job_${'f'.repeat(26)}`);
  await page.getByText('This job does not exist').waitFor();
  await page.goto('/operator/jobs?state=done');

  const { organization } = up.first;
  const invited = { email: 'carl@example.com', role: 'viewer' };
  await up.api('POST', `/organizations/${organization.id}/invitations`, invited);
  const invitation = page.getByRole('row').filter({ hasText: 'Email: invitation' });
  await invitation.getByText('carl@example.com').waitFor();
  await invitation.getByRole('link', { name: organization.name }).waitFor();

  await page.goto('/operator/jobs?kind=letter');
  const second = page.getByRole('row').filter({ hasText: SECOND });
  await second.getByText('The mail server refused the connection').waitFor();
  await second.getByText('Check that routers reach the mail server, then try again.').waitFor();
  await second.getByRole('checkbox').check();
  await page.getByText('1 selected').waitFor();
  await look(operator, 'operator-jobs-selected');
  await page.getByRole('button', { name: 'Try selected again' }).click();
  const asked = dialog(page, 'alertdialog');
  await asked.getByRole('button', { name: 'Try 1 job again' }).click();
  await asked.waitFor({ state: 'detached' });
  await second.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Try all failed jobs again' }).click();
  await asked.getByText('1 job of the kind Email is tried again.').waitFor();
  await look(operator, 'operator-jobs-retry-all');
  await asked.getByRole('button', { name: 'Try 1 job again' }).click();
  await asked.waitFor({ state: 'detached' });
  await page.getByText('No jobs found').waitFor();

  // Jobs are found by whom they are for, from the page of the organization, too.
  await page.goto(`/operator/organizations/${organization.id}`);
  await page.getByRole('link', { name: 'Show emails and other jobs' }).click();
  await page.waitForURL(`**/operator/jobs?state=done&search=${organization.id}`);
  const search = page.getByRole('searchbox', { name: 'Search jobs' });
  await search.fill('carl@example');
  await invitation.waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'Ended 1', exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Failed 0', exact: true }).waitFor();
  await look(operator, 'operator-jobs-searched');
  await search.fill('nobody has this name');
  await page.getByText('No jobs found').waitFor();

  await page.goto('/operator/jobs?kind=refund');
  await refund.waitFor();
  await page.getByRole('button', { name: 'Remove filter: Kind' }).click();
  await page.goto('/operator/audit');
  await page.getByText('tried a job of the kind letter again').first().waitFor();
});
