/**
 * What the history of a fleet costs: one router's batches of a minute, each worker busy, and the
 * reading of a day and a week. Prints the time of a piece, the size of the store, and the time of each
 * page. `npm run bench:history -- --store postgres --workers 1000 --models 100 --minutes 180`
 */
import { parseArgs } from 'node:util';
import { cellOf } from '../../router/history/cells.ts';
import { bump, COUNTS, noFigures, SAMPLES, SPEED, TTFT } from '../../router/history/figures.ts';
import { MINUTE_MS } from '../../shared/durations.ts';
import { LEVELS, ordinalOf } from '../../router/history/levels.ts';
import type { HistoryQuery } from '../../router/history/read.ts';
import type { RecordedCell } from '../../router/history/recorder.ts';
import { seriesOf } from '../../router/history/series.ts';
import { writeHistory } from '../../router/history/write.ts';
import { writeFleetHistory } from '../../router/control/fleet-history/write.ts';
import { openStore } from '../../router/store/open-store.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';
import { openBenchStore } from './bench-store.ts';

/** As in `router/history/history.ts`. */
const PIECE_CELLS = 50;

const { values: flags } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    workers: { type: 'string', default: '1000' },
    models: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '180' },
  },
});
const random = seededRandom(1);

/** A minute with some answers of latencies that spread, and six samples. */
function busyCell(): Uint8Array {
  const figures = noFigures();
  for (let at = 0; at < COUNTS; at++) figures[at] = random.below(at < SAMPLES ? 3_000 : 600);
  for (let answer = 0; answer < 30; answer++) {
    bump(figures, TTFT + 50 + random.below(15) + random.below(15), 1);
    bump(figures, SPEED + 55 + random.below(8) + random.below(8), 1);
  }
  return cellOf(figures);
}

function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(44)} ${value}\n`);
}

function quantile(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `${(sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1)} ms`;
}

await using parts = new AsyncDisposableStack();
const url = await openBenchStore(flags.store, {}, parts);
const registry = new URL('../../router/procedures.ts', import.meta.url);
const store = parts.use(
  await openStore({ url, registry }, { clock, log: makeLog('bench', 'warn') }),
);

const series = [
  ...Array.from({ length: Number(flags.workers) }, (_, nth) => {
    const agent = `agt_${String(nth >> 2).padStart(26, '0')}`;
    return seriesOf({ region: 'global', model: '', agent, worker: `engine-${nth}` });
  }),
  ...Array.from({ length: Number(flags.models) }, (_, nth) =>
    seriesOf({ region: 'global', model: `lab/model-${nth}`, agent: '', worker: '' }),
  ),
  seriesOf({ region: 'global', model: '', agent: '', worker: '' }),
];
const minutes = Number(flags.minutes);
const now = clock.now();
const first = now - minutes * MINUTE_MS;
const times: number[] = [];
let cellBytes = 0;
let number = 0;
for (let minute = first; minute < now; minute += MINUTE_MS) {
  const cells: RecordedCell[] = series.map((one) => ({ series: one, cell: busyCell() }));
  cellBytes += cells.reduce((sum, { cell }) => sum + cell.length, 0);
  for (let at = 0; at < cells.length; at += PIECE_CELLS) {
    number += 1;
    const some = cells.slice(at, at + PIECE_CELLS);
    const began = clock.monotonic();
    await store.call(writeHistory, { router: 'bench', number, minute, now: minute, cells: some });
    times.push(clock.monotonic() - began);
  }
}
print('series', String(series.length));
print('bytes of a busy cell of a minute', String(Math.round(cellBytes / minutes / series.length)));
print('a piece of 50 cells, p50', quantile(times, 0.5));
print('a piece of 50 cells, p99', quantile(times, 0.99));
print('a minute of one router', `${Math.round(times.reduce((a, b) => a + b, 0) / minutes)} ms`);

const narrowed = { model: null, region: null, agent: null, worker: null, groups: 10 } as const;
const queries = {
  'an hour of the fleet': { level: 'minute', cells: 60, step: 1, groupBy: null },
  'a day of the fleet': { level: 'minute', cells: 1_440, step: 10, groupBy: null },
  'a day by model': { level: 'minute', cells: 1_440, step: 10, groupBy: 'model' },
  'a day by agent': { level: 'minute', cells: 1_440, step: 10, groupBy: 'agent' },
  'a week by agent': { level: 'hour', cells: 168, step: 1, groupBy: 'agent' },
} as const;
for (const [name, { level, cells, step, groupBy }] of Object.entries(queries)) {
  const until = ordinalOf(LEVELS[level], now - 1) + 1;
  const span = { level, from: until - cells, until, step, end: now, groupBy };
  const query: HistoryQuery = { ...narrowed, ...span };
  const took: number[] = [];
  for (let nth = 0; nth < 10; nth++) {
    const began = clock.monotonic();
    await store.call(writeFleetHistory, query);
    took.push(clock.monotonic() - began);
  }
  print(name, `${quantile(took, 0.5)}, at most ${quantile(took, 1)}`);
}
