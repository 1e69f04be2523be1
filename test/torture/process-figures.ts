/** What the kernel and the metrics page tell of a process. */
import { readdir, readFile } from 'node:fs/promises';

const PSS_KB = /^Pss:\s+(\d+) kB$/m;

/**
 * The proportional set size in bytes: the resident memory, in which a page that several processes
 * share counts to each of them in part.
 */
export async function pssBytes(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(PSS_KB.exec(rollup)?.[1]) * 1024;
}

export async function countDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** CPU time of a process. Linux counts it in ticks of 10 ms. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Reads a metrics page. The result returns the sum of the series with a name, or NaN if the page has
 * none.
 */
export async function readMetrics(url: string): Promise<(name: string) => number> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  const values = new Map<string, number>();
  for (const line of (await answer.text()).split('\n')) {
    const end = line.lastIndexOf(' ');
    if (line.startsWith('#')) continue;
    const [name] = line.slice(0, end).split('{') as [string];
    values.set(name, (values.get(name) ?? 0) + Number(line.slice(end + 1)));
  }
  return (name) => values.get(name) ?? Number.NaN;
}
