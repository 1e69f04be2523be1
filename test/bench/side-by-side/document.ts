/** docs/performance.md, generated from the figures of a run. */
import { BUDGET_TEXT } from './budget-terms.ts';
import { FIGURE_NAMES, FIGURES, type FigureName, type Summary } from './figures.ts';
import type { GatewayKind } from './gateway.ts';
import { LOADS } from './loads.ts';
import { type Disturbance, SHORT_WARM_UP } from './round.ts';
import { figureTable, tableOf } from './table.ts';

export type Run = Readonly<{
  machine: string;
  gateways: readonly GatewayKind[];
  /** The row to which ratios are made. */
  base: string;
  rounds: number;
  seconds: number;
  warmUp: number;
  summaries: readonly Summary[];
  disturbances: readonly Disturbance[];
}>;

/** The figures that have a chart. */
export const CHARTS: readonly FigureName[] = [
  'token64',
  'token256',
  'request',
  'ttftP99',
  'memoryLoad',
];

/** The folder of the charts, beside the document. */
export const CHART_FOLDER = 'performance';

/** Fewer rounds do not show what is noise. */
const ROUNDS_LEAST = 3;
const SHORT_RUN =
  'The figures below come from a short run. They show the form of this file, and nothing else.';

export function chartFile(figure: FigureName): string {
  return `${figure.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.svg`;
}

export function documentOf(run: Run): string {
  const measured = FIGURE_NAMES.filter((name) =>
    run.summaries.some(({ figure }) => figure === name),
  );
  return [
    '# Performance',
    '`npm run bench -- --write` measures these figures and writes this file.',
    ...(run.rounds < ROUNDS_LEAST ? [SHORT_RUN] : []),
    ...methodOf(run),
    ...measured.flatMap((figure) => sectionOf(figure, run)),
    '## What else the machine did',
    disturbanceText(run.disturbances),
    BUDGET_TEXT,
  ]
    .join('\n\n')
    .concat('\n');
}

function methodOf({ machine, gateways, base, rounds, seconds, warmUp }: Run): string[] {
  const peers = gateways.map(({ name, version, carries }) => [name, version ?? '', carries]);
  return [
    '## Method',
    `A fake engine, a load generator and one gateway at a time run on one machine: ${machine}. The ` +
      'engine speaks the protocol of vLLM. Each stream has its own schedule, kept to a millisecond, and ' +
      'each token is one write. The load generator checks that every answer is whole: all tokens, and ' +
      'the end of the stream. The run fails if one is not.',
    `In each of ${rounds} rounds every gateway is started anew, in an order that changes. It gets a ` +
      `warm-up: ${warmUp} s of load for Node programs, whose code is compiled as they run, and ` +
      `${Math.min(warmUp, SHORT_WARM_UP)} s for the others. Each load is then counted for ${seconds} s. The figures are medians of the rounds, with their ` +
      `least and greatest values. A ratio is that to ${base} in the same round.`,
    'CPU time is that of the processes over all their threads, from the statistics of the scheduler. ' +
      'Penstock is `penstock up` on SQLite. Its router and its agent run on one machine here. In ' +
      'service the agent runs beside the engine, so the row of the router is what a gateway costs. The ' +
      'row `penstock` also has the process that starts both.',
    tableOf(['gateway', 'version', 'what it carries'], peers),
    'nginx and HAProxy run with one worker. `node:http` is the reference of `npm run bench:budget`: a ' +
      'plain proxy. `skeleton` has the parts that Penstock has: a router, an agent with a link, and a ' +
      'ledger that commits a hold and a charge of each request to SQLite. It has no keys, limits, ' +
      'checks, prices, choice of a worker or metrics. It shows about what these parts cost by ' +
      'themselves. `skeleton-ledger` is the same with the ledger and the store of Penstock, which ' +
      'keep more rows for each request and check them. Like Penstock, and unlike `node:http`, both have ' +
      'a bounded young generation and two arenas of memory. The threads of `skeleton-ledger` have no smaller ' +
      'bound of their own, as those of Penstock have, which adds some 20 MB.',
  ];
}

function sectionOf(figure: FigureName, { summaries, base, rounds }: Run): string[] {
  const { title, note, load } = FIGURES[figure];
  const flags = load === null ? '' : ` --loads ${load}`;
  const told = load === null ? 'all of the above' : LOADS[load].told;
  const chart = `![${title}](${CHART_FOLDER}/${chartFile(figure)})`;
  return [
    `## ${title}`,
    `${note} Load: ${told}. Command: \`npm run bench -- --rounds ${rounds}${flags}\``,
    ...(CHARTS.includes(figure) ? [chart] : []),
    figureTable(figure, summaries, base),
  ];
}

/** What else the machine did, by which one can tell a run that was disturbed. */
export function disturbanceText(disturbances: readonly Disturbance[]): string {
  const most = (pick: (one: Disturbance) => number) => Math.max(0, ...disturbances.map(pick));
  const busiest = (load: Disturbance['load']) =>
    Math.max(0, ...disturbances.filter((one) => one.load === load).map((one) => one.loadCores));
  const latest = disturbances.toSorted((a, b) => b.lateShare - a.lateShare)[0];
  const late = `${(100 * (latest?.lateShare ?? 0)).toFixed(1)} %`;
  return (
    `Other programs used at most ${most((one) => one.othersCores).toFixed(2)} cores during a load. ` +
    `The engine sent at most ${late} of the tokens of a load more than 5 ms late ` +
    `(${latest?.gateway}, ${latest?.load}). The load generator used at most ` +
    `${busiest('streams-256').toFixed(2)} cores with 256 streams, and ${busiest('short').toFixed(2)} ` +
    'cores with short requests.'
  );
}
