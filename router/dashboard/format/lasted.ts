/** How long something lasted, in the two largest units that matter: `"2 h 5 min"`. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';

/** `"less than a minute"`, `"25 min"`, `"2 h 5 min"`, `"1 day 4 h"`. Nothing is rounded up. */
export function lastedWords(ms: number): string {
  if (ms < MINUTE_MS) return 'less than a minute';
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const parts =
    days > 0
      ? [`${days} ${days === 1 ? 'day' : 'days'}`, hours > 0 && `${hours} h`]
      : [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`];
  return parts.filter((part) => part !== false).join(' ');
}
