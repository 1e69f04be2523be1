/**
 * Whether a worker serves a model now, as this router sees it: the models of an organization say so,
 * and the state of a model that visitors see is worse without one (history/state.ts).
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
 * Tells a region without capacity from one that this router knows nothing about: a router that has
 * seen no worker of a region has just started, or does not serve the region.
 */
export class ServedNow {
  readonly #fleet: SeenFleet;
  /** The regions of which this router has seen a worker. All of them belong to the global one. */
  readonly #seen = new Set<Region>();

  constructor(fleet: SeenFleet) {
    this.#fleet = fleet;
  }

  /**
   * Returns a function that tells whether a model is served in a region. It returns null where the
   * router does not know.
   */
  snapshot(): (model: string, region: Region) => boolean | null {
    for (const { region } of this.#fleet.workers) this.#seen.add(region).add('global');
    return (model, region) =>
      this.#seen.has(region) ? isServedNow(this.#fleet, model, region) : null;
  }
}
