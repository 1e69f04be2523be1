/** Which models lose their last ready host when workers leave, and which have none now. */
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import type { Region } from '../../../../../shared/region.ts';
import { serves } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { usualModels } from './unready-workers.ts';

/** `region`: the only region that loses the model, or null when no region has a ready host for it. */
export type Lost = Readonly<{ model: string; region: Region | null }>;

/**
 * The models that no worker which stays is ready to serve. A regional organization is served in its
 * region alone, so a model may be lost there while hosts of other regions serve it.
 */
export function lostWithout(
  leaves: (worker: WorkerEntry) => boolean,
  all: readonly WorkerEntry[],
): readonly Lost[] {
  const ready = all.filter(serves);
  const staying = ready.filter((worker) => !leaves(worker));
  const lost = new Map<string, Lost>();
  for (const { models, region } of ready.filter(leaves)) {
    for (const model of models) {
      const others = staying.filter((worker) => worker.models.includes(model));
      const isInRegion = others.some((worker) => worker.region === region);
      if (others.length === 0) lost.set(model, { model, region: null });
      else if (region !== 'global' && !isInRegion) {
        lost.set(`${model} ${region}`, { model, region });
      }
    }
  }
  return [...lost.values()].toSorted((a, b) => (a.model < b.model ? -1 : 1));
}

/** "2 models have no ready worker", of those that the workers serve at other times. Null if there are none. */
export function unservedInWords(all: readonly WorkerEntry[]): string | null {
  const served = new Set(all.filter(serves).flatMap(({ models }) => models));
  const usual = new Set(all.flatMap((worker) => usualModels(worker)));
  const missing = [...usual].filter((model) => !served.has(model)).length;
  if (missing === 0) return null;
  return `${shownCount(missing)} ${missing === 1 ? 'model has' : 'models have'} no ready worker`;
}
