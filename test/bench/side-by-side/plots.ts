/**
 * Bar charts as SVG: a bar for each row up to its median, and a line over its spread. The text takes
 * the color scheme of the reader, and the bars have colors that are readable on light and on dark.
 */
import { FIGURES, type FigureName, type Summary } from './figures.ts';

const WIDTH = 720;
const LABEL_WIDTH = 150;
const VALUE_WIDTH = 150;
const HEAD_HEIGHT = 44;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;
const MARGIN = 16;
const PLOT_WIDTH = WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH;
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .value { font-variant-numeric: tabular-nums }
  .spread { stroke: #24292f }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .spread { stroke: #e6edf3 } }
`;

/** A chart of one figure. Rows whose names start with `own` have the color of the product. */
export function barChart(figure: FigureName, summaries: readonly Summary[], own: string): string {
  const rows = summaries.filter((summary) => summary.figure === figure);
  const { title, unit } = FIGURES[figure];
  const most = Math.max(...rows.map(({ value }) => value.most), Number.MIN_VALUE);
  const height = HEAD_HEIGHT + rows.length * ROW_HEIGHT + MARGIN;
  const heading = escaped(unit === '' ? title : `${title} (${unit})`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${heading}</title>`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="${MARGIN}" y="26">${heading}</text>`,
    ...rows.map((row, at) => bar(row, HEAD_HEIGHT + at * ROW_HEIGHT, { most, own })),
    '</svg>\n',
  ].join('\n');
}

function bar(
  { row, figure, value, ratio }: Summary,
  y: number,
  { most, own }: { most: number; own: string },
): string {
  const xOf = (figureValue: number) =>
    (MARGIN + LABEL_WIDTH + (Math.max(0, figureValue) / most) * PLOT_WIDTH).toFixed(1);
  const start = Number(xOf(0));
  const width = (Number(xOf(value.median)) - start).toFixed(1);
  const middle = y + BAR_HEIGHT / 2;
  const color = row.startsWith(own) ? '#2f81f7' : '#8b949e';
  const text = value.median.toFixed(FIGURES[figure].digits);
  const told = ratio === null ? text : `${text} (×${ratio.median.toFixed(2)})`;
  return [
    `<text x="${start - 8}" y="${middle + 5}" text-anchor="end">${escaped(row)}</text>`,
    `<rect x="${start}" y="${y}" width="${width}" height="${BAR_HEIGHT}" rx="2" fill="${color}"/>`,
    `<path class="spread" d="M${xOf(value.least)} ${middle}H${xOf(value.most)}" stroke-width="1.5"/>`,
    `<text class="value" x="${start + PLOT_WIDTH + 10}" y="${middle + 5}">${told}</text>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
