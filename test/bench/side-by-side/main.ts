/**
 * `npm run bench`: Penstock side by side with other gateways, on the same fake engine, under the
 * same loads. The gateways take turns within each round, so a change of the machine's speed affects
 * all of them. Prints the medians, or writes docs/performance.md and its charts with `--write`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  CHART_FOLDER,
  CHARTS,
  chartFile,
  disturbanceText,
  documentOf,
  type Run,
} from './document.ts';
import { summariesOf } from './figures.ts';
import type { GatewayKind } from './gateway.ts';
import { LOAD_NAMES } from './loads.ts';
import { describeMachine } from './machine.ts';
import { haproxy, nginx } from './peers.ts';
import { penstock } from './penstock.ts';
import { barChart } from './plots.ts';
import { reference } from './reference.ts';
import { Rig } from './rig.ts';
import { type Measured, measureRound } from './round.ts';
import { skeleton, skeletonWithLedger } from './skeleton.ts';
import { stoppedBySignal } from './stopping.ts';
import { overviewTable } from './table.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs');
const KINDS: readonly GatewayKind[] = [
  nginx,
  haproxy,
  reference,
  skeleton,
  skeletonWithLedger,
  penstock,
];

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** How long each load is counted. */
    seconds: { type: 'string', default: '5' },
    /** Seconds of load that a Node program gets after each start, and that are not counted. */
    'warm-up': { type: 'string', default: '24' },
    gateways: { type: 'string', default: KINDS.map(({ name }) => name).join(',') },
    loads: { type: 'string', default: LOAD_NAMES.join(',') },
    write: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const warmUp = Number(flags['warm-up']);
const loads = chosen('loads', flags.loads, LOAD_NAMES);
const names = chosen(
  'gateways',
  flags.gateways,
  KINDS.map(({ name }) => name),
);
const [first, ...others] = KINDS.filter(({ name, version }) => {
  if (!names.includes(name)) return false;
  if (version === null) process.stderr.write(`${name} is not installed, so it is left out\n`);
  return version !== null;
});
if (first === undefined) throw new Error('--gateways: none is installed');
const gateways = [first, ...others];

await stoppedBySignal(async (signal) => {
  const measured = await measureAll(signal);
  const samples = measured.flatMap((one) => one.samples);
  const order = new Map(gateways.map(({ name }, at) => [name, at]));
  // The gateways change places in each round, and the tables keep them in one order.
  const placeOf = (row: string) => order.get(row.split(',', 1)[0] as string) ?? 0;
  const run: Run = {
    gateways,
    base: first.name,
    rounds,
    seconds,
    warmUp,
    machine: describeMachine(),
    summaries: summariesOf(
      samples.toSorted((a, b) => placeOf(a.row) - placeOf(b.row)),
      first.name,
    ),
    disturbances: measured.flatMap((one) => one.disturbances),
  };
  if (flags.write) await write(run);
  else
    process.stdout.write(
      `${overviewTable(run.summaries)}\n\n${disturbanceText(run.disturbances)}\n`,
    );
});

async function measureAll(signal: AbortSignal): Promise<Measured[]> {
  await using rig = await Rig.start(signal);
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < gateways.length; turn++) {
      const kind = gateways[(round + turn) % gateways.length] as GatewayKind;
      process.stderr.write(`round ${round + 1} of ${rounds}: ${kind.name}\n`);
      const timing = { loads, warmUp, seconds };
      measured.push(await measureRound(rig, kind, round, timing, signal));
    }
  }
  return measured;
}

async function write(run: Run): Promise<void> {
  await mkdir(join(DOCS, CHART_FOLDER), { recursive: true });
  await writeFile(join(DOCS, 'performance.md'), documentOf(run));
  for (const figure of CHARTS) {
    const chart = barChart(figure, run.summaries, penstock.name);
    await writeFile(join(DOCS, CHART_FOLDER, chartFile(figure)), chart);
  }
}

function chosen<Name extends string>(flag: string, text: string, known: readonly Name[]): Name[] {
  const given = text.split(',');
  const unknown = given.filter((name) => !known.includes(name as Name));
  if (unknown.length === 0) return given as Name[];
  throw new Error(`--${flag}: not ${unknown.join(', ')}, but some of ${known.join(', ')}`);
}
