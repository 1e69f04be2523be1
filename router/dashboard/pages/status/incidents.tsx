/** Incidents: those that go on above the models, and those of the last 90 days below them. */
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Incident } from '../../../../shared/api/incidents.ts';
import { REGION_NAMES } from '../../format/regions.ts';
import { Panel } from '../../parts/page.tsx';
import { StateBadge, type Tone, UtcTime } from '../../parts/shown.tsx';

type State = Incident['state'];

export const INCIDENT_STATES: Readonly<Record<State, Readonly<{ tone: Tone; name: string }>>> = {
  investigating: { tone: 'bad', name: 'Investigating' },
  identified: { tone: 'warn', name: 'Identified' },
  monitoring: { tone: 'accent', name: 'Monitoring' },
  resolved: { tone: 'good', name: 'Resolved' },
};

type IncidentsProps<Shown extends Incident> = Readonly<{
  title: string;
  incidents: readonly Shown[];
  /** The names of models by their ids. */
  names: ReadonlyMap<string, string>;
  /** The buttons of an incident, for operators. */
  actionsOf: (incident: Shown) => ReactNode;
  /** What stands beside the time of an update, for operators. */
  besideOf?: (update: Shown['updates'][number]) => ReactNode;
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
              <Heading incident={incident} names={names} actions={actionsOf(incident)} />
              <ol className="grid gap-2">
                {incident.updates.map((update: Shown['updates'][number]) => (
                  <li
                    key={update.created + update.message}
                    className="grid gap-0.5 border-l-2 pl-3 text-sm"
                  >
                    <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
                      <span className="font-medium text-ink">
                        {INCIDENT_STATES[update.state].name}
                      </span>
                      <UtcTime at={update.created} />
                      {besideOf?.(update)}
                    </p>
                    <p className="wrap-anywhere">{update.message}</p>
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

type HeadingProps = Readonly<{ incident: Incident; actions: ReactNode }> &
  Pick<IncidentsProps<Incident>, 'names'>;

function Heading({ incident, names, actions }: HeadingProps) {
  const { title, state, models, regions } = incident;
  const affected = [
    models.length === 0 ? 'All models' : models.map((id) => names.get(id) ?? id).join(', '),
    regions.length === 0 ? 'all regions' : regions.map((region) => REGION_NAMES[region]).join(', '),
  ].join(' · ');
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold wrap-anywhere">
          {title} <StateBadge of={INCIDENT_STATES[state]} />
        </h3>
        <p className="text-xs text-muted">{affected}</p>
      </div>
      {actions}
    </div>
  );
}
