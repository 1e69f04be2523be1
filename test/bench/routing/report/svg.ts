/**
 * The report as an SVG: a panel for each trace and size, and a line for each row from its p50 (dot)
 * through the mean (diamond) to its p99 (bar), in seconds on a logarithmic axis.
 */
import { RULE } from '../plan.ts';
import { find, placesOf, type Report, type Result } from './result.ts';

const COLUMNS = 2;
const PANEL_WIDTH = 560;
const LABEL_WIDTH = 190;
const ROW_HEIGHT = 20;
const HEAD_HEIGHT = 44;
const FOOT_HEIGHT = 40;
const LEGEND_HEIGHT = 24;
const MARGIN = 20;
const LEAST_S = 0.01;
const MOST_S = 1000;
const TICKS_S = [0.01, 0.1, 1, 10, 100, 1000];
const INK = '#222';
const FAINT = '#ccc';
const COLORS = { rule: '#0a7d4f', oracle: '#888', other: '#3566a8' } as const;

export function svgOf({ results }: Report): string {
  const panels = placesOf(results).map((place) => find(results, place));
  const rowsMax = Math.max(...panels.map((panel) => panel.length));
  const panelHeight = HEAD_HEIGHT + rowsMax * ROW_HEIGHT + FOOT_HEIGHT;
  const columns = Math.min(COLUMNS, panels.length);
  const width = columns * PANEL_WIDTH + 2 * MARGIN;
  const height = Math.ceil(panels.length / columns) * panelHeight + LEGEND_HEIGHT + 2 * MARGIN;
  const drawn = panels.map((panel, at) => {
    const x = MARGIN + (at % columns) * PANEL_WIDTH;
    const y = MARGIN + LEGEND_HEIGHT + Math.floor(at / columns) * panelHeight;
    return `<g transform="translate(${x} ${y})">${panelOf(panel)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="system-ui, sans-serif" font-size="11" fill="${INK}">`,
    '<title>Time to first token by policy: p50, mean, p99</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${MARGIN}" y="${MARGIN + 4}">Time to first token: ● p50, ◇ mean, | p99</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function panelOf(results: readonly Result[]): string {
  const first = results[0]?.row;
  const bottom = HEAD_HEIGHT + results.length * ROW_HEIGHT;
  const title = `${first?.trace}, ${first?.workers} workers, ${first?.requestsPerS.toFixed(1)} requests/s`;
  const grid = TICKS_S.map(
    (tick) =>
      `<path d="M${xOf(tick)} ${HEAD_HEIGHT - 6}V${bottom}" stroke="${FAINT}"/>` +
      `<text x="${xOf(tick)}" y="${bottom + 14}" text-anchor="middle">${tick} s</text>`,
  );
  return [
    `<text x="0" y="18" font-size="14" font-weight="600">${escaped(title)}</text>`,
    ...grid,
    ...results.map((result, at) => lineOf(result, HEAD_HEIGHT + (at + 0.5) * ROW_HEIGHT)),
  ].join('\n');
}

function lineOf({ row, figures }: Result, y: number): string {
  const color =
    COLORS[row.policy === RULE || row.policy === 'oracle' ? kindOf(row.policy) : 'other'];
  const several = row.routers === 1 ? '' : ` ×${row.routers} ${row.talk}`;
  const [p50, mean, p99] = [figures.ttftP50S, figures.ttftMeanS, figures.ttftP99S].map(xOf);
  const label = `${row.policy}${several}`;
  return [
    `<text x="${LABEL_WIDTH - 12}" y="${y + 4}" text-anchor="end" fill="${color}">${escaped(label)}</text>`,
    `<path d="M${p50} ${y}H${p99}M${p99} ${y - 5}v10" stroke="${color}" stroke-width="2"/>`,
    `<circle cx="${p50}" cy="${y}" r="4" fill="${color}"/>`,
    `<path d="M${mean} ${y - 5}l5 5l-5 5l-5 -5z" fill="#fff" stroke="${color}" stroke-width="1.5"/>`,
  ].join('');
}

function kindOf(policy: typeof RULE | 'oracle'): keyof typeof COLORS {
  return policy === 'oracle' ? 'oracle' : 'rule';
}

function xOf(valueS: number): string {
  const share = Math.log(Math.max(LEAST_S, Math.min(MOST_S, valueS)) / LEAST_S);
  const plot = PANEL_WIDTH - LABEL_WIDTH - 2 * MARGIN;
  return (LABEL_WIDTH + (share / Math.log(MOST_S / LEAST_S)) * plot).toFixed(1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
