/** What the load generator counts between two moments: tokens, answers, and CPU time of processes. */
import { cpuBetween, type CpuReading, readCpu } from './cpu-clock.ts';
import type { Order } from './load-order.ts';
import { readBusyNs } from './machine.ts';

type Moment = Readonly<{
  atMs: number;
  busyNs: number;
  cpu: Readonly<Record<string, readonly CpuReading[]>>;
}>;

export type Counted = Readonly<{
  seconds: number;
  tokens: number;
  answers: number;
  cpuNs: Record<string, number>;
  othersCores: number;
}>;

export class LoadCount {
  readonly #groups: Readonly<Record<string, readonly number[]>>;
  #start: Moment | null = null;
  #tokens = 0;
  #answers = 0;

  constructor({ groups }: Order) {
    this.#groups = { ...groups, load: [process.pid] };
  }

  get isRunning(): boolean {
    return this.#start !== null;
  }

  begin(): void {
    this.#start = this.#read();
  }

  addTokens(tokens: number): void {
    if (this.isRunning) this.#tokens += tokens;
  }

  addAnswer(): void {
    if (this.isRunning) this.#answers++;
  }

  end(): Counted {
    const start = this.#start;
    if (start === null) throw new Error('the load ended before it was counted');
    const end = this.#read();
    const cpuNs = Object.fromEntries(
      Object.entries(end.cpu).map(([group, readings]) => {
        const before = start.cpu[group] ?? [];
        return [group, sum(readings.map((after, at) => cpuBetween(before[at] ?? after, after)))];
      }),
    );
    const ns = (end.atMs - start.atMs) * 1e6;
    return {
      seconds: ns / 1e9,
      tokens: this.#tokens,
      answers: this.#answers,
      cpuNs,
      othersCores: (end.busyNs - start.busyNs - sum(Object.values(cpuNs))) / ns,
    };
  }

  #read(): Moment {
    const cpu = Object.fromEntries(
      Object.entries(this.#groups).map(([group, pids]) => [group, pids.map(readCpu)]),
    );
    return { atMs: performance.now(), busyNs: readBusyNs(), cpu };
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
