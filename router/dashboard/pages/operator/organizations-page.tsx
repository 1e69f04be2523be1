/** All organizations, searchable by name, id or a member's email address. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { organizationsQuery } from '../../api/platform.ts';
import { shownCount } from '../../format/count.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge, Code } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { numeric, Table, Td, TimeCell } from '../../parts/table.tsx';
import { SearchBox } from './search-box.tsx';

export default function OrganizationsPage() {
  const [search, setSearch] = useState('');
  const organizations = useInfiniteQuery(organizationsQuery(search));
  return (
    <Page title="Organizations" description="Every customer of the platform, newest first.">
      <SearchBox
        label="Search organizations"
        placeholder="Name, ID or a member's email"
        charsMax={200}
        onSearch={setSearch}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList list={organizations} empty={<NoOrganizations searched={search !== ''} />}>
          {(rows) => <OrganizationsTable rows={rows} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

function NoOrganizations({ searched }: { searched: boolean }) {
  return (
    <Empty icon={<Building2 />} title={searched ? 'No matches' : 'No organizations yet'}>
      {searched
        ? "Search for a part of the name, the ID or a member's email."
        : 'Each person who signs up gets an organization.'}
    </Empty>
  );
}

function OrganizationsTable({ rows }: { rows: readonly Organization[] }) {
  return (
    <Table
      label="Organizations"
      columns={['Organization', 'Region', 'Status', 'Billing', numeric('Members'), 'Created']}
    >
      {rows.map((row) => (
        <tr key={row.id} className="hover:bg-hover/50">
          <Td className="max-w-80 whitespace-nowrap">
            <Link
              to="/operator/organizations/$organization"
              params={{ organization: row.id }}
              className="block truncate font-medium hover:underline"
            >
              {row.name}
            </Link>
            <Code>{row.id}</Code>
          </Td>
          <Td>{row.region}</Td>
          <Td>
            <Standing organization={row} />
          </Td>
          <Td>{row.billing.type}</Td>
          <Td right>{shownCount(row.members)}</Td>
          <TimeCell at={row.created} />
        </tr>
      ))}
    </Table>
  );
}

export function Standing({ organization: { deleted, status } }: { organization: Organization }) {
  if (deleted !== null) return <Badge>Deleted</Badge>;
  if (status === 'suspended') return <Badge tone="bad">Suspended</Badge>;
  return <Badge tone="good">Active</Badge>;
}
