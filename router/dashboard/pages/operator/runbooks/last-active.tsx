/** When the alarm of a runbook was active last, as the routers have recorded it. */
import { useQuery } from '@tanstack/react-query';
import { ALARM_DAYS } from '../../../../../shared/bounds/kept-alarms.ts';
import { latestAlarmsQuery } from '../../../api/platform.ts';
import { lastedWords } from '../../../format/lasted.ts';
import { When } from '../../../parts/shown.tsx';
import { lastAlarmOf } from './find-runbooks.ts';
import { isWatched } from './runbook-pages.ts';

/** Nothing is shown of a runbook whose alert only the monitoring knows. */
export function LastActive({ runbook }: { runbook: string }) {
  const { data: latest } = useQuery(latestAlarmsQuery);
  if (latest === undefined || !isWatched(runbook)) return null;
  const alarm = lastAlarmOf(latest.data, runbook);
  if (alarm === null) return `No alarm was recorded in the last ${ALARM_DAYS} days.`;
  const { began, ended } = alarm;
  if (ended === null) {
    return (
      <>
        Active since <When at={began} />.
      </>
    );
  }
  return (
    <>
      Last active <When at={ended} relative />, for{' '}
      {lastedWords(Date.parse(ended) - Date.parse(began))}.
    </>
  );
}
