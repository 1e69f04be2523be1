/** Figures for alarms, which do not wait for what is read slowly. */
import type { Clock } from '../../../shared/clock.ts';
import { within } from '../../store/deadline.ts';
import type { CachedValue } from '../cached-value.ts';

/** Figures that are not cached come from heavy procedures, for which other alarms do not wait. */
const MS_MAX = 1_000;

/**
 * Returns the last figures if new ones cannot be read within a second, so that an alarm does not end
 * because they are read slowly, and null if there were none. Requests of the pages that show the same
 * figures fail and are logged.
 */
export async function soon<Value>(
  clock: Clock,
  what: string,
  figures: Pick<CachedValue<Value>, 'get' | 'latest'>,
): Promise<Value | null> {
  try {
    return await within(clock, MS_MAX, what, figures.get());
  } catch {
    return figures.latest;
  }
}
