/** What the kernel says about the machine and about the memory of processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

const TICK_NS = 10_000_000;

/** The CPU time that the whole machine has used, in nanoseconds. */
export function readBusyNs(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq) * TICK_NS;
}

/** The memory of processes in MB, where a page that several processes share is counted by shares. */
export function memoryMb(pids: readonly number[]): number {
  const kilobytes = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]);
  });
  return kilobytes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

/** A process and its children. */
export function familyOf(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => parentOf(other) === pid);
  return [pid, ...children];
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** The machine in general terms: cores, model of the CPU, memory and kernel. */
export function describeMachine(): string {
  const model =
    cpus()[0]
      ?.model.replaceAll(/\((?:R|TM)\)/gi, '')
      .trim() ?? 'unknown CPU';
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const kernel = release().split('.').slice(0, 2).join('.');
  return `${availableParallelism()} cores (${model}), ${gigabytes} GB of memory, Linux ${kernel}`;
}
