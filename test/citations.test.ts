/**
 * Every rule, promise, decision, test and file that source, tests or documents cite must exist in
 * the repository, so that a reader can find it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const TEXT = /(\.(ts|tsx|md|yaml|yml|css|html)|^bin\/penstock|^\.ci\/run)$/;
/** This file, which plants citations that lead nowhere. */
const OWN = 'test/citations.test.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => TEXT.test(file) && file !== OWN && existsSync(join(ROOT, file)));

function numbersIn(file: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...read(file).matchAll(pattern)].map(([, number]) => number as string));
}

const rules = numbersIn('docs/money.md', /^#### (\d+)\. /gm);
const promises = numbersIn('docs/promises.md', /^\| (\d+) \|/gm);
const proofs = numbersIn('docs/promises.md', /^\| (T\d+) \|/gm);
const decisions = new Set(
  files.flatMap((file) => /^docs\/decisions\/(\d{4})-.*\.md$/.exec(file)?.[1] ?? []),
);

/** One number, or several: `MONEY 3, 14`, `MONEY 12 to 14`. */
const LIST = String.raw`(\d+(?:(?:,| and| to|, and) \d+)*)`;

const CITED: readonly (readonly [pattern: RegExp, known: ReadonlySet<string>, where: string])[] = [
  [new RegExp(String.raw`\bMONEY\s+(?:\*\s+)?${LIST}`, 'g'), rules, 'docs/money.md'],
  [new RegExp(String.raw`\b[Pp]romises? ${LIST}`, 'g'), promises, 'docs/promises.md'],
  [/\bdecisions? (\d{4}(?:(?:,| and| to|, and) \d{4})*)/g, decisions, 'docs/decisions'],
];
const PROOF = /(?<![\w$])T([1-9]\d?)\b/g;
/** A file of the repository. With a slash before it, it is the path of a page that a router serves. */
const PATH = /(?<!\/)\bdocs\/[\w./-]+\.(?:md|json)\b/g;
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g;
/** Documents that were never part of the repository, and issues, which only their tracker has. */
const ELSEWHERE = /\b(?:SPEC|DESIGN|PROMISES)\b|\bENGINES §|\bissue \d+/g;

/** The citations of a text that lead nowhere. */
function leadNowhere(file: string, text: string): string[] {
  const lost: string[] = [];
  for (const [pattern, known, where] of CITED) {
    for (const [cited, numbers = ''] of text.matchAll(pattern)) {
      const missing = numbers.split(/\D+/).filter((number) => !known.has(number));
      if (missing.length > 0) lost.push(`${file}: "${cited}" is not in ${where}`);
    }
  }
  if (/\.(ts|tsx|md)$/.test(file)) {
    for (const [cited, number] of text.matchAll(PROOF)) {
      if (!proofs.has(`T${number}`)) lost.push(`${file}: "${cited}" is not in docs/promises.md`);
    }
  }
  for (const [path] of text.matchAll(PATH)) {
    if (!existsSync(join(ROOT, path))) lost.push(`${file}: there is no ${path}`);
  }
  if (file.endsWith('.md')) {
    for (const [, path = ''] of text.matchAll(LINK)) {
      const target = normalize(join(dirname(file), path));
      if (!existsSync(join(ROOT, target))) lost.push(`${file}: there is no ${target}`);
    }
  }
  for (const [cited] of text.matchAll(ELSEWHERE)) {
    lost.push(`${file}: "${cited}" is not in this repository`);
  }
  return lost;
}

test('the law, the promises and the decisions are there to be cited', () => {
  expect([...rules]).toEqual(Array.from({ length: rules.size }, (_, nth) => String(nth + 1)));
  expect(rules.size).toBe(27);
  expect(promises.size).toBeGreaterThan(20);
  expect(decisions.size).toBeGreaterThan(20);
});

test('every citation leads to something in the repository', () => {
  expect(files.flatMap((file) => leadNowhere(file, read(file)))).toEqual([]);
});

test.each([
  ['a.ts', '/** Holds grow (MONEY 28). */'],
  ['a.ts', '/** Holds grow (MONEY 7, 30). */'],
  ['a.ts', '// an empty answer is free (promise 99)'],
  ['a.md', 'See decision 9999.'],
  ['a.ts', '// shown by T99'],
  ['a.ts', '// docs/nothing-here.md has the reason'],
  ['docs/a.md', '[the rules](no-such-page.md#rules)'],
  ['a.ts', '/** The roles (SPEC 2.1). */'],
  ['a.ts', '/** Who may import whom (DESIGN §3). */'],
  ['a.ts', "test('issue 13, case 1: nothing is read', () => {});"],
])('in %s, "%s" is a citation that leads nowhere', (file, text) => {
  expect(leadNowhere(file, text)).toHaveLength(1);
});

test.each([
  '/** Holds (MONEY 4 to 11), once (promise 2), as decision 0008 has it. T21 shows it, docs/money.md explains. */',
  "const at = '2026-01-01T12:00:00Z';",
])('"%s" leads somewhere', (text) => {
  expect(leadNowhere('a.ts', text)).toEqual([]);
});
