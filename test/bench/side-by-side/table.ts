/** Markdown tables of figures. */
import { FIGURE_NAMES, FIGURES, type FigureName, type Spread, type Summary } from './figures.ts';

/** A table of cells. Columns of numbers are aligned to the right. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isNumber = (at: number) => rows.every((row) => /^(?:\d|–)/.test(row[at] ?? ''));
  const rule = head.map((_, at) => (isNumber(at) ? '---:' : '---'));
  return [line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n');
}

/** A figure of every row, with its spread and its ratio to the base. */
export function figureTable(
  figure: FigureName,
  summaries: readonly Summary[],
  base: string,
): string {
  const { unit, digits } = FIGURES[figure];
  const rows = summaries
    .filter((summary) => summary.figure === figure)
    .map(({ row, value, ratio }) => [
      row,
      value.median.toFixed(digits),
      rangeOf(value, digits),
      ratio?.median.toFixed(2) ?? '–',
      ratio === null ? '–' : rangeOf(ratio, 2),
    ]);
  const median = unit === '' ? 'median' : `median, ${unit}`;
  return tableOf(['', median, 'spread', `× ${base}`, 'spread'], rows);
}

/** All figures in one table, a line for each: the medians, and their ratios to the base. */
export function overviewTable(summaries: readonly Summary[]): string {
  const names = [...new Set(summaries.map(({ row }) => row))];
  const measured = FIGURE_NAMES.filter((name) => summaries.some(({ figure }) => figure === name));
  const rows = measured.map((name) => {
    const { title, unit } = FIGURES[name];
    const cells = names.map((row) =>
      summaries.filter((summary) => summary.row === row && summary.figure === name).map(cellOf),
    );
    return [unit === '' ? title : `${title}, ${unit}`, ...cells.map(([cell = '–']) => cell)];
  });
  return tableOf(['', ...names], rows);
}

function cellOf({ figure, value, ratio }: Summary): string {
  const median = value.median.toFixed(FIGURES[figure].digits);
  return ratio === null ? median : `${median} (×${ratio.median.toFixed(2)})`;
}

function rangeOf({ least, most }: Spread, digits: number): string {
  return `${least.toFixed(digits)} to ${most.toFixed(digits)}`;
}
