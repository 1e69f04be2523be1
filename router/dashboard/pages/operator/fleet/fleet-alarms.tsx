/** The alarms about hosts, workers and models. */
import { useQuery } from '@tanstack/react-query';
import { platformStatusQuery } from '../../../api/platform.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AlarmList } from '../platform/alarm-list.tsx';

export function FleetAlarms() {
  const status = useQuery(platformStatusQuery);
  const own = status.data?.alarms.filter(({ page }) => page === 'fleet');
  if (own?.length === 0) {
    return (
      <Notice tone="good" title="Nothing needs attention">
        No active alarms about hosts, workers or models.
      </Notice>
    );
  }
  return (
    <Panel
      title="Needs attention"
      description="Alarms about hosts, workers and models, as all routers see them."
    >
      <Loaded query={status}>{() => <AlarmList alarms={own ?? []} />}</Loaded>
    </Panel>
  );
}
