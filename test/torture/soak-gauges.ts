/** The figures of a soak: what is sampled of the processes, and how far it may grow. */
import { stat } from 'node:fs/promises';
import { flatness, type Sample } from './flatness.ts';
import type { Fleet } from './fleet.ts';
import type { HeapWatch } from './heap-watch.ts';
import { countDescriptors, pssBytes, readMetrics } from './process-figures.ts';
import { HOSTS } from './soak-load.ts';

const MB = 1e6;
/**
 * The allowed growth of a median: a share of it, or so many units if that is more. Between the
 * medians of half an hour lie twenty minutes and about 100,000 requests. The heap without garbage
 * hardly varies, so 5 % of it are less than forty bytes a request. The others vary by chance: memory
 * by the garbage that V8 has not collected yet, descriptors and timers by the streams of the moment,
 * and those of an agent also by its share of the requests.
 */
const GROWTH_MAX = { heap: 0.05, other: 0.1, megabytes: 2, count: 40 } as const;
/**
 * Each of a router's three threads of SQLite keeps up to 64 MiB of the store in memory
 * (router/store/sqlite/connect.ts). While the store is smaller, the router may grow with it.
 */
const PAGE_CACHES = { threads: 3, megabytesMax: (64 * 2 ** 20) / MB } as const;

export type Series = Readonly<{
  name: string;
  unit: 'MB' | '';
  /** The allowed growth as a share. Null: the figure is only reported. */
  growthMax: number | null;
  samples: Sample[];
}>;

export type Judged = Readonly<{ name: string; told: string; fault: string | null }>;

const ROUTER_MEMORY = 'router memory';
const STORE = 'store';

export class SoakGauges {
  readonly series: Series[] = [];
  readonly #fleet: Fleet;
  readonly #heap: HeapWatch;

  constructor(fleet: Fleet, heap: HeapWatch) {
    this.#fleet = fleet;
    this.#heap = heap;
  }

  /** `withHeap`: collects the router's garbage to see what is left. */
  async look(atMs: number, { withHeap }: Readonly<{ withHeap: boolean }>): Promise<void> {
    const router = this.#fleet.router(0);
    const add = (name: string, value: number) => this.#add(name, '', atMs, value);
    const addBytes = (name: string, bytes: number) => this.#add(name, 'MB', atMs, bytes / MB);
    const processes = {
      router: router.process,
      'steady agent': this.#fleet.agents[HOSTS.steady],
      'reconnecting agent': this.#fleet.agents[HOSTS.cutOff],
    };
    for (const [name, process] of Object.entries(processes)) {
      if (!process) throw new Error(`there is no ${name}`);
      addBytes(`${name} memory`, await pssBytes(process.pid));
      add(`${name} descriptors`, await countDescriptors(process.pid));
    }
    const metric = await readMetrics(router.metricsUrl);
    add('router handles', metric('nodejs_active_handles'));
    addBytes('router prefix index', metric('penstock_router_prefix_index_bytes'));
    addBytes(STORE, (await stat(this.#fleet.storeUrl.replace('sqlite:', ''))).size);
    if (!withHeap) return;
    const seen = await this.#heap.look(router.process.pid);
    addBytes('router heap without garbage', seen.heapBytes);
    addBytes('router buffers', seen.outsideBytes);
    add('router timers', seen.timers);
  }

  #add(name: string, unit: Series['unit'], atMs: number, value: number): void {
    let series = this.series.find((one) => one.name === name);
    if (!series) {
      series = { name, unit, growthMax: growthMaxOf(name), samples: [] };
      this.series.push(series);
    }
    series.samples.push({ atMs, value });
  }
}

function growthMaxOf(name: string): number | null {
  if (name === STORE) return null;
  return name.includes('heap') ? GROWTH_MAX.heap : GROWTH_MAX.other;
}

export function judgeSeries(all: readonly Series[], lengthMs: number): Judged[] {
  const store = all.find(({ name }) => name === STORE)?.samples ?? [];
  const stored = flatness(store, lengthMs);
  const cached = (megabytes: number) =>
    PAGE_CACHES.threads * Math.min(megabytes, PAGE_CACHES.megabytesMax);
  const cachesMore = Math.max(0, cached(stored.late) - cached(stored.early));
  return all.map(({ name, unit, growthMax, samples }) => {
    const { early, late, perHour } = flatness(samples, lengthMs);
    const write = (value: number) => value.toFixed(unit === 'MB' ? 1 : 0);
    const caches = name === ROUTER_MEMORY ? cachesMore : 0;
    const told =
      `${write(early)} → ${write(late)}${unit && ` ${unit}`} (${write(perHour)} an hour` +
      `${caches > 0 ? `, up to ${write(caches)} of it page caches` : ''})`;
    const units = unit === 'MB' ? GROWTH_MAX.megabytes : GROWTH_MAX.count;
    const isFlat =
      growthMax === null || late - early - caches <= Math.max(units, growthMax * early);
    return { name, told, fault: isFlat ? null : `${name}: ${told}` };
  });
}
