import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../../shared/api/agents.ts';
import type { PlatformStatus } from '../../../../../shared/api/platform.ts';
import { openIncidentsQuery } from '../../../api/incidents.ts';
import { platformReliabilityQuery } from '../../../api/platform.ts';
import { type FleetReadings, rowsOf } from '../../../api/readings.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AllWell, OpenIncidents } from '../fleet/all-well.tsx';
import { useAttemptsReads } from '../fleet/failed-attempts.ts';
import { AlarmList, tintOf } from './alarm-list.tsx';

type AlarmsProps = Readonly<{
  status: UseQueryResult<PlatformStatus>;
  fleet: UseQueryResult<FleetReadings>;
  hosts: UseQueryResult<readonly Agent[]>;
}>;

/** What needs an operator's attention, the worst first. */
export function AlarmsPanel({ status, fleet, hosts }: AlarmsProps) {
  const incidents = useQuery(openIncidentsQuery);
  const reliability = useQuery(platformReliabilityQuery);
  const attempts = useAttemptsReads();
  const isWithout = status.data?.alarms.length === 0;
  // Without alarms, what is not read yet is waited for.
  const awaited = [fleet, hosts, incidents, reliability, ...attempts].find(
    ({ data }) => data === undefined,
  );
  if (isWithout && fleet.data && hosts.data && incidents.data && !awaited) {
    return (
      <AllWell
        hosts={hosts.data}
        workers={rowsOf(fleet.data)}
        incidents={incidents.data.data}
        reads={[
          { name: 'alarms', query: status },
          { name: 'workers', query: fleet },
          { name: 'hosts', query: hosts },
          { name: 'incidents', query: incidents },
          { name: 'availability', query: reliability },
          ...attempts.map((query) => ({ name: 'attempts', query })),
        ]}
      >
        No active alarms on any router.
      </AllWell>
    );
  }
  return (
    <>
      <Panel
        title={status.data && !isWithout ? 'Needs attention' : 'Alarms'}
        description="As all routers see it."
        asOf={outdatedAt(status)}
        className={tintOf(status.data?.alarms ?? [])}
      >
        <Loaded query={status}>
          {({ alarms }) =>
            alarms.length === 0 && awaited ? (
              <Loaded<unknown> query={awaited}>{() => null}</Loaded>
            ) : (
              <AlarmList alarms={alarms} />
            )
          }
        </Loaded>
      </Panel>
      <OpenIncidents incidents={incidents.data?.data ?? []} />
    </>
  );
}
