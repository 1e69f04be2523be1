/** Which models lose their last ready host when workers leave, and which have none now. */
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { REGION_NAMES, REGIONS, type Region } from '../../../../../shared/region.ts';
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

/**
 * "2 models have no ready worker, 1 model has no ready worker in US", of those that the workers serve at
 * other times. The models that no region serves are not counted again in a region. Null if there are none.
 */
export function unservedInWords(all: readonly WorkerEntry[]): string | null {
  const nowhere = unservedBy(all);
  const said = [
    missingInWords(nowhere.length),
    ...REGIONS.filter((region) => region !== 'global').map((region) => {
      const there = unservedBy(all.filter((worker) => worker.region === region));
      const missing = there.filter((model) => !nowhere.includes(model)).length;
      const words = missingInWords(missing);
      return words && `${words} in ${REGION_NAMES[region]}`;
    }),
  ].filter((part) => part !== null);
  return said.length === 0 ? null : said.join(', ');
}

function unservedBy(workers: readonly WorkerEntry[]): readonly string[] {
  const served = new Set(workers.filter(serves).flatMap(({ models }) => models));
  const usual = new Set(workers.flatMap((worker) => usualModels(worker)));
  return [...usual].filter((model) => !served.has(model));
}

function missingInWords(models: number): string | null {
  if (models === 0) return null;
  return `${shownCount(models)} ${models === 1 ? 'model has' : 'models have'} no ready worker`;
}
