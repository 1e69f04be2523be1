/** Webhook endpoints in the dashboard, with a customer's server that gets the events. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { Receiver, verify } from '../support/webhook-receiver.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

/** Each `look` takes four screenshots, with an axe check of each theme. */
const LONG = { timeout: 240_000 };

let up: Up;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-webhooks-'));
  const settings = join(folder, 'router.yaml');
  await writeFile(settings, 'webhooks:\n  allowPrivateAddresses: true\n');
  up = await Up.start(['--settings', settings]);
});
afterAll(async () => {
  await up[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Until the secret is copied, the dialog asks before it closes. */
async function copySecret(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Copy signing secret' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
}

test(
  'a new endpoint gets a test event beside its secret, and shows what came of it',
  LONG,
  async () => {
    await using receiver = await Receiver.start();
    await using eve = await Visitor.signedUp(browser, up, {
      name: 'Eve',
      email: 'eve@example.com',
    });
    const { page } = eve;
    await page.goto(`/${await eve.organization()}/webhooks`);
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(receiver.url());
    await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    const secret = (await dialog.getByLabel('signing secret', { exact: true }).textContent()) ?? '';
    const tested = dialog.getByRole('region', { name: 'Test event' });
    const send = tested.getByRole('button', { name: 'Send test event' });
    receiver.refuseWith(500);
    await send.click();
    const attempts = tested.getByRole('list', { name: 'Attempts' });
    await attempts.getByText('HTTP 500').waitFor();
    receiver.answer = (response) => response.writeHead(200).end('<b>thanks</b>');
    await send.click();
    await attempts.getByText('HTTP 200').waitFor();
    await attempts.getByText('<b>thanks</b>').waitFor();
    // A screen reader is told how it ended, and not what the server answered.
    expect(await tested.getByRole('status').textContent()).toBe('Delivered: HTTP 200');
    await eve.look('webhooks-created-tested');
    expect(receiver.received.map((request) => verify(secret, request))).toMatchObject([
      { type: 'webhook.test' },
      { type: 'webhook.test' },
    ]);
    await copySecret(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    // The list says whether deliveries work.
    await page.getByRole('row', { name: /Active Delivered HTTP 200, / }).waitFor();
    await eve.look('webhooks-delivered');
    await page.getByRole('link', { name: receiver.url() }).click();
    await page.getByRole('row', { name: /webhook.test .* Delivered/ }).waitFor();
  },
);

test('an endpoint is created, gets a test event, and what failed is sent again', LONG, async () => {
  await using receiver = await Receiver.start();
  await using ada = await Visitor.signedUp(browser, up, {
    name: 'Ada',
    email: 'ada@example.com',
    organization: 'Analytical Engines',
  });
  const { page } = ada;
  const organization = await ada.organization();
  await page.goto(`/${organization}`);
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhook endpoints yet').waitFor();
  const empty = page.getByRole('main').locator('section', { hasText: 'No webhook endpoints yet' });
  await empty.getByRole('button', { name: 'Create endpoint' }).waitFor();
  await ada.look('webhooks-empty');

  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create endpoint' });
  expect(await create.isDisabled()).toBe(true);
  await dialog.getByLabel('URL').fill('https://user:pass@example.com/');
  await create.click();
  await dialog.getByText('Remove the user name and password from the URL').waitFor();
  await dialog.getByLabel('URL').fill(receiver.url());
  // What was wrong with the text before is not said of this one.
  await dialog.getByText('Remove the user name').waitFor({ state: 'detached' });
  await dialog.getByRole('checkbox', { name: 'balance.low' }).uncheck();
  await ada.look('webhooks-create');
  await create.click();
  await dialog.getByText("Copy the secret now. You won't see it again.").waitFor();
  const secret = (await dialog.getByLabel('signing secret', { exact: true }).textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('tab', { name: 'Python' }).click();
  await dialog.getByText('from standardwebhooks import Webhook').waitFor();
  await ada.look('webhooks-created');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Close without copying?' });
  await question.getByRole('button', { name: 'Keep open' }).click();
  await question.waitFor({ state: 'detached' });
  await copySecret(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Active Nothing sent yet balance.exhausted/ });
  await row.waitFor();
  await ada.look('webhooks');

  // Any place of the row leads to the page, which is named by the host.
  const { host } = new URL(receiver.url());
  await row.getByText('Active', { exact: true }).click();
  await page.waitForURL(/\/webhooks\/whk_\w+$/);
  await page.getByRole('heading', { name: host, level: 1 }).waitFor();
  await page.getByText(receiver.url(), { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the URL' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(receiver.url());
  await page.getByText('Nothing was sent yet').waitFor();
  receiver.refuseWith(500);
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('row', { name: /webhook.test .* Failed .* HTTP 500/ }).waitFor();
  await ada.look('webhook');
  receiver.answer = (response) => response.writeHead(200).end('<b>thanks</b>\n'.repeat(20));
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('row', { name: /webhook.test .* Delivered .* 2 HTTP 200/ }).waitFor();
  const [first, second] = receiver.received;
  if (!first || !second) throw new Error('the events were not received');
  expect(verify(secret, second)).toEqual(verify(secret, first));
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  await page.getByRole('button', { name: 'webhook.test' }).click();
  await dialog
    .getByText(first.headers['webhook-id'] as string)
    .first()
    .waitFor();
  await dialog.getByLabel('body', { exact: true }).getByText('"type": "webhook.test"').waitFor();
  const made = dialog.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
  await made
    .filter({ hasText: /Delivered.*HTTP 200.* ms/ })
    .getByText('<b>thanks</b>')
    .waitFor();
  await made
    .filter({ hasText: /Failed.*HTTP 500/ })
    .getByText('no', { exact: true })
    .waitFor();
  await ada.look('webhook-delivery');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(async () => await made.count()).toBe(3);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });

  // The events of the organization come by themselves.
  const path = `/organizations/${organization}/keys`;
  const { id } = (await up.api('POST', path, { name: 'ci' })) as { id: string };
  await up.api('POST', `${path}/${id}/revoke`);
  await page.getByRole('row', { name: /key.revoked .* Delivered/ }).waitFor();

  // They are narrowed to a state and a type, which the address keeps.
  await page.getByRole('button', { name: 'Filter by event' }).click();
  await page.getByRole('menuitem', { name: 'webhook.test' }).click();
  await page.waitForURL('**?type=webhook.test');
  await page.getByRole('row', { name: /key.revoked/ }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('row', { name: /webhook.test .* Delivered/ }).waitFor();
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('menuitem', { name: 'Failed' }).click();
  await page.getByText('No deliveries match these filters').waitFor();
  await ada.look('webhook-none-match');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: /key.revoked/ }).waitFor();

  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for this endpoint' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Replace secret');
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await dialog.getByText('New signing secret').waitFor();
  expect(await dialog.getByLabel('signing secret', { exact: true }).textContent()).not.toBe(secret);
  // The dialog has the focus, though it has taken the place of a question.
  expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await copySecret(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The old secret also signs until').waitFor();
  await act('Turn off');
  await page.getByText('This endpoint is off').waitFor();
  expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true);
  await ada.look('webhook-off');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This endpoint is off').waitFor({ state: 'detached' });
  await act('Edit');
  await dialog.getByLabel('URL').fill(receiver.url('/elsewhere'));
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText(receiver.url('/elsewhere')).waitFor();
  await act('Delete');
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('No webhook endpoints yet').waitFor();

  await page.goto(`/${organization}/audit`);
  await page.getByText(`Ada created the webhook endpoint at ${host}`).waitFor();
  await page.getByText(`Ada deleted the webhook endpoint at ${host}`).waitFor();
});
