/** The way of a newcomer from the sign-up page to the first answer in a program of their own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { wordsOf } from '../../router/control/mail/words.ts';
import type { PersonId } from '../../shared/ids.ts';
import type { Up } from '../support/up.ts';
import { letterTo } from './letters.ts';

/** The navigation, texts for screen readers alone, and code are not read on the way. */
const UNREAD = 'nav, aside, header[role=banner], .sr-only, [aria-hidden=true], pre';

/** What a person does on the way, each at their own pace. */
export type Walker = Readonly<{
  email: string;
  /** `words`: how many of the page or email were not on an earlier one. */
  read: (step: string, words: number) => Promise<void> | void;
  type: (field: Locator, text: string) => Promise<void>;
  click: (target: Locator) => Promise<void>;
  /** Turns to another program: the mail, or the terminal. */
  turn: () => Promise<void> | void;
}>;

/** Resolves when the page shows that the first request has arrived. */
export async function walk(page: Page, up: Up, walker: Walker): Promise<void> {
  const { email, type, click } = walker;
  const seen = new Set<string>();
  // A line that was on an earlier page is not read again.
  const read = async (step: string, lines: readonly string[]) => {
    const fresh = [...new Set(lines)].filter((line) => !seen.has(line));
    for (const line of fresh) seen.add(line);
    const words = fresh.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '');
    await walker.read(step, words.length);
  };

  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  await read('sign-up', await linesOf(page));
  await type(page.getByLabel('Your name'), 'Walker');
  await type(page.getByLabel('Email'), email);
  await type(page.getByLabel('Password', { exact: true }), 'three blue herons at dawn');
  await click(page.getByRole('button', { name: 'Create account' }));
  await page.getByText('See it arrive').waitFor();
  await page.getByText(`We sent a link to ${email}.`).waitFor();
  await read('signed up', await linesOf(page));

  await walker.turn();
  const link = await letterTo(up, email, '/confirm');
  await read('email', linesOfEmail(email));
  await page.goto(link);
  await page.getByText('The dashboard opens in a moment.').waitFor();
  await read('confirmed', await linesOf(page));
  // Who is slower than the page need not click.
  const onward = page.getByRole('link', { name: 'Continue' });
  if (await onward.isVisible()) await click(onward);

  await click(page.getByRole('button', { name: 'Create key' }));
  await page.getByText('Waiting for the first request').waitFor();
  await page.getByRole('button', { name: 'Copy curl example' }).waitFor();
  await read('key', await linesOf(page));
  await click(page.getByRole('button', { name: 'Copy curl example' }));
  const command = await page.evaluate(() => navigator.clipboard.readText());
  await walker.turn();
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toHaveProperty('choices');
  await page.getByText('The first request has arrived.').waitFor();
  await read('answer', await linesOf(page));
}

/** Returns the lines of text that are visible, without those that are not read. */
async function linesOf(page: Page): Promise<string[]> {
  return await page.evaluate((unread) => {
    const hidden = [...document.querySelectorAll<HTMLElement>(unread)];
    for (const one of hidden) one.style.setProperty('display', 'none', 'important');
    const text = document.body.innerText;
    for (const one of hidden) one.style.removeProperty('display');
    return text.split('\n').map((line) => line.trim());
  }, UNREAD);
}

/** The lines of the email, without its link. */
function linesOfEmail(email: string): string[] {
  const letter = { kind: 'confirm-email', person: 'per_1' as PersonId, email } as const;
  const facts = { to: email, name: null, organization: null, link: null, dashboard: '' };
  const { subject, text } = wordsOf(letter, facts);
  return [subject, ...text.split('\n')];
}
