/** When the alarm of a runbook was active last, as the routers have recorded it. */
import { useQuery } from '@tanstack/react-query';
import { ALARM_DAYS } from '../../../../../shared/bounds/kept-alarms.ts';
import { latestAlarmsQuery } from '../../../api/platform.ts';
import { lastedWords } from '../../../format/lasted.ts';
import { When } from '../../../parts/shown.tsx';
import { lastAlarmOf } from './find-runbooks.ts';
import { isWatched } from './runbook-pages.ts';

type LastActiveProps = Readonly<{
  runbook: string;
  /** In a list, only what was active is said, in a few words. */
  isBrief?: boolean;
}>;

/** Nothing is shown of a runbook whose alert only the monitoring knows. */
export function LastActive({ runbook, isBrief = false }: LastActiveProps) {
  const { data: latest } = useQuery(latestAlarmsQuery);
  if (latest === undefined || !isWatched(runbook)) return null;
  const alarm = lastAlarmOf(latest.data, runbook);
  if (alarm === null)
    return isBrief ? null : `No alarm was recorded in the last ${ALARM_DAYS} days.`;
  const { began, ended } = alarm;
  if (ended === null) {
    return (
      <>
        Active since <When at={began} />.
      </>
    );
  }
  if (isBrief) {
    return (
      <>
        Last active <When at={ended} relative />
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
