/** An alarm of the history as it is now: routers record alarms only once a minute. */
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';

export type AlarmNow = Pick<RecordedAlarm, 'severity' | 'message'> &
  Readonly<{ state: 'active' | 'just ended' | 'ended' }>;

/** A router of an earlier version does not tell the subject. */
type Recorded = Omit<RecordedAlarm, 'subject'> & Pick<PlatformAlarm, 'subject'>;

/** `active`: the alarms of now; undefined while they are not known. */
export function alarmNow(
  { kind, subject, severity, message, ended }: Recorded,
  active: readonly PlatformAlarm[] | undefined,
): AlarmNow {
  if (ended !== null) return { severity, message, state: 'ended' };
  if (active === undefined) return { severity, message, state: 'active' };
  const now = active.find(
    (one) =>
      one.kind === kind &&
      (subject === undefined || one.subject === undefined || one.subject === subject),
  );
  if (now === undefined) return { severity, message, state: 'just ended' };
  return { severity: now.severity, message: now.message, state: 'active' };
}
