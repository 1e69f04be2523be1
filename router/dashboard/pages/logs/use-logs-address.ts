import { useNavigate, useSearch } from '@tanstack/react-router';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { changed, type LogsChange } from './logs-change.ts';

export type LogsAddress = Readonly<{ search: LogsSearch; change: (change: LogsChange) => void }>;

/** The state of the page, which is in the address bar, and a function that changes it. */
export function useLogsAddress(): LogsAddress {
  const organization = useOrganization();
  const search = useSearch({ from: '/signed-in/organization/$organization/logs' });
  const navigate = useNavigate();
  const change = (wanted: LogsChange) =>
    void navigate({
      to: '/$organization/logs',
      params: { organization },
      search: changed(search, wanted),
      resetScroll: false,
    });
  return { search, change };
}
