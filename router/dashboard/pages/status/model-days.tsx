/** The state of a model in each of its regions, and its uptime there by day. */
import type { ModelStatus, Status } from '../../../../shared/api/public-figures.ts';
import { uptimeWords } from '../../format/measured-time.ts';
import { REGION_NAMES } from '../../format/regions.ts';
import { Badge, StateBadge } from '../../parts/shown.tsx';
import { STATES } from '../catalog/states.tsx';
import { DayBars } from './day-bars.tsx';
import { shownDays, summaryOfDays } from './days.ts';
import { affects, isOpen } from './summary.ts';

export function ModelDays({ model, status }: Readonly<{ model: ModelStatus; status: Status }>) {
  return (
    <ul className="grid min-w-0 gap-3">
      {model.regions.map((place) => (
        <Place key={place.region} model={model.id} place={place} status={status} />
      ))}
    </ul>
  );
}

type PlaceProps = Readonly<{
  model: string;
  place: ModelStatus['regions'][number];
  status: Status;
}>;

/** A model in one region. */
function Place({ model, place, status: { as_of: asOf, incidents } }: PlaceProps) {
  const { region, state, uptime, uptime_since: since, days } = place;
  const own = incidents.filter((incident) => affects(incident, model, region));
  const shown = shownDays({ days, today: asOf, incidents: own });
  return (
    <li className="grid min-w-0 gap-1.5">
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="flex items-center gap-2">
          {REGION_NAMES[region]} <StateBadge of={STATES[state]} />
          {own.some(isOpen) && <Badge tone="warn">Incident</Badge>}
        </span>
        <span className="text-muted tabular-nums">
          {uptimeWords({ uptime, uptime_since: since }, Date.parse(asOf), ' uptime')}
        </span>
      </p>
      <DayBars days={shown} label={summaryOfDays(days, shown)} />
    </li>
  );
}
