/** The Logs page keeps its whole state in the address bar. */
import type { LogsSearch } from '../../search.ts';

/** A change of the state. An undefined value removes its entry. */
export type LogsChange = { [Name in keyof LogsSearch]?: LogsSearch[Name] | undefined };

/**
 * Applies a change. A range and two instants exclude each other, and a list that is live goes on up to
 * now.
 */
export function changed(search: LogsSearch, change: LogsChange): LogsSearch {
  const isOtherTime = 'range' in change || 'from' in change;
  const kept: LogsChange = {
    ...search,
    ...((isOtherTime || change.live) && { to: undefined }),
    ...(isOtherTime && { range: undefined, from: undefined }),
    ...('to' in change && { live: undefined }),
  };
  return Object.fromEntries(
    Object.entries({ ...kept, ...change }).filter(([, value]) => value !== undefined),
  );
}
