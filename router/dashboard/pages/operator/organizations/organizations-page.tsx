/** All organizations with what each has left and spends, searchable and sorted by the server. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Building2 } from 'lucide-react';
import { organizationsQuery } from '../../../api/platform.ts';
import { Select } from '../../../parts/field.tsx';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { type OrganizationsSearch, SEARCH_CHARS_MAX } from '../../../search.ts';
import { OrganizationsTable } from './organizations-table.tsx';
import { SearchBox } from '../../../parts/search-box.tsx';

/** The choices on a phone, where the table has no headings. The first is the default. */
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

export default function OrganizationsPage() {
  const shown: OrganizationsSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const organizations = useInfiniteQuery(organizationsQuery(shown));
  const { search = '', sort = 'created', order = 'desc' } = shown;
  const change = (part: OrganizationsSearch) =>
    void navigate({
      to: '/operator/organizations',
      search: { ...shown, ...part },
      replace: true,
      resetScroll: false,
    });
  return (
    <Page title="Organizations" description="All customers of the platform.">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search organizations"
          placeholder="Name, ID or a member's email"
          charsMax={SEARCH_CHARS_MAX}
          searched={search}
          onSearch={(text) => change({ search: text === '' ? undefined : text })}
        />
        <Select
          aria-label="Sort by"
          className="md:hidden"
          value={`${sort} ${order}`}
          onChange={({ target }) => {
            const chosen = ORDERS[target.selectedIndex] ?? ORDERS[0];
            change({ sort: chosen.sort, order: chosen.order });
          }}
        >
          {ORDERS.map((one) => (
            <option key={one.name} value={`${one.sort} ${one.order}`}>
              {one.name}
            </option>
          ))}
        </Select>
      </div>
      <Panel flush className="overflow-hidden">
        <LoadedList list={organizations} empty={<NoOrganizations searched={search !== ''} />}>
          {(rows) => <OrganizationsTable {...{ rows, sort, order }} onSort={change} />}
        </LoadedList>
      </Panel>
      <p className="text-xs text-muted">
        Spend is what requests were charged today and on the 29 days before (UTC).
      </p>
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
