/** The alarms that routers have recorded, with their beginning and end, the latest first. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';
import { alarmListQuery, platformStatusQuery } from '../../../api/platform.ts';
import { lastedWords } from '../../../format/lasted.ts';
import { zoneWords } from '../../../format/time.ts';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { foremost, Table, Td } from '../../../parts/list/table.tsx';
import { useZone } from '../../../zone.ts';
import { Nothing } from '../nothing.tsx';
import { AlertName } from '../runbooks/alert-name.tsx';
import { alarmNow } from './alarm-now.ts';

export function AlarmHistory() {
  const list = useInfiniteQuery(alarmListQuery);
  const { data: status, dataUpdatedAt: asOf } = useQuery(platformStatusQuery);
  return (
    <Panel
      flush
      title="Alarm history"
      description={`Active and past alarms, newest first, ${zoneWords(useZone())}. Routers record alarms once a minute.`}
    >
      <LoadedList list={list} empty={<NoAlarms />}>
        {(alarms) => (
          <Table
            label="Alarm history"
            columns={['Began', { name: 'Alarm', card: 'title' }, foremost('Severity'), 'Lasted']}
          >
            {alarms.map((alarm) => (
              <Row key={alarm.id} alarm={alarm} active={status?.alarms} asOf={asOf} />
            ))}
          </Table>
        )}
      </LoadedList>
    </Panel>
  );
}

/** Alarms are recorded once a minute, so an active one may not be recorded yet. */
function NoAlarms() {
  const active = useQuery(platformStatusQuery).data?.alarms.length ?? 0;
  if (active === 0) return <Nothing flush title="No alarm is recorded" />;
  return (
    <Nothing flush title="No alarm is recorded yet">
      Active alarms are recorded within a minute.
    </Nothing>
  );
}

type RowProps = Readonly<{
  alarm: RecordedAlarm;
  active: readonly PlatformAlarm[] | undefined;
  /** When these were read, in ms since the epoch. */
  asOf: number;
}>;

function Row({ alarm, active, asOf }: RowProps) {
  const { began, ended, runbook } = alarm;
  const { severity, message, state } = alarmNow(alarm, active, asOf);
  return (
    <tr>
      <Td>
        <When at={began} />
      </Td>
      <Td className="min-w-64 whitespace-normal">
        {message}
        {runbook !== null && <AlertName runbook={runbook} />}
      </Td>
      <Td>
        <Badge tone={severity === 'urgent' ? 'bad' : 'warn'}>
          {severity === 'urgent' ? 'Urgent' : 'Warning'}
        </Badge>
      </Td>
      <Td className="whitespace-nowrap">
        {state === 'active' ? (
          <Badge tone={severity === 'urgent' ? 'bad' : 'warn'}>Active</Badge>
        ) : ended === null ? (
          <span className="text-muted">Just ended</span>
        ) : (
          <>
            <span className="block">{lastedWords(Date.parse(ended) - Date.parse(began))}</span>
            <span className="block text-xs text-muted">
              Ended <When at={ended} />
            </span>
          </>
        )}
      </Td>
    </tr>
  );
}
