/** Which models lose their last ready host when workers leave. */
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import type { Region } from '../../../../../shared/region.ts';

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
  const ready = all.filter(({ phase, breaker }) => phase === 'ready' && breaker !== 'open');
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
