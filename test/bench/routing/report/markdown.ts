/** The report as Markdown tables. */
import type { Figures } from '../figures.ts';
import { LOAD_SHARE, RULE } from '../plan.ts';
import { aimsOf, othersOf } from './aims.ts';
import { find, placesOf, type Report, type Result } from './result.ts';

const COLUMNS: readonly (readonly [string, (figures: Figures) => string])[] = [
  ['hit %', ({ hitRate }) => percent(hitRate)],
  ['cache error %', ({ cacheError }) => (Number.isNaN(cacheError) ? '-' : percent(cacheError))],
  ['TTFT mean s', ({ ttftMeanS }) => seconds(ttftMeanS)],
  ['p50 s', ({ ttftP50S }) => seconds(ttftP50S)],
  ['p90 s', ({ ttftP90S }) => seconds(ttftP90S)],
  ['p99 s', ({ ttftP99S }) => seconds(ttftP99S)],
  ['TTFT < 2 s %', ({ goodput }) => percent(goodput)],
  ['in flight max ÷ mean', ({ imbalance }) => imbalance.toFixed(2)],
  ['index MiB', ({ indexBytes }) => (indexBytes / 2 ** 20).toFixed(1)],
  ['µs a decision', ({ decisionNs }) => (decisionNs / 1000).toFixed(1)],
];

export function markdownOf(report: Report): string {
  return [
    '# Routing bench',
    `Medians of ${report.seeds.length} seeds. ${report.blocks} blocks of 512 tokens a worker; arrivals at ` +
      `${LOAD_SHARE * 100} % of the rate at which the oracle's mean TTFT is three times its unloaded one, unless a rate ` +
      `was given. \`${RULE}\` is the product's own rule. An echo between routers takes ${report.lagMs} ms.`,
    `The others are ${othersOf(report).join(', ')}; the oracle is not one of them.`,
    '## Aims',
    tableOf(
      ['', 'what', 'figure', 'aim'],
      aimsOf(report).map(({ reached, what, figure, limit }) => [
        reached ? 'reached' : '**missed**',
        what,
        figure,
        limit,
      ]),
    ),
    ...placesOf(report.results).flatMap((place) => sectionOf(find(report.results, place))),
    '',
  ].join('\n\n');
}

function sectionOf(results: readonly Result[]): string[] {
  const [first] = results;
  if (!first) return [];
  const { trace, workers, requestsPerS } = first.row;
  return [
    `## ${trace}, ${workers} workers, ${requestsPerS.toFixed(2)} requests/s`,
    tableOf(
      ['policy', 'routers', ...COLUMNS.map(([name]) => name)],
      results.map(({ row, figures }) => [
        row.policy === RULE ? `**${row.policy}**` : row.policy,
        row.routers === 1 ? '1' : `${row.routers}, ${row.talk}`,
        ...COLUMNS.map(([, of]) => of(figures)),
      ]),
    ),
  ];
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function seconds(value: number): string {
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
