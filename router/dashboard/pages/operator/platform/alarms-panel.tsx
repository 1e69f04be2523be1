import type { PlatformStatus } from '../../../../../shared/api/platform.ts';
import { Notice } from '../../../parts/notice.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AlarmList } from './alarm-list.tsx';

type Query = Readonly<{
  data: PlatformStatus | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
}>;

/** What needs an operator's attention, the worst first. */
export function AlarmsPanel({ status }: { status: Query }) {
  if (status.data?.alarms.length === 0) {
    return (
      <Notice tone="good" title="Nothing needs attention">
        No active alarms on any router.
      </Notice>
    );
  }
  return (
    <Panel title="Needs attention" description="As all routers see it.">
      <Loaded query={status}>{({ alarms }) => <AlarmList alarms={alarms} />}</Loaded>
    </Panel>
  );
}
