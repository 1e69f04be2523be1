/** What the filters of the Logs page mean for its two lists and for its chart of volume. */
import {
  type ListStatuses,
  type RequestStatus,
  statusesOf,
} from '../../../../shared/request-statuses.ts';
import { valuesOf } from '../../search-values.ts';
import { type LogsSearch } from '../../search.ts';

export const LOG_FILTERS = ['status', 'code', 'key', 'model', 'member', 'source'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

/** The values of each filter. One without values is left out. */
export type LogNarrowing = Readonly<Partial<Record<LogFilter, readonly string[]>>>;

export function narrowingOf(search: LogsSearch): LogNarrowing {
  return Object.fromEntries(
    LOG_FILTERS.map((filter) => [filter, valuesOf(search[filter])] as const).filter(
      ([, values]) => values.length > 0,
    ),
  );
}

/** The statuses of both lists. Refused requests have no member and no source. */
export function listStatuses({ status = [], member, source }: LogNarrowing): ListStatuses {
  const { admitted, refused } = statusesOf(status as readonly RequestStatus[]);
  return { admitted, refused: (member ?? source) ? null : refused };
}

/** Which requests the chart of volume counts, and what it has to say about those that it does not. */
export function countable(narrowing: LogNarrowing): Readonly<{
  admitted: boolean;
  refused: boolean;
  note: string | null;
}> {
  const { admitted, refused } = listStatuses(narrowing);
  const { code, model } = narrowing;
  const notes = [
    code && admitted && 'Admitted requests are not counted by code.',
    model && refused && 'Refused requests are not counted by model.',
  ].filter(Boolean);
  return {
    admitted: admitted !== null && code === undefined,
    refused: refused !== null && model === undefined,
    note: notes.length === 0 ? null : notes.join(' '),
  };
}
