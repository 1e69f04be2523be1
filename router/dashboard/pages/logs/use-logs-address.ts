import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { type LogsSearch, logsSearch } from '../../search.ts';
import { changed, type LogsChange } from './logs-change.ts';

export type LogsAddress = Readonly<{ search: LogsSearch; change: (change: LogsChange) => void }>;

/** The state of the page, which is in the address bar, and a function that changes it. */
export function useLogsAddress(): LogsAddress {
  const search = useSearch({ from: '/signed-in/organization/$organization/logs' });
  const go = useSearchChange(logsSearch, { replaces: false });
  const change = (wanted: LogsChange) => go((before) => changed(before, wanted));
  return { search, change };
}
