/** An organization's members, its settings, and the log of changes. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { letterTo, tokenOf } from './letters.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

/** Each `look` takes four screenshots, with an axe check of each theme. */
const LONG = { timeout: 240_000 };

async function invite(page: Page, email: string, role: RegExp): Promise<Locator> {
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  return dialog;
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test(
  'somebody is invited by email, joins as a viewer, becomes a developer, and is removed',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      organization: 'Analytical Engines',
    });
    const { page } = ada;
    const organization = await ada.organization();
    await page.goto(`/${organization}/members`);
    const members = page.getByRole('region', { name: 'Members' });
    await members
      .getByRole('row', { name: /Ada Lovelace You ada@example.com Administrator/ })
      .waitFor();
    await ada.look('members-alone');

    const dialog = await invite(page, 'bob@example.com', /^Viewer See usage/);
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    await ada.look('members-invite');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('was sent to bob@example.com').waitFor();
    await dialog.getByText(`${up.origin}/invitation#token=penstock-link-`).waitFor();
    await ada.look('members-invited');
    await dialog.getByRole('button', { name: 'Invite another' }).click();
    await dialog.getByLabel('Email').fill('bob@example.com');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText('This address is already invited').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: /bob@example.com Viewer Ada Lovelace/ }).waitFor();

    const invitation = tokenOf(await letterTo(up, 'bob@example.com', '/invitation'));
    const person = { name: 'Bob Babbage', email: 'bob@example.com', invitation };
    await using bob = await Visitor.signedUp(browser, up, person);
    await bob.page.goto(`/${organization}/members`);
    await bob.page.getByText('You cannot invite, change or remove members.').waitFor();
    await bob.page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
    expect(await bob.page.getByRole('button', { name: 'Invite member' }).count()).toBe(0);
    expect(await bob.page.getByRole('button', { name: 'Actions for Ada Lovelace' }).count()).toBe(
      0,
    );
    await bob.look('members-viewer');
    await bob.page.goto(`/${organization}/settings`);
    await bob.page.getByText('Your role is viewer. This page is for administrators').waitFor();
    await bob.page.goto(`/${organization}/audit`);
    await bob.page.getByText('You do not have access to this page').waitFor();

    await page.reload();
    await choose(page, 'Bob Babbage', 'Change role');
    await page.getByRole('radio', { name: /^Developer/ }).check();
    await page.getByRole('button', { name: 'Change role' }).click();
    await members.getByRole('row', { name: /Bob Babbage bob@example.com Developer/ }).waitFor();
    await bob.page.reload();
    await bob.page.getByRole('link', { name: 'Playground' }).waitFor();

    await choose(page, 'Bob Babbage', 'Change role');
    await page.getByRole('radio', { name: /^Billing administrator/ }).check();
    await page.getByText('They lose these permissions immediately:').waitFor();
    await ada.look('members-role');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await choose(page, 'Bob Babbage', 'Set spending caps');
    const caps = page.getByRole('dialog', { name: 'Spending caps of Bob Babbage' });
    await caps.getByLabel('Daily cap in USD').fill('lots');
    await caps.getByRole('button', { name: 'Save' }).click();
    await caps.getByText('Enter an amount from $0 to $4,000,000').waitFor();
    await caps.getByLabel('Daily cap in USD').fill('12.5');
    await ada.look('members-caps');
    await caps.getByRole('button', { name: 'Save' }).click();
    await caps.waitFor({ state: 'detached' });
    const row = members.getByRole('row', { name: /Bob Babbage/ });
    await row.getByText('0% of $12.50 / day', { exact: true }).waitFor();
    await ada.look('members-capped');
    await choose(page, 'Bob Babbage', 'Set spending caps');
    expect(await caps.getByLabel('Daily cap in USD').inputValue()).toBe('12.5');
    await caps.getByLabel('Daily cap in USD').fill('');
    await caps.getByRole('button', { name: 'Save' }).click();
    await row.getByText('None').waitFor();

    await choose(page, 'Bob Babbage', 'Remove member');
    await ada.look('members-remove');
    await page.getByRole('button', { name: 'Remove member' }).click();
    // The dialog hides the page behind it, so the row seems to be gone while the dialog is open.
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await members.getByRole('row', { name: /Bob Babbage/ }).waitFor({ state: 'detached' });
    await bob.page.goto(`/${organization}/members`);
    await bob.page
      .getByText('This organization does not exist, or you are not a member of it.')
      .waitFor();
  },
);

