/** Background jobs, as an operator sees them: those that were given up are tried again. */
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { systemClock as clock } from '../../shared/clock.ts';
import { Up } from '../support/up.ts';
import { dialog, look } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { DESKTOPS, tooWide } from './tables.ts';
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
  // A card has its button, too, inside of the window.
  const again = row.getByRole('button', { name: `Try again: ${LETTER}` });
  const place = await again.boundingBox();
  expect((place?.x ?? Infinity) + (place?.width ?? 0)).toBeLessThan(390);
  expect(await refund.getByRole('button').count()).toBe(0);
  await again.click();
  await dialog(page, 'alertdialog').getByRole('button', { name: 'Cancel' }).click();
  if (wide) await page.setViewportSize(wide);

  await again.click();
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

/** Invited addresses of the usual lengths, by what became of the emails to them. */
const REFUSED = {
  failed: ['x1@bounce.test', 'lee@northern-instruments.example', 'mara.lindqvist@lumen.example'],
  waiting: ['x2@bounce.test', 'ida@southern-instruments.example', 'k.abendroth@office.example.org'],
} as const;

test('an address in the list of jobs is broken at most after its @, and what a kind of job does is on the page of the job', {
  timeout: 240_000,
}, async () => {
  await using up = await Up.start();
  const { id } = up.first.organization;
  for (const email of [...REFUSED.failed, ...REFUSED.waiting]) {
    await up.api('POST', `/organizations/${id}/invitations`, { email, role: 'viewer' });
  }
  await up.stop();
  refuseInvitations(up);
  await up.run();
  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  for (const state of ['failed', 'waiting'] as const) {
    await page.goto(`/operator/jobs?state=${state}`);
    const rows = page.getByRole('row').filter({ hasText: 'Email: invitation' });
    await expect.poll(() => rows.count()).toBe(REFUSED[state].length);
    const subjects = rows.locator('td:nth-child(2)');
    for (const size of [...DESKTOPS, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      for (const text of await subjects.evaluateAll(linesOf)) {
        expect(text, `${state}, ${size.width}`).toMatch(/^[^\n]+(@\n[^\n]+)?$/);
      }
    }
    expect(await tooWide(page)).toEqual([]);
    await page.setViewportSize(DESKTOPS[0]);
    await operator.look(`operator-jobs-addresses-${state}`);
    expect(await page.getByText('Sends an invitation').count()).toBe(0);
    await rows.first().getByRole('link', { name: 'Email: invitation' }).click();
    await page.getByText('Sends an invitation to an organization').waitFor();
  }
  // The last page is that of a job that waits for another attempt.
  await page.getByRole('button', { name: 'Try now' }).click();
  const asked = dialog(page, 'alertdialog');
  await asked.getByText('This is one of the 6 attempts that are left.').waitFor();
  await look(operator, 'operator-job-try-now');
  await asked.getByRole('button', { name: 'Try now' }).click();
  await page.getByRole('definition').getByText('7 of 12', { exact: true }).waitFor();
});

/** Changes the jobs of invitations in the store of a service that does not run. */
function refuseInvitations(up: Up): void {
  const store = new BetterSqlite3(join(up.data, 'penstock.db'));
  const [now, hour] = [clock.now(), 3_600_000];
  const fail = store.prepare(
    `update jobs set state = ?, attempts = ?, run_at = ?, ended = ?,
       last_error = 'mail_refused EENVELOPE 550'
     where subject = (select id from invitations where email = ?)`,
  );
  for (const email of REFUSED.failed) fail.run('failed', 12, now, now, email);
  for (const email of REFUSED.waiting) fail.run('waiting', 6, now + hour, null, email);
  store.close();
}

/** In the browser: the text of the first block of each cell, with the line breaks that the window has. */
function linesOf(cells: readonly Element[]): string[] {
  return cells.map((cell) => {
    const walker = document.createTreeWalker(cell.firstElementChild ?? cell, NodeFilter.SHOW_TEXT);
    let shown = '';
    let line: number | null = null;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { bottom } = range.getBoundingClientRect();
        if (line !== null && bottom > line + 4) shown += '\n';
        line = bottom;
        shown += text.charAt(at);
      }
    }
    return shown;
  });
}
