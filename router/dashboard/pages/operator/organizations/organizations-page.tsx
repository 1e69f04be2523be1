/** All organizations with what each has left and spends: found, filtered and sorted by the server. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Building2, Plus } from 'lucide-react';
import { organizationsCsv, organizationsQuery } from '../../../api/platform.ts';
import { REGION_CHOICES } from '../../../format/regions.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { DownloadLink } from '../../../parts/download-link.tsx';
import { ListBar } from '../../../parts/list/list-bar.tsx';
import { listedInWords } from '../../../parts/list/listed-in-words.ts';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { organizationsSearch } from '../../../operator-search.ts';
import { OrganizationsTable } from './organizations-table.tsx';

const ORDERS = [
  { sort: 'created', order: 'desc', name: 'Newest first' },
  { sort: 'created', order: 'asc', name: 'Oldest first' },
  { sort: 'balance', order: 'desc', name: 'Highest balance' },
  { sort: 'balance', order: 'asc', name: 'Lowest balance' },
  { sort: 'spend', order: 'desc', name: 'Highest spend' },
  { sort: 'spend', order: 'asc', name: 'Lowest spend' },
  { sort: 'last_request', order: 'desc', name: 'Latest request' },
  { sort: 'last_request', order: 'asc', name: 'Longest without requests' },
] as const;

const FILTERS = [
  {
    filter: 'status',
    name: 'Status',
    options: {
      choices: [
        { value: 'active', name: 'Active' },
        { value: 'suspended', name: 'Suspended' },
        { value: 'deleted', name: 'Deleted' },
      ],
    },
  },
  {
    filter: 'credit',
    name: 'Balance',
    options: {
      choices: [
        { value: 'left', name: 'Above $0' },
        { value: 'none', name: '$0 or less' },
      ],
    },
  },
  {
    filter: 'billing',
    name: 'Billing',
    options: {
      choices: [
        { value: 'prepaid', name: 'Prepaid' },
        { value: 'invoiced', name: 'Invoiced' },
      ],
    },
  },
  {
    filter: 'region',
    name: 'Region',
    options: { choices: REGION_CHOICES },
  },
] as const;

export default function OrganizationsPage() {
  // Another parameter of the address is not for the API.
  const shown = organizationsSearch(useSearch({ strict: false }));
  const organizations = useInfiniteQuery(organizationsQuery(shown));
  const { search = '', sort = 'created', order = 'desc' } = shown;
  const change = useSearchChange(organizationsSearch);
  const isNarrowed = FILTERS.some(({ filter }) => shown[filter] !== undefined);
  return (
    <Page
      title="Organizations"
      description="All customers of the platform. Spend is what requests were charged today and on the 29 days before (UTC)."
      actions={
        <>
          <DownloadLink href={organizationsCsv(shown)} what="these organizations" size="medium" />
          <ForAdministrators>
            <Button look="primary" asChild>
              <Link to={PAGES.newCustomer.path}>
                <Plus /> New organization
              </Link>
            </Button>
          </ForAdministrators>
        </>
      }
    >
      <ListBar
        what="organizations"
        placeholder="Name, ID or a member's email"
        filters={FILTERS}
        sorting={{ sort, order }}
        orders={ORDERS}
        count={listedInWords(organizations, 'organization', 'organizations')}
        shown={shown}
        onChange={change}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={organizations}
          empty={<NoOrganizations isSearched={search !== ''} isNarrowed={isNarrowed} />}
        >
          {(rows) => <OrganizationsTable {...{ rows, sort, order }} onSort={change} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

type NoOrganizationsProps = Readonly<{ isSearched: boolean; isNarrowed: boolean }>;

function NoOrganizations({ isSearched, isNarrowed }: NoOrganizationsProps) {
  if (isNarrowed) {
    return (
      <Empty icon={<Building2 />} title="No matches">
        No organization matches these filters. Change or remove them.
      </Empty>
    );
  }
  return (
    <Empty icon={<Building2 />} title={isSearched ? 'No matches' : 'No organizations yet'}>
      {isSearched
        ? "Search for a part of the name, the ID or a member's email."
        : 'Each person who signs up gets an organization.'}
    </Empty>
  );
}
