/** An audit log with its filters and its download: that of an organization, or of the platform. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { DAY_MS } from '../../../../shared/durations.ts';
import { auditCsv, type AuditFilters, auditQuery, type AuditScope } from '../../api/audit.ts';
import { now } from '../../clock.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import type { AuditSearch } from '../../search.ts';
import { Filters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

type AuditLogProps = Readonly<{ scope: AuditScope; title: string; description: string }>;

export function AuditLog({ scope, title, description }: AuditLogProps) {
  const shown: AuditSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const filters = useFilters(scope, shown);
  const { error, data, ...list } = useInfiniteQuery(auditQuery(scope, filters));
  const change = (some: AuditSearch) =>
    void navigate({ to: '.', search: { ...shown, ...some }, replace: true, resetScroll: false });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={title}
      description={description}
      actions={<DownloadLink href={auditCsv(scope, filters)} what="the audit log" />}
    >
      <Filters scope={scope} shown={shown} onChange={change} />
      <Panel flush className="overflow-hidden">
        <LoadedList
          // Entries of other filters must not stay below an error of these.
          list={{ ...list, error, data: error && !list.isFetchNextPageError ? undefined : data }}
          empty={
            <Empty icon={<ScrollText />} title={isFiltered ? 'No matches' : 'No changes yet'}>
              {isFiltered
                ? 'No changes match these filters. Change or clear them.'
                : 'Changes are listed here as they are made.'}
            </Empty>
          }
        >
          {(entries) => <AuditTable entries={entries} withOrganization={scope === null} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

const RANGE_DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;

/** The filters of an address. The beginning of a range stays the same while it is chosen. */
function useFilters(
  scope: AuditScope,
  { kind, actor, range, organization }: AuditSearch,
): AuditFilters {
  const from = useMemo(
    () =>
      range === undefined ? undefined : new Date(now() - RANGE_DAYS[range] * DAY_MS).toISOString(),
    [range],
  );
  const filters: AuditFilters = { action: kind, actor, from };
  return scope === null ? { ...filters, organization } : filters;
}
