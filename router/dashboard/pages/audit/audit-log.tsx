/** An audit log with its filters and its download: that of an organization, or of the platform. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { auditCsv, type AuditFilters, auditQuery, type AuditScope } from '../../api/audit.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { DownloadLink } from '../../parts/download-link.tsx';
import { Filters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

const ALL: AuditFilters = { action: '', actor: '', from: '', organization: '' };

type AuditLogProps = Readonly<{ scope: AuditScope; title: string; description: string }>;

export function AuditLog({ scope, title, description }: AuditLogProps) {
  const [filters, setFilters] = useState(ALL);
  const { error, data, ...list } = useInfiniteQuery(auditQuery(scope, filters));
  const change = (some: Partial<AuditFilters>) => setFilters((before) => ({ ...before, ...some }));
  const isFiltered = Object.values(filters).some((value) => value !== '');
  return (
    <Page
      title={title}
      description={description}
      actions={<DownloadLink href={auditCsv(scope, filters)} what="the audit log" />}
    >
      <Filters scope={scope} filters={filters} onChange={change} />
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
