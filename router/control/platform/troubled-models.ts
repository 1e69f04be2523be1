/** The public models that are not well, as the status page tells customers. */
import type { Status } from '../../../shared/api/public-figures.ts';
import type { Region } from '../../../shared/region.ts';
import type { Clock } from '../../../shared/clock.ts';
import { within } from '../../store/deadline.ts';
import type { PublicFigures } from '../public-figures/answers.ts';

/** Figures that are not cached come from heavy procedures, for which other alarms do not wait. */
const FIGURES_MS_MAX = 1_000;

export type TroubledModel = Readonly<{ model: string; region: Region }>;

export type TroubledModels = Readonly<{
  /** Of these, no worker is ready in a region where there was one. */
  down: readonly TroubledModel[];
  degraded: readonly TroubledModel[];
}>;

const NONE: TroubledModels = { down: [], degraded: [] };

/** Returns no models if the figures cannot be read within a second. */
export async function readTroubledModels(
  figures: Pick<PublicFigures, 'get'>,
  clock: Clock,
): Promise<TroubledModels> {
  try {
    const { states } = await within(clock, FIGURES_MS_MAX, 'public figures', figures.get());
    return troubledIn(states);
  } catch {
    // The requests of the status page, which read the same figures, fail and are logged.
    return NONE;
  }
}

function troubledIn(states: Status['models']): TroubledModels {
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
