import { describe, expect, test } from 'vitest';
import { type Figures, medianOf } from './figures.ts';
import { type Contender, RULE, rowsOf } from './plan.ts';
import { aimsOf } from './report/aims.ts';
import { markdownOf } from './report/markdown.ts';
import type { Report } from './report/result.ts';
import { svgOf } from './report/svg.ts';

const FIGURES: Figures = {
  requests: 100,
  hitRate: 0.25,
  cacheError: 0.015,
  ttftMeanS: 1,
  ttftP50S: 0.5,
  ttftP90S: 2,
  ttftP99S: 10,
  goodput: 0.8,
  imbalance: 1.5,
  indexBytes: 3 * 2 ** 20,
  decisionNs: 12_345,
};
const PLACE = { trace: 'conversation', workers: 16, requestsPerS: 9.945 };

/** A report on the default policy, the oracle and random picks, each with its own figures. */
function reportWith(figures: Partial<Record<Contender, Partial<Figures>>>, sprayed = {}): Report {
  const rows = rowsOf(PLACE, ['random', RULE, 'oracle'], 4);
  const results = rows.map((row) => {
    const own = row.routers > 1 ? sprayed : figures[row.policy];
    const median = { ...FIGURES, ...own };
    return { row, figures: median, runs: [median] };
  });
  return { blocks: 2048, seeds: [1], requestsMax: 60_000, lagMs: 20, results };
}

describe('the aims', () => {
  const good = {
    random: { ttftMeanS: 9, ttftP50S: 5, ttftP99S: 90 },
    oracle: { ttftMeanS: 0.95, goodput: 0.805 },
  };

  test('are reached by a rule close to the oracle and ahead of the others', () => {
    const aims = aimsOf(reportWith(good, { ttftMeanS: 1.2 }));
    expect(aims).toHaveLength(6);
    expect(aims.filter(({ reached }) => !reached)).toEqual([]);
  });

  test.each([
    ['a mean too far from the oracle', { oracle: { ttftMeanS: 0.9 } }, {}, /over the oracle's/],
    ['goodput too far below', { oracle: { goodput: 0.83 } }, {}, /points of goodput/],
    ['another policy with a lower p99', { random: { ttftP99S: 9 } }, {}, /p99 over the best/],
    ['four routers too far from one', {}, { ttftMeanS: 1.3 }, /with 4 routers/],
  ])('are missed by %s', (_what, figures, sprayed, what) => {
    const missed = aimsOf(reportWith({ ...good, ...figures }, { ttftMeanS: 1.2, ...sprayed }));
    const named = missed.filter(({ reached }) => !reached).map((aim) => aim.what);
    expect(named.join('\n')).toMatch(what);
  });
});

test('the median is taken figure by figure', () => {
  const runs = [3, 1, 2].map((ttftMeanS) => ({ ...FIGURES, ttftMeanS, ttftP99S: 10 - ttftMeanS }));
  expect(medianOf(runs)).toMatchObject({ ttftMeanS: 2, ttftP99S: 8, goodput: 0.8 });
  expect(medianOf(runs.slice(0, 2)).ttftMeanS).toBe(2);
});

test('several routers are compared for every policy that keeps a state of its own', () => {
  const rows = rowsOf(PLACE, ['random', RULE, 'oracle'], 4);
  expect(rows.map(({ policy, routers, talk }) => `${policy} ${routers} ${talk}`)).toEqual([
    'random 1 silent',
    `${RULE} 1 silent`,
    'oracle 1 silent',
    `${RULE} 4 echo`,
    `${RULE} 4 silent`,
  ]);
});

test('the table names every row and its figures', () => {
  const text = markdownOf(reportWith({ random: { ttftMeanS: 19.61 } }));
  expect(text).toContain('## conversation, 16 workers, 9.95 requests/s');
  expect(text).toContain('The others are random; the oracle is not one of them.');
  expect(text).toMatch(/\| random \| 1 \| 25\.0 \| 1\.5 \| 19\.6 \|/);
  expect(text).toMatch(/\| 80\.0 \| 1\.50 \| 3\.0 \| 12\.3 \|/);
  expect(text).toContain(`| **${RULE}** | 4, echo |`);
});

test('the picture is well-formed, and draws every row inside its frame', () => {
  const report = reportWith({ random: { ttftP50S: 1e-6, ttftP99S: 1e9 } });
  const svg = svgOf(report);
  const opened = svg.match(/<(svg|g|text|title)[ >]/g)?.length;
  expect(svg.match(/<\/(svg|g|text|title)>/g)).toHaveLength(opened ?? 0);
  expect(svg.match(/<circle /g)).toHaveLength(report.results.length);
  const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  for (const [, x] of svg.matchAll(/cx="([\d.]+)"/g)) expect(Number(x)).toBeLessThan(width);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});
