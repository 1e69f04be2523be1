/** The public models that are not well, as the status page tells customers. */
import type { Status } from '../../../shared/api/public-figures.ts';
import type { Region } from '../../../shared/region.ts';

export type TroubledModel = Readonly<{ model: string; region: Region }>;

export type TroubledModels = Readonly<{
  /** Of these, no worker is ready in a region where there was one. */
  down: readonly TroubledModel[];
  degraded: readonly TroubledModel[];
}>;

/** `states`: as the status page has them. */
export function troubledIn(states: Status['models']): TroubledModels {
  const places = states.flatMap(({ id: model, regions }) =>
    regions.map(({ region, state, uptime_since: since }) => ({
      troubled: { model, region },
      state,
      // A model that was never served is not down: it has not started yet.
      wasServed: since !== null,
    })),
  );
  const down = places.filter(({ state, wasServed }) => state === 'no_capacity' && wasServed);
  const degraded = places.filter(({ state }) => state === 'degraded');
  return {
    down: down.map(({ troubled }) => troubled),
    degraded: degraded.map(({ troubled }) => troubled),
  };
}
