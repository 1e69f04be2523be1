/** Failures with the same status and code, as one. */
import type { LogsSearch } from '../../search.ts';
import { type Ended, outcomeOf, refusedAs } from '../usage/outcome.ts';
import { isFailure } from '../usage/outcome-looks.ts';
import { senderOf } from '../usage/sender.ts';
import type { LogRow } from './merge.ts';
import { FAILURE_STATUSES } from './narrowing.ts';

export type FailureGroup = Readonly<{
  outcome: Ended;
  /** The newest first. */
  rows: readonly [LogRow, ...LogRow[]];
  /** Each only once, the newest first; without requests of which it was not read. */
  models: readonly string[];
  /** The names of their keys, each only once, the newest first. */
  senders: readonly string[];
}>;

/**
 * Leaves out requests that did not fail. `rows`, and so the groups by their newest request: the
 * newest first.
 */
export function failureGroups(rows: readonly LogRow[]): FailureGroup[] {
  const failures = rows.filter((row) => isFailure(outcomeOf(endedAs(row)).outcome));
  const groups = Map.groupBy(failures, (row) => outcomeOf(endedAs(row)).text);
  return [...groups.values()].map((alike) => {
    const [newest, ...older] = alike as [LogRow, ...LogRow[]];
    return {
      outcome: endedAs(newest),
      rows: [newest, ...older],
      models: distinct(alike.flatMap(({ entry }) => entry.model ?? [])),
      senders: distinct(alike.map(({ entry }) => senderOf(entry))),
    };
  });
}

export function endedAs(row: LogRow): Ended {
  return row.kind === 'admitted' ? row.entry : refusedAs(row.entry);
}

/** The filter of the logs that shows the group. A failure of an earlier version may have no code. */
export function logsOf({ outcome: { error } }: Pick<FailureGroup, 'outcome'>): LogsSearch {
  return error === null ? { status: FAILURE_STATUSES } : { code: error };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
