/** How much a newcomer has to read from sign-up to the first answer. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { walk } from './first-walk.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const WORDS_MAX = 160;

test(`a newcomer reads at most ${WORDS_MAX} words from sign-up to the first answer`, async () => {
  await using newcomer = await Visitor.open(browser, up);
  const read: Record<string, number> = {};
  await walk(newcomer.page, up, {
    email: 'walker@example.com',
    read: (step, words) => {
      read[step] = words;
    },
    type: (field, text) => field.fill(text),
    click: (target) => target.click(),
    turn: () => {},
  });
  const all = Object.values(read).reduce((sum, words) => sum + words, 0);
  expect(all, JSON.stringify(read)).toBeLessThanOrEqual(WORDS_MAX);
  expect(Math.min(...Object.values(read)), JSON.stringify(read)).toBeGreaterThan(0);
});
