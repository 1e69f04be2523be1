/**
 * Since when an alarm holds that does not know it itself: since this router noticed it, which is when
 * somebody first asked this router for the alarms.
 */
import type { PlatformAlarm } from '../../../shared/api/platform.ts';
import { isoInstant } from '../api.ts';

export class AlarmTimes {
  #noticed: ReadonlyMap<string, string> = new Map();

  /** Call it with all alarms of now: what is not among them has ended. */
  since(alarms: readonly PlatformAlarm[], now: number): PlatformAlarm[] {
    const noticed = new Map(
      alarms.map((alarm) => {
        const key = keyOf(alarm);
        return [key, this.#noticed.get(key) ?? isoInstant(now)];
      }),
    );
    this.#noticed = noticed;
    return alarms.map((alarm) => ({
      ...alarm,
      since: alarm.since ?? noticed.get(keyOf(alarm)) ?? null,
    }));
  }
}

/** The message has counts and ages, so it is left out where a kind is enough. */
function keyOf({ kind, models = [], message, routers = [] }: PlatformAlarm): string {
  const ofRouter = kind === 'not_ready' || kind === 'store_late';
  return [
    kind,
    ...models,
    ...(kind === 'task_failing' ? [message] : []),
    ...(ofRouter ? routers.map(({ id }) => id) : []),
  ].join(' ');
}
