/** The search of the documentation: the sections that the build makes, and what is found in them. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sectionsOf } from '../../../../../router/dashboard/docs-sections.ts';
import {
  type Section,
  searched,
} from '../../../../../router/dashboard/pages/docs/search/docs-search.ts';

const section = (title: string, text: string, pageTitle = 'Limits'): Section => ({
  page: pageTitle.toLowerCase(),
  pageTitle,
  id: title.toLowerCase(),
  title,
  text,
});

test('a page has its sections by heading, with the ids of the headings and the text as it is read', () => {
  const page = [
    '# Limits',
    '',
    'What *may* be sent, see [Errors](errors.md).',
    '',
    '## `rate_limited`',
    '',
    '```sh curl',
    'curl -i',
    '```',
    '',
    '### A header',
    '',
    '| Name |',
    '|---|',
    '| `retry-after` |',
    '',
    '## A header',
  ].join('\n');
  expect(sectionsOf(page)).toEqual([
    { id: '', title: 'Limits', level: 1, text: 'What may be sent, see Errors.' },
    { id: 'rate_limited', title: 'rate_limited', level: 2, text: 'curl -i' },
    { id: 'a-header', title: 'A header', level: 3, text: 'Name retry-after' },
    { id: 'a-header-1', title: 'A header', level: 2, text: '' },
  ]);
});

test('a section is found if it has all words, and those in a title come first', () => {
  const sections = [
    section('Headers', 'The header retry-after says how long to wait.'),
    section('Retry', 'Wait, and send the request again.'),
    section('Sizes', 'A body has at most 32 MiB.'),
  ];
  const titles = (search: string) => searched(sections, search).map((hit) => hit.section.title);
  expect(titles('retry')).toEqual(['Retry', 'Headers']);
  expect(titles('WAIT again')).toEqual(['Retry']);
  expect(titles('limits sizes')).toEqual(['Sizes']);
  expect(titles('nowhere')).toEqual([]);
  expect(titles('  ')).toEqual([]);
});

test('an excerpt is short, and has what was found', async () => {
  const file = new URL('../../../../../docs/inference/errors.md', import.meta.url).pathname;
  const sections = sectionsOf(await readFile(file, 'utf8')).map((one) => ({
    ...one,
    page: 'errors',
    pageTitle: 'Errors',
  }));
  const hits = searched(sections, 'retry-after');
  expect(hits.length).toBeGreaterThan(0);
  for (const { excerpt } of hits) {
    expect(excerpt).toContain('retry-after');
    expect(excerpt.length).toBeLessThan(200);
    // It begins and ends with a whole word.
    const words = sections.flatMap(({ text }) => text.split(' '));
    const shown = excerpt.replaceAll('…', '').split(' ');
    expect(words).toContain(shown[0]);
    expect(words).toContain(shown.at(-1));
  }
});

test('an excerpt of a word that is too long is cut within it', () => {
  const [hit] = searched([section('Tokens', `a${'b'.repeat(500)}`)], 'ab');
  expect(hit?.excerpt).toBe(`a${'b'.repeat(149)}…`);
});
