/** Incidents: those that go on above the models, and those of the last 90 days below them. */
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { REGION_NAMES } from '../../../../shared/region.ts';
import { now } from '../../clock.ts';
import { lastedWords } from '../../format/lasted.ts';
import { Panel } from '../../parts/page.tsx';
import { StateBadge, UtcTime } from '../../parts/shown.tsx';
import { INCIDENT_STATES } from './incident-states.ts';

type IncidentsProps<Shown extends Incident> = Readonly<{
  title: string;
  incidents: readonly Shown[];
  /** The names of models by their ids. */
  names: ReadonlyMap<string, string>;
  /** The buttons of an incident, for operators. */
  actionsOf: (incident: Shown) => ReactNode;
  /** What stands beside the time of an update, for operators. */
  besideOf?: ((update: Shown['updates'][number]) => ReactNode) | undefined;
  /** Shown if there are none. */
  none?: string;
}>;

export function Incidents<Shown extends Incident>({
  title,
  incidents,
  names,
  actionsOf,
  besideOf,
  none,
}: IncidentsProps<Shown>) {
  // The feed links to an incident, which is drawn only after the browser has looked for it.
  const linked = useLocation({ select: ({ hash }) => hash });
  const isHere = incidents.some(({ id }) => id === linked);
  useEffect(() => {
    if (isHere) document.getElementById(linked)?.scrollIntoView();
  }, [linked, isHere]);
  if (incidents.length === 0 && none === undefined) return null;
  return (
    <Panel flush={incidents.length > 0} title={title}>
      {incidents.length === 0 ? (
        <p className="text-sm text-muted">{none}</p>
      ) : (
        <ul className="divide-y divide-line border-t">
          {incidents.map((incident) => (
            <li
              key={incident.id}
              id={incident.id}
              aria-current={incident.id === linked || undefined}
              className="grid scroll-mt-16 gap-3 px-5 py-4 aria-current:bg-accent-soft"
            >
              <IncidentShown
                incident={incident}
                names={names}
                actions={actionsOf(incident)}
                besideOf={besideOf}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type ShownProps<Shown extends Incident> = Readonly<{
  incident: Shown;
  actions?: ReactNode;
  /** In place of the models and regions of the incident. */
  affected?: string;
}> &
  Pick<IncidentsProps<Shown>, 'names' | 'besideOf'>;

/** One incident: what it is, how long it lasted, and its updates, the newest first. */
export function IncidentShown<Shown extends Incident>({
  incident,
  names,
  actions,
  affected = affectedWords(incident, names),
  besideOf,
}: ShownProps<Shown>) {
  return (
    <>
      <Heading incident={incident} affected={affected} actions={actions} />
      <ol className="grid gap-2">
        {incident.updates.map((update: Shown['updates'][number]) => (
          <li
            key={update.created + update.message}
            className="grid gap-0.5 border-l-2 pl-3 text-sm"
          >
            <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
              <span className="font-medium text-ink">{INCIDENT_STATES[update.state].name}</span>
              <UtcTime at={update.created} />
              {besideOf?.(update)}
            </p>
            <p className="wrap-anywhere whitespace-pre-line">{update.message}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** "Began Nov 21, 14:02 UTC and lasted 2 h 5 min", or how long it has lasted so far. */
function Lasted({ created, resolved }: Pick<Incident, 'created' | 'resolved'>) {
  const ms = (resolved === null ? now() : Date.parse(resolved)) - Date.parse(created);
  return (
    <p className="text-xs text-muted">
      Began <UtcTime at={created} /> and {resolved === null ? 'has lasted' : 'lasted'}{' '}
      {lastedWords(Math.max(0, ms))}
      {resolved === null && ' so far'}
    </p>
  );
}

/** "Small, Large · EU": the models and regions that an incident affects. */
export function affectedWords(
  { models, regions }: Pick<Incident, 'models' | 'regions'>,
  names: ReadonlyMap<string, string>,
): string {
  return [
    models.length === 0 ? 'All models' : models.map((id) => names.get(id) ?? id).join(', '),
    regions.length === 0 ? 'all regions' : regions.map((region) => REGION_NAMES[region]).join(', '),
  ].join(' · ');
}

type HeadingProps = Readonly<{ incident: Incident; affected: string; actions: ReactNode }>;

function Heading({ incident, affected, actions }: HeadingProps) {
  const { title, state } = incident;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold wrap-anywhere">
          {title} <StateBadge of={INCIDENT_STATES[state]} />
        </h3>
        <p className="text-xs text-muted">{affected}</p>
        <Lasted {...incident} />
      </div>
      {actions}
    </div>
  );
}
