/** The states of a model in a region, in words. */
import type { RegionState } from '../../../../shared/api/public-figures.ts';
import { type Region, REGION_NAMES } from '../../../../shared/region.ts';
import { StateBadge } from '../../parts/shown.tsx';
import type { Tone } from '../../parts/tone.ts';

export type State = RegionState['state'];

export const STATES: Readonly<Record<State, Readonly<{ tone: Tone; name: string; note: string }>>> =
  {
    operational: { tone: 'good', name: 'Operational', note: 'Requests are served.' },
    degraded: {
      tone: 'warn',
      name: 'Degraded',
      note: 'In the last 10 minutes, the model was unavailable for more than 5% of the time, or more than 5% of its requests failed.',
    },
    no_capacity: {
      tone: 'bad',
      name: 'Unavailable',
      note: 'No host serves the model now, or none did in the last minute that was recorded.',
    },
    no_data: {
      tone: 'neutral',
      name: 'No data',
      note: 'The region has not reported in the last 10 minutes.',
    },
  };

/** Returns the state of a model in a region, of its states in all regions. */
export function stateIn(regions: readonly RegionState[], region: Region): State {
  return regions.find((one) => one.region === region)?.state ?? 'no_data';
}

type ModelStateProps = Readonly<{
  state: State;
  /** Stands before the state. */
  place?: string;
  /** Stands in the tooltip instead, and is read by screen readers. */
  hiddenPlace?: string;
}>;

export function ModelState({ state, place, hiddenPlace }: ModelStateProps) {
  const { tone, name, note } = STATES[state];
  return (
    <span title={hiddenPlace === undefined ? note : `${hiddenPlace}: ${note}`} className="flex">
      {hiddenPlace !== undefined && <span className="sr-only">{hiddenPlace}: </span>}
      <StateBadge of={{ tone, name: place === undefined ? name : `${place}: ${name}` }} />
    </span>
  );
}

type RegionStatesProps = Readonly<{
  /** The states of one model. The name of a region is shown only if there are several. */
  regions: readonly RegionState[];
  /**
   * The only region whose state is shown, without its name, if there are several: the reader's own or
   * the one that was chosen. Null: all of them.
   */
  only?: Region | null;
}>;

export function RegionStates({ regions, only = null }: RegionStatesProps) {
  const shown =
    only !== null && regions.length > 1
      ? [{ region: only, state: stateIn(regions, only) }]
      : regions;
  return (
    <span className="flex flex-wrap gap-1">
      {shown.map(({ region, state }) => (
        <ModelState
          key={region}
          state={state}
          {...(regions.length > 1 && {
            [only === null ? 'place' : 'hiddenPlace']: REGION_NAMES[region],
          })}
        />
      ))}
    </span>
  );
}
