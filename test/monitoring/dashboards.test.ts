/** The dashboards of Grafana, which are generated from `configs/grafana/sources/`. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DASHBOARDS } from '../../configs/grafana/sources/dashboards.ts';
import { dashboard } from '../../configs/grafana/sources/panels.ts';
import { CONFIGS } from './configs.ts';

test.each(Object.entries(DASHBOARDS))('%s.json is the generated dashboard', async (name, plan) => {
  const file = join(CONFIGS, 'grafana/dashboards', `${name}.json`);
  await expect(`${JSON.stringify(dashboard(plan), null, 1)}\n`).toMatchFileSnapshot(file);
});

test('each panel has a unit and a description in a sentence', () => {
  const panels = Object.values(DASHBOARDS).flatMap(({ rows }) => Object.values(rows).flat());
  expect(panels.filter(({ unit }) => unit === '')).toEqual([]);
  expect(panels.filter(({ description }) => !/^\S.+\.$/.test(description))).toEqual([]);
});