test('who has not confirmed their own address is told so before an invitation is written', async () => {
  const email = 'hedy@example.com';
  await using hedy = await Visitor.signedUp(browser, up, {
    name: 'Hedy',
    email,
    unconfirmed: true,
  });
  const { page } = hedy;
  await page.goto(`/${await hedy.organization()}/members`);
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`We sent a link to ${email}`).waitFor();
  expect(await dialog.getByLabel('Email').count()).toBe(0);
  await hedy.look('members-unconfirmed');
  const before = await letterTo(up, email, '/confirm');
  await dialog.getByRole('button', { name: 'Resend email' }).click();
  await dialog.getByText(`We sent another link to ${email}`).waitFor();
  const tab = await page.context().newPage();
  await tab.goto(await letterTo(up, email, '/confirm', before));
  await tab.getByText('Email confirmed').waitFor();
  // The form appears although the link was opened in another tab.
  await dialog.getByLabel('Email').waitFor();
});

test('an invitation is sent again, which ends its former link, and revoked', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Grace',
    email: 'grace@example.com',
  });
  const { page } = ada;
  const organization = await ada.organization();
  await page.goto(`/${organization}/members`);
  const dialog = await invite(page, 'carl@example.com', /^Developer/);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const first = await letterTo(up, 'carl@example.com', '/invitation');
  await choose(page, 'carl@example.com', 'Resend invitation');
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('Invitation resent').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  const second = await letterTo(up, 'carl@example.com', '/invitation', first);
  expect(await previewOf(tokenOf(first))).toBe(404);
  expect(await previewOf(tokenOf(second))).toBe(200);
  await choose(page, 'carl@example.com', 'Revoke invitation');
  await page.getByRole('button', { name: 'Revoke invitation' }).click();
  await page.getByText('Pending invitations').waitFor({ state: 'detached' });
  expect(await previewOf(tokenOf(second))).toBe(404);

  await page.goto(`/${organization}/audit`);
  await page
    .getByRole('row', { name: 'Grace revoked the invitation of carl@example.com' })
    .waitFor();
  await page.getByRole('row', { name: /Grace sent the invitation of carl@.* again/ }).waitFor();
  await page.getByRole('button', { name: 'Grace invited carl@example.com as developer' }).click();
  await page.getByText('grace@example.com').last().waitFor();
  await ada.look('audit');
});

async function previewOf(token: string): Promise<number> {
  const answer = await fetch(`${up.origin}/api/v1/invitations/preview`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return answer.status;
}

test('the last org-admin cannot leave and is told what to do; with another one they can', async () => {
  await using ada = await Visitor.signedUp(browser, up, { name: 'Kay', email: 'kay@example.com' });
  const { page } = ada;
  const organization = await ada.organization();
  await page.goto(`/${organization}/members`);
  await choose(page, 'Kay', 'Leave organization');
  await page.getByRole('button', { name: 'Leave organization' }).click();
  await page.getByText('An organization needs at least one administrator').waitFor();
  await page.getByText('Make another member an administrator first').waitFor();
  await ada.look('members-last-admin');
  await page.getByRole('button', { name: 'Cancel' }).click();

  const path = `/organizations/${organization}`;
  await up.api('POST', `${path}/invitations`, { email: 'lin@example.com', role: 'org-admin' });
  const invitation = tokenOf(await letterTo(up, 'lin@example.com', '/invitation'));
  const person = { name: 'Lin', email: 'lin@example.com', invitation };
  await using lin = await Visitor.signedUp(browser, up, person);
  await choose(page, 'Kay', 'Leave organization');
  await page.getByRole('button', { name: 'Leave organization' }).click();
  await page.waitForURL('**/new-organization');
  await lin.page.goto(`/${organization}/members`);
  await lin.page.getByRole('row', { name: /Lin You/ }).waitFor();
  expect(await lin.page.getByRole('row', { name: /Kay/ }).count()).toBe(0);
});

test('the members are listed with what each has spent this month, from one call', async () => {
  await using uma = await Visitor.signedUp(browser, up, { name: 'Uma', email: 'uma@example.com' });
  const { page } = uma;
  const organization = await uma.organization();
  const { url } = await up.api('POST', `/organizations/${organization}/invitations`, {
    email: 'jon@example.com',
    role: 'viewer',
  });
  const invitation = new URL(url).hash.replace('#token=', '');
  const person = { name: 'Jon', email: 'jon@example.com', invitation };
  await using jon = await Visitor.signedUp(browser, up, person);
  const made = await page.request.post(`/api/v1/organizations/${organization}/keys`, {
    data: { name: 'of Uma' },
    headers: { origin: up.origin },
  });
  const { key } = (await made.json()) as { key: string };
  const answer = await up.post(
    '/chat/completions',
    {
      model: 'deepseek-ai/deepseek-v4-flash',
      max_tokens: 8,
      messages: [{ role: 'user', content: 'Hello.' }],
    },
    { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
  );
  expect(answer.status, await answer.text()).toBe(200);

  const summaries: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/usage/summary')) summaries.push(request.url());
  });
  await page.goto(`/${organization}/members`);
  const row = page.getByRole('row', { name: /Uma You/ });
  await row.getByRole('link', { name: /^\$0\.0000/ }).waitFor();
  await page.getByRole('row', { name: /Jon/ }).getByText('$0.00').waitFor();
  expect(summaries).toHaveLength(1);
  await page.getByRole('columnheader', { name: 'Last active here' }).waitFor();
  await uma.look('members-spend');
  await row.getByRole('link', { name: /^\$0\.0000/ }).click();
  // The usage that the link leads to is of the same time: of this month.
  const month = new Date().toISOString().slice(0, 8);
  await page.waitForURL(
    ({ searchParams }) =>
      searchParams.get('member')?.startsWith('mem_') === true &&
      searchParams.get('from') === `${month}01`,
  );

  await jon.page.goto(`/${organization}/members`);
  await jon.page.getByRole('link', { name: /^\$0\.0000/ }).waitFor();
  // Only people who may manage members see when somebody was last active.
  expect(await jon.page.getByRole('columnheader', { name: 'Last active here' }).count()).toBe(0);
});

