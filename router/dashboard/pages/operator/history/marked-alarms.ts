/** The alarms that charts mark: the recorded ones, and those that are active and not recorded yet. */
import { useQuery } from '@tanstack/react-query';
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';
import type { ChangesTime } from '../../../api/audit.ts';
import { alarmsQuery, platformStatusQuery } from '../../../api/platform.ts';
import type { MarkedAlarm } from './marks.ts';

export function useMarkedAlarms(time: ChangesTime): readonly MarkedAlarm[] {
  const recorded = useQuery(alarmsQuery(time)).data?.data ?? [];
  const active = useQuery(platformStatusQuery).data?.alarms ?? [];
  return markedAlarms(recorded, active);
}

/** Routers record alarms once a minute. */
export function markedAlarms(
  recorded: readonly RecordedAlarm[],
  active: readonly PlatformAlarm[],
): readonly MarkedAlarm[] {
  const isRecorded = ({ kind, subject = '' }: PlatformAlarm) =>
    recorded.some((one) => one.ended === null && one.kind === kind && one.subject === subject);
  const others = active.filter((alarm) => !isRecorded(alarm));
  return [
    ...recorded,
    ...others.flatMap(({ since, routers = [], ...alarm }) =>
      since === undefined || since === null
        ? []
        : [{ ...alarm, routers, began: since, ended: null }],
    ),
  ];
}
