/** Who changed what in the organization, when, and from where. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { listQuery } from '../../api/lists.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { ALL, AuditFilters, type Filters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

export default function AuditPage() {
  const organization = useOrganization();
  const [{ filters, days }, setShown] = useState({ filters: ALL, days: '' });
  const query = useInfiniteQuery({
    ...listQuery<AuditEntry>(
      ofOrganization(organization, 'audit'),
      `/organizations/${organization}/audit`,
      filters,
    ),
    placeholderData: keepPreviousData,
  });
  const change = (next: Filters, chosen: string) => setShown({ filters: next, days: chosen });
  return (
    <Page
      title="Audit log"
      description="Every change to the organization, newest first. Open a row for details."
    >
      <AuditFilters filters={filters} days={days} onChange={change} />
      <Panel flush className="overflow-hidden [&_thead]:border-t-0">
        <LoadedList
          list={query}
          empty={
            <Empty
              icon={<ScrollText />}
              title="No matches"
              action={<Button onClick={() => change(ALL, '')}>Show all changes</Button>}
            >
              No entries match these filters. Change the filters or show all changes.
            </Empty>
          }
        >
          {(entries) => <AuditTable entries={entries} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}
