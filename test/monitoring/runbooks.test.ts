/** Each alert leads to its runbook. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CONFIGS, RULES } from './configs.ts';

test('docs/runbooks.md has a heading for each alert', async () => {
  const page = await readFile(join(CONFIGS, '../docs/runbooks.md'), 'utf8');
  const headings = new Set([...page.matchAll(/^## (Penstock\w+)$/gm)].map(([, name]) => name));
  for (const name of RULES) {
    const rules = await readFile(join(CONFIGS, 'prometheus/rules', `${name}.yml`), 'utf8');
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert);
    expect(alerts.filter((alert) => !headings.has(alert))).toEqual([]);
  }
});
