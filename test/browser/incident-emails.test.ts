/** Emails about incidents, from the choice to the link that ends them, with a real mail server. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Received, readable, startMailServer } from '../support/mail-server.ts';
import { Up, until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 240_000 };

test(
  'a person chooses emails on the status page, gets one, and ends them by its link',
  LONG,
  async () => {
    await using undo = new AsyncDisposableStack();
    const received: Received[] = [];
    const server = startMailServer(received);
    undo.defer(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    const { port } = server.server.address() as AddressInfo;
    const folder = await mkdtemp(join(tmpdir(), 'penstock-incident-emails-'));
    undo.defer(() => rm(folder, { recursive: true }));
    const settings = join(folder, 'router.yaml');
    await writeFile(
      settings,
      `mail: { smtp: "smtp://127.0.0.1:${port}", from: "a@example.com" }\n`,
    );
    const up = undo.use(await Up.start(['--settings', settings]));
    const ada = undo.use(
      await Visitor.signedUp(browser, up, {
        name: 'Ada',
        email: 'ada@example.com',
        unconfirmed: true,
      }),
    );
    const { page } = ada;
    const letter = (subject: string) =>
      until(() => {
        const raw = received.find((one) => readable(one.raw).includes(`Subject: ${subject}`))?.raw;
        return raw !== undefined && readable(raw);
      }, `an email "${subject}"`);
    const [, confirm = ''] = /(http:\S+\/confirm#token=\S+)/.exec(await letter('Confirm')) ?? [];
    await page.goto(confirm);
    await page.getByText('confirmed').first().waitFor();

    await page.goto('/status');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    const emails = page.getByRole('switch', { name: 'Email incidents to ada@example.com' });
    await emails.and(page.getByRole('switch', { checked: false })).click();
    await emails.and(page.getByRole('switch', { checked: true })).waitFor();
    await ada.look('status-emails');
    const report = { title: 'Slow answers', message: 'We are looking for the cause.' };
    await up.api('POST', '/incidents', report);
    const text = await letter('Investigating: Slow answers');
    const [, end = ''] = /no more of them: (http:\S+)/.exec(text) ?? [];

    // The link works in a browser that is not signed in.
    const other = undo.use(await Visitor.open(browser, up));
    await other.page.goto(end);
    await other.page
      .getByRole('heading', { name: 'Unsubscribe from emails about incidents' })
      .waitFor();
    await other.page.getByText('The account a•••@•••.com gets an email').waitFor();
    await other.look('unsubscribe');
    await other.page.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    await other.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    await other.page.getByText('sent to the account a•••@•••.com').waitFor();
    await page.goto('/account');
    await emails.and(page.getByRole('switch', { checked: false })).waitFor();
    expect(other.complaints).toEqual([]);
  },
);
