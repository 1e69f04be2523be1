import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { OpenIncident } from '../../../../../shared/api/incidents.ts';
import type { PlatformStatus } from '../../../../../shared/api/platform.ts';
import { openIncidentsQuery } from '../../../api/incidents.ts';
import { type FleetReadings, rowsOf } from '../../../api/readings.ts';
import { PAGES } from '../../../pages.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AllWell } from '../fleet/all-well.tsx';
import { AlarmList } from './alarm-list.tsx';

type AlarmsProps = Readonly<{
  status: UseQueryResult<PlatformStatus>;
  fleet: UseQueryResult<FleetReadings>;
  hosts: UseQueryResult<readonly Agent[]>;
}>;

/** What needs an operator's attention, the worst first. */
export function AlarmsPanel({ status, fleet, hosts }: AlarmsProps) {
  const incidents = useQuery(openIncidentsQuery).data?.data ?? [];
  if (status.data?.alarms.length === 0) {
    if (incidents.length > 0) return <NoAlarms incidents={incidents} />;
    return (
      <AllWell
        hosts={hosts.data ?? []}
        workers={fleet.data ? rowsOf(fleet.data) : []}
        outdated={outdatedAt(status, fleet, hosts)}
      >
        No active alarms on any router.
      </AllWell>
    );
  }
  return (
    <Panel
      title={status.data ? 'Needs attention' : 'Alarms'}
      description="As all routers see it."
      asOf={outdatedAt(status)}
    >
      <Loaded query={status}>{({ alarms }) => <AlarmList alarms={alarms} />}</Loaded>
    </Panel>
  );
}

/** No router has an alarm, but customers are told of incidents. */
function NoAlarms({ incidents }: Readonly<{ incidents: readonly OpenIncident[] }>) {
  return (
    <Notice tone="warn" title="No active alarms, but open incidents">
      <ul className="grid gap-0.5">
        {incidents.map(({ id, title }) => (
          <li key={id}>
            <Link to={PAGES.incidents.path} className="underline">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