test(
  'an organization is renamed, and a management token made, used and revoked',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Mary',
      email: 'mary@example.com',
      organization: 'Weaving Mill',
    });
    const { page } = ada;
    const organization = await ada.organization();
    await page.goto(`/${organization}/settings`);
    await page.getByText('No management tokens').waitFor();
    await page.getByText(up.ready.base_url).waitFor();
    // The limits in force, which no operator has set.
    await page
      .getByRole('definition')
      .filter({ hasText: /^10,000$/ })
      .waitFor();
    await ada.look('settings-empty');
    await page.getByLabel('Name').fill('Weaving Mills');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('navigation').getByText('Weaving Mills').waitFor();

    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Terraform');
    await dialog.getByLabel('Expires').selectOption('In 365 days');
    await ada.look('settings-new-token');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText("Copy the token now. You won't see it again.").waitFor();
    const token = (await dialog.getByLabel('token', { exact: true }).textContent()) ?? '';
    const read = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return await fetch(`${up.origin}/api/v1/organizations/${organization}`, { headers });
    };
    expect(await (await read()).json()).toMatchObject({ name: 'Weaving Mills' });
    await ada.look('settings-token');
    // What is shown once is not dismissed unasked.
    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
    await question.waitFor();
    await ada.look('settings-token-close');
    await question.getByRole('button', { name: 'Keep open' }).click();
    await question.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Copy token' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /Terraform .* by Mary Viewer/ }).waitFor();
    await ada.look('settings');

    await page.getByRole('button', { name: 'Revoke Terraform' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('No management tokens').waitFor();
    expect((await read()).status).toBe(401);
  },
);

