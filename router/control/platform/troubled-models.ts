/** The public models that are not well, as the status page tells customers. */
import type { Status } from '../../../shared/api/public-figures.ts';
import type { PublicFigures } from '../public-figures/answers.ts';

/** `name` is that of the model, with the region if the model has several. */
export type TroubledModel = Readonly<{ model: string; name: string }>;

export type TroubledModels = Readonly<{
  /** Of these, no worker is ready in a region where there was one. */
  down: readonly TroubledModel[];
  degraded: readonly TroubledModel[];
}>;

export async function readTroubledModels(
  figures: Pick<PublicFigures, 'get'>,
): Promise<TroubledModels> {
  const { status } = await figures.get();
  return troubledIn(JSON.parse(new TextDecoder().decode(status)) as Status);
}

function troubledIn({ models }: Pick<Status, 'models'>): TroubledModels {
  const places = models.flatMap(({ id: model, regions }) =>
    regions.map(({ region, state, uptime_since: since }) => ({
      troubled: { model, name: regions.length === 1 ? model : `${model} in ${region}` },
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
