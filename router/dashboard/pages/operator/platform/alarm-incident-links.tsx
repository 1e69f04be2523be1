/** The open incidents of what an alarm is about, and the way to report one while there is none. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';
import { openIncidentsQuery } from '../../../api/incidents.ts';
import { statusQuery } from '../../../api/public-figures.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { INCIDENT_STATES } from '../../status/incident-states.ts';
import { incidentsOf, isReported } from './alarm-incidents.ts';
import { draftOf } from './incident-draft.ts';

/** `alarm`: one that customers notice. */
export function AlarmIncidentLinks({ alarm }: { alarm: PlatformAlarm }) {
  const { data, isPending } = useQuery(openIncidentsQuery);
  const offered = useQuery(statusQuery).data?.models.map(({ id }) => id) ?? [];
  if (isPending) return null;
  const open = data?.data ?? [];
  return (
    <>
      {incidentsOf(alarm, open).map(({ id, title, state }) => (
        <Button key={id} asChild size="small">
          <Link to={PAGES.incidents.path} hash={id}>
            <span className="max-w-72 truncate">
              {title} · {INCIDENT_STATES[state].name}
            </span>
          </Link>
        </Button>
      ))}
      {!isReported(alarm, open) && (
        <ForAdministrators>
          <Button asChild size="small">
            <Link to={PAGES.incidents.path} search={draftOf(alarm, offered)}>
              Report an incident
            </Link>
          </Button>
        </ForAdministrators>
      )}
    </>
  );
}
