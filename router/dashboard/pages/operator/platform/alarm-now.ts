/** An alarm of the history as it is now: routers record alarms only once a minute. */
import { ALARM_GAP_MS } from '../../../../../shared/bounds/kept-alarms.ts';
import type { PlatformAlarm, RecordedAlarm } from '../../../../../shared/api/platform.ts';

export type AlarmNow = Pick<RecordedAlarm, 'severity' | 'message'> &
  Readonly<{ state: 'active' | 'just ended' | 'ended' }>;

/** A router of an earlier version does not tell the subject. */
type Recorded = Omit<RecordedAlarm, 'subject'> & Pick<PlatformAlarm, 'subject'>;

/**
 * `active`: the alarms of now; undefined while they are not known. `asOf`: when they were read, in ms
 * since the epoch.
 */
export function alarmNow(
  { kind, subject, severity, message, ended }: Recorded,
  active: readonly PlatformAlarm[] | undefined,
  asOf: number,
): AlarmNow {
  // Routers go on with its record then.
  const mayBeBack = ended === null || asOf - Date.parse(ended) <= ALARM_GAP_MS;
  if (!mayBeBack) return { severity, message, state: 'ended' };
  if (active === undefined) {
    return { severity, message, state: ended === null ? 'active' : 'ended' };
  }
  const now = active.find(
    (one) =>
      one.kind === kind &&
      (subject === undefined || one.subject === undefined || one.subject === subject),
  );
  if (now === undefined) {
    return { severity, message, state: ended === null ? 'just ended' : 'ended' };
  }
  return { severity: now.severity, message: now.message, state: 'active' };
}
