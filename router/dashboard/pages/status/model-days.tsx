/** The state of a model in each of its regions, and its uptime there by day. */
import type { ModelStatus, Status } from '../../../../shared/api/public-figures.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { uptimeWords } from '../../format/measured-time.ts';
import { Badge, StateBadge } from '../../parts/shown.tsx';
import { STATES } from '../catalog/states.tsx';
import { DayBars } from './day-bars.tsx';
import { type ShownDay, shownDays, summaryOfDays, UNEXPLAINED } from './days.ts';
import { affects, isOpen } from './summary.ts';

type ModelDaysProps = Readonly<{
  model: ModelStatus;
  status: Status;
  /** The bars of the last region have an axis. */
  hasAxis: boolean;
}>;

export function ModelDays({ model, status, hasAxis }: ModelDaysProps) {
  return (
    <ul className="grid min-w-0 gap-3">
      {model.regions.map((place, index) => (
        <Place
          key={place.region}
          model={model.id}
          place={place}
          status={status}
          hasAxis={hasAxis && index === model.regions.length - 1}
        />
      ))}
    </ul>
  );
}

type PlaceProps = Readonly<{
  model: string;
  place: ModelStatus['regions'][number];
  status: Status;
  hasAxis: boolean;
}>;

/** A model in one region. */
function Place({ model, place, status, hasAxis }: PlaceProps) {
  const { as_of: asOf, incidents, models } = status;
  const { region, state, uptime, uptime_since: since, days } = place;
  // A router of an earlier version does not tell them.
  const { outages = [] } = place as Partial<typeof place>;
  // Where all models have the same region, its name tells nothing.
  const hasRegions = models.some(({ regions }) => regions.some((one) => one.region !== region));
  const own = incidents.filter((incident) => affects(incident, model, region));
  const shown = shownDays({ days, today: asOf, state, incidents: own, outages });
  return (
    <li className="grid min-w-0 gap-1.5">
      <p className="flex flex-wrap items-center justify-between gap-2 text-sm">
        <span className="flex items-center gap-2">
          {hasRegions && REGION_NAMES[region]} <StateBadge of={STATES[state]} />
          {own.some(isOpen) && <Badge tone="warn">Incident</Badge>}
        </span>
        <span className="text-muted tabular-nums">
          {uptimeWords({ uptime, uptime_since: since }, Date.parse(asOf), ' uptime')}
        </span>
      </p>
      <DayBars days={shown} label={summaryOfDays(days, shown)} hasAxis={hasAxis} />
      <BadDays
        days={shown.filter(({ tone, isMeasured }) => isMeasured && tone === 'bad').toReversed()}
      />
    </li>
  );
}

/** The most days of a model in a region whose reason is told without pointing at them. */
const BAD_DAYS_MAX = 3;

/** Why days are red, the newest first. */
function BadDays({ days }: { days: readonly ShownDay[] }) {
  if (days.length === 0) return null;
  const rest = days.length - BAD_DAYS_MAX;
  return (
    <ul aria-label="Days with less than 95% uptime" className="grid gap-0.5 text-xs text-muted">
      {days.slice(0, BAD_DAYS_MAX).map(({ date, words, incidents }) => (
        <li key={date} className="wrap-anywhere">
          <span className="font-medium text-ink">{date}</span>: {words}.{' '}
          {incidents.length === 0 ? `${UNEXPLAINED}.` : `Incident: ${incidents.join(', ')}`}
        </li>
      ))}
      {rest > 0 && <li>{rest === 1 ? '1 more day' : `${rest} more days`}, in the bars above.</li>}
    </ul>
  );
}
