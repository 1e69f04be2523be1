/**
 * Whether a model is served now, as this router sees it. All pages that say so ask here, so that they
 * agree.
 */
import type { Region } from '../../../shared/region.ts';
import type { ControlParts } from '../parts.ts';

type SeenFleet = Pick<ControlParts['fleet'], 'serving' | 'workers'>;

/** Whether a request for the model would find a worker on this router. */
export function isServedNow(
  fleet: Pick<SeenFleet, 'serving'>,
  model: string,
  region: Region,
): boolean {
  return fleet.serving(model, region).length > 0;
}

/**
 * The same for all models. A router that has seen no worker of a region yet, because it has just
 * started or does not serve the region, does not know.
 */
export class ServedNow {
  readonly #fleet: SeenFleet;
  readonly #seen = new Set<Region>();

  constructor(fleet: SeenFleet) {
    this.#fleet = fleet;
  }

  /** Null: this router does not know. */
  of(model: string, region: Region): boolean | null {
    for (const worker of this.#fleet.workers) {
      this.#seen.add(worker.region);
      this.#seen.add('global');
    }
    return this.#seen.has(region) ? isServedNow(this.#fleet, model, region) : null;
  }
}
