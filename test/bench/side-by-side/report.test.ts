import { describe, expect, test } from 'vitest';
import { judge, termOf, verdictTable } from './budget-terms.ts';
import { CHARTS, chartFile, documentOf } from './document.ts';
import { FIGURE_NAMES, type Sample, spreadOf, summariesOf } from './figures.ts';
import { barChart } from './plots.ts';
import { figureTable, overviewTable } from './table.ts';

/** Three rounds of a base and of a product that costs twice as much, and three times in one round. */
const SAMPLES: readonly Sample[] = [30, 32, 40].flatMap((base, round): Sample[] => [
  { round, row: 'nginx', figure: 'token64', value: base },
  { round, row: 'penstock', figure: 'token64', value: base * (round === 2 ? 3 : 2) },
  { round, row: 'nginx', figure: 'stalls', value: 0 },
  { round, row: 'penstock', figure: 'stalls', value: 0 },
]);
const SUMMARIES = summariesOf(SAMPLES, 'nginx');

describe('the figures', () => {
  test('have the ratio to the base of the same round', () => {
    expect(SUMMARIES[1]).toEqual({
      row: 'penstock',
      figure: 'token64',
      value: { median: 64, least: 60, most: 120 },
      ratio: { median: 2, least: 2, most: 3 },
    });
  });

  test('have no ratio to zero', () => {
    expect(SUMMARIES.find(({ figure }) => figure === 'stalls')?.ratio).toBeNull();
  });

  test('have the mean of the two middle values of an even number as their median', () => {
    expect(spreadOf([4, 1, 2, 10])).toEqual({ median: 3, least: 1, most: 10 });
  });
});

describe('a table', () => {
  test('of a figure has a line for each row', () => {
    expect(figureTable('token64', SUMMARIES, 'nginx').split('\n')).toEqual([
      '|  | median, µs | spread | × nginx | spread |',
      '|---|---:|---:|---:|---:|',
      '| nginx | 32.0 | 30.0 to 40.0 | 1.00 | 1.00 to 1.00 |',
      '| penstock | 64.0 | 60.0 to 120.0 | 2.00 | 2.00 to 3.00 |',
    ]);
  });

  test('of all figures has a line for each figure that was measured', () => {
    expect(overviewTable(SUMMARIES).split('\n').slice(2)).toEqual([
      '| CPU of a streamed token, 64 streams, µs | 32.0 (×1.00) | 64.0 (×2.00) |',
      '| Stalls | 0 | 0 |',
    ]);
  });
});

describe('a chart', () => {
  const chart = barChart('token64', SUMMARIES, 'penstock');

  test('has bars in the ratio of the medians', () => {
    const widths = [...chart.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => width);
    expect(Number(widths[1]) / Number(widths[0])).toBeCloseTo(2, 1);
  });

  test('is readable on light and on dark: no background, and text in the color of the scheme', () => {
    expect(chart).toContain('prefers-color-scheme: dark');
    expect(chart.match(/<rect/g)).toHaveLength(2);
  });

  test('of names with markup is still well-formed', () => {
    const odd = SUMMARIES.map((summary) => ({ ...summary, row: `<${summary.row}>&` }));
    expect(barChart('token64', odd, 'penstock')).toContain('&lt;nginx>&amp;</text>');
  });
});

test('the document has a section for every figure measured, with its command and its chart', () => {
  const text = documentOf({
    machine: '2 cores',
    gateways: [],
    base: 'nginx',
    rounds: 3,
    seconds: 5,
    warmUp: 15,
    summaries: SUMMARIES,
    disturbances: [],
  });
  expect(text).toContain('## CPU of a streamed token, 64 streams');
  expect(text).toContain('`npm run bench -- --rounds 3 --loads streams-64`');
  expect(text).toContain('(performance/token64.svg)');
  expect(text).not.toContain('## Memory');
});

test('every chart has a file of its own', () => {
  expect(new Set(FIGURE_NAMES.map(chartFile)).size).toBe(FIGURE_NAMES.length);
  expect(CHARTS.map(chartFile)).toContain('ttft-p99.svg');
});

describe('the budget', () => {
  const terms = {
    'router, a streamed token': { budget: 1, margin: 0.2 },
    'agent, a streamed token': { budget: 1, margin: 0.2 },
    'router, a short request': { budget: 5, margin: 0.2 },
    'agent, a short request': { budget: 3, margin: 0.2 },
  };
  const verdicts = judge(
    new Map([
      ['router, a streamed token', [1, 1.1, 9]],
      ['agent, a streamed token', [1.21, 1.25, 1.3]],
      ['router, a short request', [6, 6, 6]],
      ['agent, a short request', [1, 1, 1]],
    ]),
    terms,
  );

  test('is judged by the median of the rounds, and fails above its margin only', () => {
    expect(verdicts.map(({ isOver }) => isOver)).toEqual([false, true, false, false]);
  });

  test('is told in one table', () => {
    expect(verdictTable(verdicts)).toMatch(/\| agent, a streamed token \| 1.25 \| .* \| over \|/);
  });

  test('comes from runs: their median, and twice the largest distance from it', () => {
    const { budget, margin } = termOf([1, 0.8, 1.1]);
    expect(budget).toBe(1);
    expect(margin).toBeCloseTo(0.4);
  });

  test('has a margin of at least a tenth', () => {
    expect(termOf([2, 2, 2])).toEqual({ budget: 2, margin: 0.1 });
  });
});
