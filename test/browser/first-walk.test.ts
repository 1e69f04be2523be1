/** How much a newcomer has to read from sign-up to the first answer. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { wordsOf } from '../../router/control/mail/words.ts';
import type { PersonId } from '../../shared/ids.ts';
import { up } from '../support/shared-up.ts';
import { letterTo } from './letters.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const WORDS_MAX = 160;
const EMAIL = 'walker@example.com';
/** The navigation, texts for screen readers alone, and code are not read on the way. */
const UNREAD = 'nav, aside, header[role=banner], .sr-only, [aria-hidden=true], pre';

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
function linesOfEmail(): string[] {
  const letter = { kind: 'confirm-email', person: 'per_1' as PersonId, email: EMAIL } as const;
  const facts = { to: EMAIL, name: null, organization: null, link: null, dashboard: '' };
  const { subject, text } = wordsOf(letter, facts);
  return [subject, ...text.split('\n')];
}

test(`a newcomer reads at most ${WORDS_MAX} words from sign-up to the first answer`, async () => {
  await using walker = await Visitor.open(browser, up);
  const { page } = walker;
  const seen = new Set<string>();
  const read: Record<string, number> = {};
  // A line that was on an earlier page is not read again.
  const count = (step: string, lines: readonly string[]) => {
    const fresh = [...new Set(lines)].filter((line) => !seen.has(line));
    for (const line of fresh) seen.add(line);
    read[step] = fresh.flatMap((line) => line.split(/\s+/)).filter((word) => word !== '').length;
  };

  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Create account' }).waitFor();
  count('sign-up', await linesOf(page));
  await page.getByLabel('Your name').fill('Walker');
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password', { exact: true }).fill('three blue herons at dawn');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('See it arrive').waitFor();
  await page.getByText(`We sent a link to ${EMAIL}.`).waitFor();
  count('signed up', await linesOf(page));

  const link = await letterTo(up, EMAIL, '/confirm');
  count('email', linesOfEmail());
  await page.goto(link);
  await page.getByText('The dashboard opens in a moment.').waitFor();
  count('confirmed', await linesOf(page));
  await page.getByRole('link', { name: 'Continue' }).click();

  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByText('Waiting for the first request').waitFor();
  await page.getByRole('button', { name: 'Copy curl example' }).waitFor();
  count('key', await linesOf(page));
  await page.getByRole('button', { name: 'Copy curl example' }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  const [, key = '', body = ''] = /Bearer (\S+)"[^]*-d '([^]*)'$/.exec(curl) ?? [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${up.ready.base_url}/chat/completions`, {
    method: 'POST',
    headers,
    body,
  });
  expect(answer.status).toBe(200);
  await page.getByText('The first request has arrived.').waitFor();
  count('answer', await linesOf(page));

  const all = Object.values(read).reduce((sum, words) => sum + words, 0);
  expect(all, JSON.stringify(read)).toBeLessThanOrEqual(WORDS_MAX);
  expect(Math.min(...Object.values(read)), JSON.stringify(read)).toBeGreaterThan(0);
});
