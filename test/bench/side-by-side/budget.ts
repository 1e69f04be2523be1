/**
 * `npm run bench:budget`: whether Penstock keeps to the CPU time that it may cost, in about a minute.
 * The reference and Penstock take turns in short rounds. Ends with status 1 if a ratio is above its
 * budget beyond noise. `--calibrate 6` repeats the run, and prints the terms that the runs suggest.
 */
import { parseArgs } from 'node:util';
import {
  judge,
  type Ratios,
  TERM_NAMES,
  type TermName,
  TERMS,
  termOf,
  verdictTable,
} from './budget-terms.ts';
import { spreadOf } from './figures.ts';
import type { Gateway } from './gateway.ts';
import { penstock } from './penstock.ts';
import { reference } from './reference.ts';
import { Rig } from './rig.ts';
import { stoppedBySignal } from './stopping.ts';
import { tableOf } from './table.ts';

/** The reference has little code, which is soon compiled. */
const REFERENCE_WARM_UP_SHARE = 0.2;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    /** How long each load is counted in a round. */
    seconds: { type: 'string', default: '1.5' },
    'warm-up': { type: 'string', default: '18' },
    calibrate: { type: 'string' },
  },
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const warmUp = Number(flags['warm-up']);

await stoppedBySignal(async (signal) => {
  if (flags.calibrate === undefined) await check(signal);
  else await calibrate(Number(flags.calibrate), signal);
});

async function check(signal: AbortSignal): Promise<void> {
  const verdicts = judge(await measure(signal), TERMS);
  process.stdout.write(`${verdictTable(verdicts)}\n`);
  if (verdicts.some(({ isOver }) => isOver)) process.exitCode = 1;
}

async function calibrate(runs: number, signal: AbortSignal): Promise<void> {
  const measured: Ratios[] = [];
  for (let run = 0; run < runs; run++) measured.push(await measure(signal));
  const rows = TERM_NAMES.map((name) => {
    const medians = measured.map((ratios) => spreadOf(ratios.get(name) ?? []).median);
    const { budget, margin } = termOf(medians);
    const told = medians.map((median) => median.toFixed(2)).join(' ');
    return [name, told, budget.toFixed(2), margin.toFixed(2)];
  });
  process.stdout.write(`${tableOf(['× node:http', 'runs', 'budget', 'margin'], rows)}\n`);
}

/** The ratios of every round of one run. */
async function measure(signal: AbortSignal): Promise<Ratios> {
  await using rig = await Rig.start(signal);
  await using plain = await reference.start(rig.engineUrl, signal);
  await using product = await penstock.start(rig.engineUrl, signal);
  signal.throwIfAborted();
  await rig.warmUp(plain, warmUp * REFERENCE_WARM_UP_SHARE);
  await rig.warmUp(product, warmUp);
  const all: Record<TermName, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const turns = round % 2 === 0 ? [plain, product] : [product, plain];
    const costs = new Map<Gateway, Cost>();
    for (const gateway of turns) costs.set(gateway, await costOf(rig, gateway));
    const base = costs.get(plain) as Cost;
    const cost = costs.get(product) as Cost;
    const ratio = (part: 'router' | 'agent', of: keyof Cost) =>
      (cost[of][part] ?? 0) / (base[of]['proxy'] ?? 0);
    all.push({
      'router, a streamed token': ratio('router', 'token'),
      'agent, a streamed token': ratio('agent', 'token'),
      'router, a short request': ratio('router', 'request'),
      'agent, a short request': ratio('agent', 'request'),
    });
  }
  return new Map(TERM_NAMES.map((name) => [name, all.map((ratios) => ratios[name])]));
}

/** CPU time by part, for a token and for a request. */
type Cost = Readonly<Record<'token' | 'request', Readonly<Record<string, number>>>>;

async function costOf(rig: Rig, gateway: Gateway): Promise<Cost> {
  const streams = await rig.run('streams-64', gateway, seconds);
  const short = await rig.run('short', gateway, seconds);
  const each = (cpuNs: Readonly<Record<string, number>>, count: number) =>
    Object.fromEntries(Object.entries(cpuNs).map(([part, ns]) => [part, ns / count]));
  return {
    token: each(streams.cpuNs, streams.tokens),
    request: each(short.cpuNs, short.answers),
  };
}
