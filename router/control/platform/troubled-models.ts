/** The public models that are not well, as the status page tells customers. */
import type { Status } from '../../../shared/api/public-figures.ts';
import type { PublicFigures } from '../public-figures/answers.ts';

export type TroubledModels = Readonly<{
  /** Of these, no worker is ready in a region where there was one. */
  down: readonly string[];
  degraded: readonly string[];
}>;

export async function readTroubledModels(
  figures: Pick<PublicFigures, 'get'>,
): Promise<TroubledModels> {
  const { status } = await figures.get();
  return troubledIn(JSON.parse(new TextDecoder().decode(status)) as Status);
}

/** Names the region of a model that has several. */
function troubledIn({ models }: Pick<Status, 'models'>): TroubledModels {
  const places = models.flatMap(({ id, regions }) =>
    regions.map(({ region, state, uptime_since: since }) => ({
      name: regions.length === 1 ? id : `${id} in ${region}`,
      state,
      // A model that was never served is not down: it has not started yet.
      wasServed: since !== null,
    })),
  );
  const down = places.filter(({ state, wasServed }) => state === 'no_capacity' && wasServed);
  const degraded = places.filter(({ state }) => state === 'degraded');
  return { down: down.map(({ name }) => name), degraded: degraded.map(({ name }) => name) };
}
