/** The alarms about hosts, workers and models. */
import { useQuery } from '@tanstack/react-query';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import { platformReliabilityQuery, platformStatusQuery } from '../../../api/platform.ts';
import { rowsOf } from '../../../api/readings.ts';
import { outdatedAt } from '../../../parts/as-of.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AllWell } from './all-well.tsx';
import { useAttemptsReads } from './failed-attempts.ts';
import { AlarmList, tintOf } from '../platform/alarm-list.tsx';

export function FleetAlarms() {
  const status = useQuery(platformStatusQuery);
  const fleet = useQuery(fleetQuery);
  const hosts = useQuery(agentsQuery);
  const reliability = useQuery(platformReliabilityQuery);
  const attempts = useAttemptsReads();
  const own = status.data?.alarms.filter(({ page }) => page === 'fleet') ?? [];
  // Without alarms, what is not read yet is waited for.
  const awaited = [fleet, hosts, reliability, ...attempts].find(({ data }) => data === undefined);
  if (status.data && own.length === 0 && fleet.data && hosts.data && !awaited) {
    return (
      <AllWell
        hosts={hosts.data}
        workers={rowsOf(fleet.data)}
        incidents={[]}
        reads={[
          { name: 'alarms', query: status },
          { name: 'workers', query: fleet },
          { name: 'hosts', query: hosts },
          { name: 'availability', query: reliability },
          ...attempts.map((query) => ({ name: 'attempts', query })),
        ]}
      >
        No active alarms about hosts, workers or models.
      </AllWell>
    );
  }
  return (
    <Panel
      title={own.length > 0 ? 'Needs attention' : 'Alarms'}
      description="Alarms about hosts, workers and models, as all routers see them."
      asOf={outdatedAt(status)}
      className={tintOf(own)}
    >
      <Loaded query={status}>
        {() =>
          own.length === 0 && awaited ? (
            <Loaded<unknown> query={awaited}>{() => null}</Loaded>
          ) : (
            <AlarmList alarms={own} isOn="fleet" />
          )
        }
      </Loaded>
    </Panel>
  );
}
