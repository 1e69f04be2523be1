/** Who changed what in the organization, when, and from where. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import { listQuery, rowsOf } from '../../api/lists.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { More } from '../../parts/table.tsx';
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
        <Loaded query={query}>
          {(data) => {
            const entries = rowsOf(data);
            if (entries.length === 0) {
              return (
                <Empty
                  icon={<ScrollText />}
                  title="No matches"
                  action={<Button onClick={() => change(ALL, '')}>Show all changes</Button>}
                >
                  No entries match these filters. Change the filters or show all changes.
                </Empty>
              );
            }
            return <AuditTable entries={entries} />;
          }}
        </Loaded>
        <More list={query} />
      </Panel>
    </Page>
  );
}
