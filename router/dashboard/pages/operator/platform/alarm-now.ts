/** An alarm of the history as it is now: routers record alarms only once a minute. */
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';

export type AlarmNow = Pick<RecordedAlarm, 'severity' | 'message'> &
  Readonly<{ state: 'active' | 'just ended' | 'ended' }>;

/** `active`: the alarms of now; undefined while they are not known. */
export function alarmNow(
  { kind, subject, severity, message, ended }: RecordedAlarm,
  active: readonly PlatformAlarm[] | undefined,
): AlarmNow {
  if (ended !== null) return { severity, message, state: 'ended' };
  if (active === undefined) return { severity, message, state: 'active' };
  const now = active.find((one) => one.kind === kind && (one.subject ?? '') === subject);
  if (now === undefined) return { severity, message, state: 'just ended' };
  return { severity: now.severity, message: now.message, state: 'active' };
}
