/** The states of a model in a region, in words. */
import type { RegionState } from '../../../../shared/api/public-figures.ts';
import { REGION_NAMES } from '../../format/regions.ts';
import { StateBadge, type Tone } from '../../parts/shown.tsx';

type State = RegionState['state'];

export const STATES: Readonly<Record<State, Readonly<{ tone: Tone; name: string; note: string }>>> =
  {
    operational: { tone: 'good', name: 'Operational', note: 'Requests are served.' },
    degraded: {
      tone: 'warn',
      name: 'Degraded',
      note: 'In the last 10 minutes, the model was unavailable for more than 5% of the time, or more than 5% of its requests failed.',
    },
    no_capacity: { tone: 'bad', name: 'No capacity', note: 'No host serves the model now.' },
    no_data: {
      tone: 'neutral',
      name: 'No data',
      note: 'The region has not reported in the last 10 minutes.',
    },
  };

/** `regions`: the states of one model. The name of the region is shown only if there are several. */
export function RegionStates({ regions }: { regions: readonly RegionState[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {regions.map(({ region, state }) => (
        <span key={region} title={STATES[state].note} className="flex">
          <StateBadge
            of={{
              tone: STATES[state].tone,
              name:
                regions.length === 1
                  ? STATES[state].name
                  : `${REGION_NAMES[region]}: ${STATES[state].name}`,
            }}
          />
        </span>
      ))}
    </span>
  );
}
