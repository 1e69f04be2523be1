import { DAY_MS } from '../../../../shared/durations.ts';

/**
 * Says that no activity of a member is known. On the first day after they joined, they probably have
 * not used the organization. Later, too much else may be the reason. `now`: in ms since the epoch.
 */
export function inactiveText(joined: string, now: number): 'Not yet' | 'Not known' {
  return now - Date.parse(joined) < DAY_MS ? 'Not yet' : 'Not known';
}
