/**
 * Samples the fleet as this router sees it, every few seconds. Every router sees all workers of a
 * region whose agents may serve it, so their samples are averaged, not added up.
 */
import { REGIONS, type Region } from '../../shared/region.ts';
import type { Worker } from '../fleet/worker.ts';
import { mayServe } from '../fleet/peers.ts';
import {
  GPU_MEMORY,
  GPU_USE,
  GPUS,
  KV_USE,
  LISTENED,
  QUEUED,
  READY,
  RUNNING,
  SAMPLES,
  SERVED,
  SLOTS,
  WAITING,
  WORKERS,
} from './figures.ts';
import { SAMPLE_MS } from './levels.ts';
import type { HistoryRecorder, OpenCell } from './recorder.ts';

export type Sampled = Readonly<{
  workers: Iterable<Worker>;
  /** The ids of the models of the catalog. */
  models: Iterable<string>;
  /** The requests that wait for a worker in this router. */
  waiting: Iterable<Readonly<{ model: string; region: Region; length: number }>>;
  /** Those of this router's listeners. */
  regions: readonly Region[];
}>;

export function sample(recorder: HistoryRecorder, sampled: Sampled): void {
  const { workers, models, waiting, regions } = sampled;
  const listened = [...new Set(regions)];
  for (const region of REGIONS) {
    if (mayServe(region, regions)) recorder.region(region)?.add(SAMPLES, 1);
  }
  const listed = new Set(models);
  /** The regions of the workers that could serve each model. */
  const serving = new Map<string, Set<Region>>();
  for (const worker of workers) {
    const gauges = gaugesOf(worker);
    const cell = recorder.worker(worker);
    cell?.add(SAMPLES, 1);
    if (cell) addAll(cell, gauges);
    addAll(recorder.region(worker.region), gauges);
    for (const model of worker.models) {
      if (!listed.has(model)) continue;
      addAll(recorder.model(worker.region, model), gauges);
      if (!worker.isServing) continue;
      const found = serving.get(model);
      if (found) found.add(worker.region);
      else serving.set(model, new Set([worker.region]));
    }
  }
  for (const region of listened) {
    for (const model of listed) {
      const cell = recorder.model(region, model);
      const found = serving.get(model);
      cell?.add(LISTENED, 1);
      if (found && (region === 'global' || found.has(region))) cell?.add(SERVED, 1);
    }
  }
  for (const { region, model, length } of waiting) {
    if (length === 0) continue;
    const requestSeconds = length * (SAMPLE_MS / 1_000);
    recorder.model(region, model)?.add(QUEUED, requestSeconds);
    recorder.region(region)?.add(QUEUED, requestSeconds);
  }
}

/** What an agent reports beyond this is no engine's, and would hide all others in a sum. */
const COUNT_MAX = 100_000;

type Gauges = readonly (readonly [at: number, by: number])[];

function gaugesOf({ isServing, slots, load }: Worker): Gauges {
  const { running, waiting, kvUse, gpus } = load;
  const use = gpus.reduce((sum, gpu) => sum + gpu.use, 0);
  const memory = gpus.reduce((sum, { memoryUsedBytes: used, memoryTotalBytes: total }) => {
    return sum + (total > 0 ? Math.min(1, used / total) : 0);
  }, 0);
  return [
    [WORKERS, 1],
    [READY, isServing ? 1 : 0],
    [SLOTS, Math.min(slots, COUNT_MAX)],
    [RUNNING, Math.min(running, COUNT_MAX)],
    [WAITING, Math.min(waiting, COUNT_MAX)],
    [KV_USE, Math.round(1_000 * kvUse)],
    [GPUS, gpus.length],
    [GPU_USE, Math.round(1_000 * use)],
    [GPU_MEMORY, Math.round(1_000 * memory)],
  ];
}

function addAll(cell: OpenCell | null, gauges: Gauges): void {
  for (const [at, by] of gauges) cell?.add(at, by);
}
