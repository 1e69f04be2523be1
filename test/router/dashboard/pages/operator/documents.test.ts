/** The documents for operators in the dashboard. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  DOCUMENTS,
  targetOf,
} from '../../../../../router/dashboard/pages/operator/runbooks/documents.ts';

const DOCS = join(import.meta.dirname, '../../../../../docs');
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8');

test('each document has the title that its file has', () => {
  for (const [name, title] of Object.entries(DOCUMENTS)) {
    expect(read(`${name}.md`).split('\n')[0]).toBe(`# ${title}`);
  }
});

test('a runbook leads to each page of docs/ to which it refers, except to what is for developers', () => {
  const hrefs = [...read('runbooks.md').matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href);
  const files = hrefs.map(targetOf).filter(({ kind }) => kind === 'file');
  expect(new Set(files.map((file) => 'path' in file && file.path))).toEqual(
    new Set(['docs/ARCHITECTURE.md', 'configs/prometheus/rules']),
  );
});

test('a link leads to the page of the dashboard that has the file', () => {
  expect(targetOf('secrets.md#time')).toEqual({ kind: 'document', name: 'secrets', hash: 'time' });
  expect(targetOf('runbooks.md#penstockstoredown')).toEqual({
    kind: 'runbook',
    name: 'penstockstoredown',
  });
  const inference = readdirSync(join(DOCS, 'inference'));
  expect(inference).toContain('idempotency.md');
  expect(targetOf('inference/idempotency.md')).toMatchObject({ kind: 'page', name: 'idempotency' });
  // A place in a file that nobody can open says nothing.
  const file = { kind: 'file', path: 'docs/first-day.md' };
  expect(targetOf('first-day.md#6-a-customer')).toEqual(file);
  expect(targetOf('#the-rules')).toEqual({ kind: 'address', href: '#the-rules' });
});
