/** The alarms about hosts, workers and models. */
import { useQuery } from '@tanstack/react-query';
import type { Agent } from '../../../../../shared/api/agents.ts';
import { platformStatusQuery } from '../../../api/platform.ts';
import type { WorkerRow } from '../../../api/readings.ts';
import { AsOf, outdatedAt } from '../../../parts/as-of.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AllWell } from './all-well.tsx';
import { AlarmList } from '../platform/alarm-list.tsx';

type FleetAlarmsProps = Readonly<{ hosts: readonly Agent[]; workers: readonly WorkerRow[] }>;

export function FleetAlarms({ hosts, workers }: FleetAlarmsProps) {
  const status = useQuery(platformStatusQuery);
  const own = status.data?.alarms.filter(({ page }) => page === 'fleet');
  if (own?.length === 0) {
    return (
      <AsOf at={outdatedAt(status)}>
        <AllWell hosts={hosts} workers={workers}>
          No active alarms about hosts, workers or models.
        </AllWell>
      </AsOf>
    );
  }
  return (
    <Panel
      title="Needs attention"
      description="Alarms about hosts, workers and models, as all routers see them."
    >
      <Loaded query={status}>{() => <AlarmList alarms={own ?? []} isOn="fleet" />}</Loaded>
    </Panel>
  );
}
