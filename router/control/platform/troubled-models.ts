/** The public models that have a fault now, as the alarms tell them. */
import type { Region } from '../../../shared/region.ts';
import type { Troubled } from '../public-figures/compose.ts';

export type TroubledModel = Readonly<{ model: string; region: Region }>;

export type TroubledModels = Readonly<{
  /** Of these, no worker is ready in a region where there was one. */
  down: readonly TroubledModel[];
  degraded: readonly TroubledModel[];
}>;

export function troubledIn(troubled: readonly Troubled[]): TroubledModels {
  const inState = (wanted: Troubled['state']) =>
    troubled
      .filter(({ state }) => state === wanted)
      .map(({ model, region }): TroubledModel => ({ model, region }));
  return { down: inState('no_capacity'), degraded: inState('degraded') };
}
