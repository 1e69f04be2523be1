/**
 * The rules and the configuration of Prometheus: promtool accepts them, and each alert fires in its
 * case and is silent in the near miss.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../shared/yaml.ts';
import { HAS_PROMTOOL, promtool } from '../support/promtool.ts';
import { type AlertCase, SERVING } from './alert-cases.ts';
import { STORE_AND_MONEY } from './alert-cases-store.ts';
import { CONFIGS, RULES } from './configs.ts';

const CASES = [...SERVING, ...STORE_AND_MONEY];

type Texts = Readonly<Record<string, string>>;
type Rule = Readonly<{ alert?: string; labels?: Texts; annotations?: Texts }>;
type RuleFile = Readonly<{ groups: readonly { rules: readonly Rule[] }[] }>;

const files = RULES.map((name) => join(CONFIGS, 'prometheus/rules', `${name}.yml`));
const rules = await Promise.all(
  files.map(async (file) => parseYaml(await readFile(file, 'utf8')) as RuleFile),
);
const alerts = rules
  .flatMap(({ groups }) => groups)
  .flatMap((group) => group.rules)
  .filter((rule) => rule.alert !== undefined);

/** A router that is up is part of every case that says nothing else of it. */
const UP = { 'up{job="penstock-router",instance="r1"}': '1x1500' };

/** The test of a case in the format of promtool. */
function unitTest({ of, when, series, minutes, firing }: AlertCase): object {
  const all = Object.keys(UP).some((name) => name in series) ? series : { ...UP, ...series };
  return {
    name: `${of}: ${when}`,
    interval: '1m',
    input_series: Object.entries(all).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${minutes}m`,
        exp_samples: firing.toSorted().map((name) => ({
          labels: `{alertname="${name}"}`,
          value: 1,
        })),
      },
    ],
  };
}

test('each alert has a case in which it fires, and one in which it does not', () => {
  const names = [...new Set(alerts.map(({ alert }) => alert))];
  const fires = new Set(CASES.flatMap(({ firing }) => firing));
  const misses = new Set(
    CASES.filter(({ of, firing }) => !firing.includes(of)).map(({ of }) => of),
  );
  expect(names.filter((name) => !fires.has(name as string))).toEqual([]);
  // The near miss of the fast objective is also the case in which the slow one fires.
  expect(names.filter((name) => !misses.has(name as string))).toEqual([]);
});

test('each alert has a summary, a description and its runbook', () => {
  for (const { alert = '', annotations } of alerts) {
    expect(annotations).toEqual({
      summary: expect.any(String),
      description: expect.any(String),
      runbook: `docs/runbooks.md#${alert.toLowerCase()}`,
      runbook_url: `{{ $externalLabels.penstock_dashboard }}/operator/runbooks/${alert}`,
    });
  }
});

test('docs/monitoring.md lists each alert with its severities', async () => {
  const page = await readFile(join(CONFIGS, '../docs/monitoring.md'), 'utf8');
  const listed = [...page.matchAll(/^\| (Penstock\w+) \| ([a-z, ]+) \|/gm)];
  const bySeverity = Map.groupBy(alerts, ({ alert }) => alert);
  expect(listed.map(([, name, severities]) => [name, severities])).toEqual(
    [...bySeverity].map(([name, rows]) => [
      name,
      rows.map(({ labels }) => labels?.['severity']).join(', '),
    ]),
  );
});

describe.skipIf(!HAS_PROMTOOL)('with promtool (Debian: prometheus)', () => {
  test('the configurations and the rules are valid', async () => {
    const config = await promtool('check', 'config', join(CONFIGS, 'prometheus/prometheus.yml'));
    expect(config, config.output).toMatchObject({ status: 0 });
    const sender = join(CONFIGS, 'prometheus/behind-nat.yml');
    const checked = await promtool('check', 'config', '--agent', sender);
    expect(checked, checked.output).toMatchObject({ status: 0 });
  });

  test('each alert fires in its cases, and no other does', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-rules-'));
    const intervals = Map.groupBy(CASES, ({ everyMinutes = 1 }) => everyMinutes);
    for (const [minutes, cases] of intervals) {
      const file = join(folder, `every-${minutes}.json`);
      const evaluation = { rule_files: files, evaluation_interval: `${minutes}m` };
      await writeFile(file, JSON.stringify({ ...evaluation, tests: cases.map(unitTest) }));
      const { status, output } = await promtool('test', 'rules', file);
      expect(status, output).toBe(0);
    }
    await rm(folder, { recursive: true });
  });
});
