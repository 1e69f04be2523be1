/** Measures one gateway in one round: a new start, a warm-up, and each load once. */
import type { FigureName, Sample } from './figures.ts';
import type { Gateway, GatewayKind } from './gateway.ts';
import type { Seen } from './load-order.ts';
import { type LoadName, RATE } from './loads.ts';
import { memoryMb } from './machine.ts';
import type { Rig } from './rig.ts';

/** Seconds that open the connections of a gateway whose code is compiled beforehand. */
export const SHORT_WARM_UP = 2;

export type Timing = Readonly<{ loads: readonly LoadName[]; warmUp: number; seconds: number }>;

/** What else happened during a load, by which one can tell a disturbed round. */
export type Disturbance = Readonly<{
  round: number;
  gateway: string;
  load: LoadName;
  othersCores: number;
  /** The share of the engine's tokens that it sent more than 5 ms late. */
  lateShare: number;
  /** CPU time of the load generator, in cores. */
  loadCores: number;
}>;

export type Measured = Readonly<{ samples: Sample[]; disturbances: Disturbance[] }>;

export async function measureRound(
  rig: Rig,
  kind: GatewayKind,
  round: number,
  { loads, warmUp, seconds }: Timing,
  signal: AbortSignal,
): Promise<Measured> {
  const samples: Sample[] = [];
  const disturbances: Disturbance[] = [];
  const add = (figure: FigureName, row: string, value: number) =>
    samples.push({ round, row, figure, value });

  await using gateway = await kind.start(rig.engineUrl, signal);
  signal.throwIfAborted();
  const rows = rowsOf(kind.name, gateway);
  for (const { row, parts } of rows) add('memoryRest', row, memoryOf(gateway, parts));
  await rig.warmUp(gateway, kind.isCompiledLate ? warmUp : Math.min(warmUp, SHORT_WARM_UP));
  for (const load of loads) {
    const seen = await rig.run(load, gateway, seconds);
    for (const { row, parts } of rows) {
      const cpuUs = sum(parts.map((part) => seen.cpuNs[part] ?? 0)) / 1000;
      if (load === 'short') add('request', row, cpuUs / seen.answers);
      else add(load === 'streams-64' ? 'token64' : 'token256', row, cpuUs / seen.tokens);
    }
    for (const [figure, value] of wholeFigures(load, seen)) add(figure, kind.name, value);
    disturbances.push({
      round,
      gateway: kind.name,
      load,
      othersCores: seen.othersCores,
      lateShare: seen.steps === 0 ? 0 : seen.late / seen.steps,
      loadCores: (seen.cpuNs['load'] ?? 0) / 1e9 / seen.seconds,
    });
  }
  for (const { row, parts } of rows) add('memoryLoad', row, memoryOf(gateway, parts));
  return { samples, disturbances };
}

/** The rows of a gateway: all of it, and each part if there are several. */
function rowsOf(name: string, gateway: Gateway): { row: string; parts: readonly string[] }[] {
  const parts = Object.keys(gateway.parts);
  const whole = { row: name, parts };
  return parts.length === 1
    ? [whole]
    : [whole, ...parts.map((part) => ({ row: `${name}, ${part}`, parts: [part] }))];
}

/** The figures that clients see, which only a whole gateway has. */
function wholeFigures(load: LoadName, seen: Seen): [FigureName, number][] {
  if (load === 'short') return [['requestRate', seen.answers / seen.seconds]];
  if (load === 'streams-64') return [];
  const pacingMs = 1000 / RATE;
  return [
    ['ttftP50', seen.ttftMs.p50 - pacingMs],
    ['ttftP99', seen.ttftMs.p99 - pacingMs],
    ['stalls', seen.stalls],
  ];
}

function memoryOf(gateway: Gateway, parts: readonly string[]): number {
  return memoryMb(parts.flatMap((part) => gateway.parts[part] ?? []));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
