/** What the filters of the Logs page mean for its two lists and for its chart of volume. */
import {
  type AdmittedStatus,
  type ListStatuses,
  type RequestStatus,
  statusesOf,
} from '../../../../shared/request-statuses.ts';
import { valuesOf } from '../../search-values.ts';
import { type LogsSearch } from '../../search.ts';
import { FAILURES, OUTCOMES, type Outcome } from '../usage/outcome-looks.ts';

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

/** How admitted requests of each status ended. */
const OUTCOMES_OF: Readonly<Record<AdmittedStatus, readonly Outcome[]>> = {
  failed: ['failed'],
  canceled: ['canceled'],
  '2xx': ['succeeded'],
  '4xx': ['canceled', 'failed'],
  '5xx': ['failed'],
};

/** Which requests the chart of volume counts, and what it has to say about those that it does not. */
export function countable(narrowing: LogNarrowing): Readonly<{
  admitted: boolean;
  refused: boolean;
  /** The outcomes of the requests that it counts. */
  outcomes: readonly Outcome[];
  note: string | null;
}> {
  const { admitted, refused } = listStatuses(narrowing);
  const { code, model } = narrowing;
  const counted = {
    admitted: admitted !== null && code === undefined,
    refused: refused !== null && model === undefined,
  };
  const ended = counted.admitted ? admitted : null;
  const notes = [
    admitted && code && 'Admitted requests are not counted by code. They are listed below.',
    refused && model && 'Refused requests are not counted by model. The latest are listed below.',
    admitted === null && refused === null && 'Refused requests have no member and no source.',
  ].filter(Boolean);
  return {
    ...counted,
    outcomes: OUTCOMES.filter((outcome) =>
      outcome === 'refused'
        ? counted.refused
        : ended?.length === 0 || ended?.some((status) => OUTCOMES_OF[status].includes(outcome)),
    ),
    note: notes.length === 0 ? null : notes.join(' '),
  };
}

/** The filter of status that leaves the requests of one outcome. */
export const STATUS_OF = {
  succeeded: '2xx',
  canceled: 'canceled',
  failed: 'failed',
  refused: 'refused',
} as const satisfies Readonly<Record<Outcome, RequestStatus>>;

/** The filter of status that leaves the failures. */
export const FAILURE_STATUSES = FAILURES.map((outcome) => STATUS_OF[outcome]).join(',');
