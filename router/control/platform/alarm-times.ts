/**
 * Since when an alarm holds that does not know it itself: since it was recorded, or since this router
 * noticed it, which may be up to a minute earlier.
 */
import { ALARM_GAP_MS } from '../../../shared/bounds/kept-alarms.ts';
import { isoInstant } from '../api.ts';
import type { FoundAlarm } from './alarm.ts';
import { keyOfAlarm } from './alarm-log.ts';

export class AlarmTimes {
  #noticed: ReadonlyMap<string, number> = new Map();
  /** When they were noticed last, in ms since the epoch. */
  #at = 0;

  /**
   * Call it with all alarms of now: what is not among them has ended. `recorded`: when the alarms began
   * that have not ended, by their keys; like `now` in ms since the epoch.
   */
  since(
    alarms: readonly FoundAlarm[],
    { recorded, now }: Readonly<{ recorded: ReadonlyMap<string, number>; now: number }>,
  ): FoundAlarm[] {
    // An alarm may have ended since, while this router could not look.
    const before = now - this.#at < ALARM_GAP_MS ? this.#noticed : new Map<string, number>();
    const noticed = new Map(
      alarms.map((alarm) => {
        const key = keyOfAlarm(alarm);
        return [key, Math.min(before.get(key) ?? now, recorded.get(key) ?? now)];
      }),
    );
    this.#noticed = noticed;
    this.#at = now;
    return alarms.map((alarm) => ({
      ...alarm,
      since: alarm.since ?? isoInstant(noticed.get(keyOfAlarm(alarm)) ?? now),
    }));
  }
}