test('everything of an organization is downloaded, and then it is deleted by typing its name', async () => {
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Zoe',
    email: 'zoe@example.com',
    organization: 'Short Lived',
  });
  const { page } = ada;
  const organization = await ada.organization();
  const path = `/organizations/${organization}`;
  const { key } = (await up.api('POST', `${path}/keys`, { name: 'app' })) as { key: string };
  await page.goto(`/${organization}/settings`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download export' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(download.suggestedFilename()).toBe(`${organization}.ndjson`);
  const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(expect.arrayContaining(['organization', 'member', 'key', 'audit']));
  expect(types.at(-1)).toBe('end');

  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('dialog');
  const remove = dialog.getByRole('button', { name: 'Delete organization' });
  await dialog.getByText('The balance is $5.00 now.').waitFor();
  await dialog.getByLabel('Organization name').fill('Short Live');
  expect(await remove.isDisabled()).toBe(true);
  await dialog.getByLabel('Organization name').fill('Short Lived');
  await ada.look('settings-delete');
  await remove.click();
  await page.waitForURL('**/new-organization');
  await page.getByText('Short Lived was deleted', { exact: true }).waitFor();
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${up.ready.base_url}/models`, { headers })).status).toBe(401);
  await page.goto(`/${organization}/settings`);
  await page
    .getByText('This organization does not exist, or you are not a member of it.')
    .waitFor();
});

test(
  'the audit log tells who changed what and from where, by pages and by what is asked for',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Ida',
      email: 'ida@example.com',
    });
    const { page } = ada;
    const organization = await ada.organization();
    const path = `/organizations/${organization}`;
    for (let i = 1; i <= 50; i += 1) {
      await up.api('PATCH', path, { low_balance_threshold: `${i}` });
    }
    await up.api('POST', `${path}/keys`, { name: 'nightly' });
    await page.goto(`/${organization}/audit`);
    const log = page.getByRole('region', { name: 'Audit log' });
    await log.getByRole('row', { name: 'An operator created the API key "nightly"' }).waitFor();
    expect(await log.getByText('signed up').count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await log.getByRole('row', { name: /^Ida signed up and created .* 127.0.0.1/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    const changed =
      'An operator changed the low balance threshold of the organization from $49 to $50';
    await log.getByRole('button', { name: changed }).click();
    await log.getByRole('row', { name: /^Low balance threshold \$49 \$50$/ }).waitFor();
    await ada.look('audit-open');
    const open = (filter: string) =>
      page.getByRole('button', { name: `Filter by ${filter}`, exact: true }).click();
    const pick = (name: string) => page.getByRole('option', { name, exact: true }).click();
    const clear = (filter: string) =>
      page.getByRole('button', { name: `Remove filter: ${filter}` }).click();
    await open('kind of change');
    await pick('Members');
    await page.getByText('No changes match these filters.').waitFor();
    await ada.look('audit-empty');
    await pick('API keys');
    await page.keyboard.press('Escape');
    await log.getByText('created the API key').waitFor();
    expect(await log.getByText('low balance threshold').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('kind')).toBe('member,key');
    await ada.look('audit-kinds');
    const download = page.getByRole('link', { name: 'CSV of the audit log' });
    expect(await download.getAttribute('href')).toContain('action=member&action=key&');
    await clear('Kind of change');
    await open('changed by');
    await pick('Ida');
    await page.keyboard.press('Escape');
    await log.getByText('created the API key').waitFor({ state: 'detached' });
    await log.getByRole('row', { name: /^Ida signed up/ }).waitFor();
    await page.reload();
    await log.getByRole('row', { name: /^Ida signed up/ }).waitFor();
    expect(await log.getByText('created the API key').count()).toBe(0);
    await clear('Changed by');
    await page.getByRole('radio', { name: '24 hours', exact: true }).click();
    await log.getByText('created the API key').waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('24h');
    // What was changed is a link to its page, which goes back to the same part of the log.
    await log.getByRole('link', { name: 'nightly', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'nightly' }).waitFor();
    await page.goBack();
    await log.getByText('created the API key').waitFor();
    await page.getByRole('radio', { name: 'UTC', exact: true }).click();
    await page.getByRole('button', { name: 'Custom range' }).click();
    const dialog = page.getByRole('dialog', { name: 'Custom range' });
    await dialog.getByLabel('From').fill('2020-01-01T00:00');
    await dialog.getByLabel('To').fill('2020-02-01T00:00');
    await dialog.getByRole('button', { name: 'Show this time' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('No changes match these filters.').waitFor();
    const csv = page.getByRole('link', { name: 'CSV of the audit log' });
    expect(new URL(page.url()).searchParams.get('from')).toBe('2020-01-01T00:00Z');
    const { searchParams: of } = new URL((await csv.getAttribute('href')) ?? '', page.url());
    expect([of.get('from'), of.get('until')]).toEqual([
      '2020-01-01T00:00:00.000Z',
      '2020-02-01T00:00:00.000Z',
    ]);
    await page.reload();
    await page.getByText('No changes match these filters.').waitFor();
    await ada.look('audit-range');
    await page.getByRole('radio', { name: 'All', exact: true }).click();
    await log.getByText('created the API key').waitFor();
    const answer = await page.request.get(`/api/v1${path}/audit?format=csv`);
    expect(await answer.text()).toContain(changed);
  },
);
