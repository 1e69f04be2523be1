/** Each alert leads to its runbook. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runbookTitles } from '../../router/dashboard/runbook-sections.ts';
import { CONFIGS, RULES } from './configs.ts';

async function readAlerts(): Promise<readonly string[]> {
  const files = RULES.map((name) => join(CONFIGS, 'prometheus/rules', `${name}.yml`));
  const rules = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return rules.flatMap((text) =>
    [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name),
  );
}

test('docs/runbooks.md has a heading for each alert', async () => {
  const page = await readFile(join(CONFIGS, '../docs/runbooks.md'), 'utf8');
  const headings = new Set([...page.matchAll(/^## (Penstock\w+)$/gm)].map(([, name]) => name));
  expect((await readAlerts()).filter((alert) => !headings.has(alert))).toEqual([]);
});

test('docs/runbooks.md has a name for people for each alert, and for nothing else', async () => {
  const page = await readFile(join(CONFIGS, '../docs/runbooks.md'), 'utf8');
  const alerts = new Set(await readAlerts());
  expect(Object.keys(runbookTitles(page)).toSorted()).toEqual([...alerts].toSorted());
});
