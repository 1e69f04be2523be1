/** All people with an account, to be searched by operators. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserRoundSearch } from 'lucide-react';
import type { PersonEntry } from '../../../../../shared/api/people.ts';
import { peopleQuery } from '../../../api/platform.ts';
import { shownCount } from '../../../format/count.ts';
import { LoadedList } from '../../../parts/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { opensOnClick } from '../../../parts/row-click.ts';
import { Empty } from '../../../parts/states.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../../parts/table.tsx';
import { type PeopleSearch, SEARCH_CHARS_MAX } from '../../../search.ts';
import { PersonLink } from './person-link.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PersonStatus } from './person-status.tsx';
import { SearchBox } from '../../../parts/search-box.tsx';

export default function PeoplePage() {
  const { search = '' }: PeopleSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const people = useInfiniteQuery(peopleQuery(search));
  return (
    <Page title="People" description="Everyone with an account, newest first.">
      <SearchBox
        label="Search people"
        placeholder="Name, email or ID"
        charsMax={SEARCH_CHARS_MAX}
        searched={search}
        onSearch={(text) => {
          const wanted: PeopleSearch = text === '' ? {} : { search: text };
          void navigate({ to: '/operator/people', search: wanted, replace: true });
        }}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={people}
          empty={
            <Empty icon={<UserRoundSearch />} title="No matches">
              Search for a part of the name or the email, or for the whole ID.
            </Empty>
          }
        >
          {(rows) => <PeopleTable rows={rows} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}

/** The name is a link to the person's page, which a click anywhere else in the row opens, too. */
function PeopleTable({ rows }: { rows: readonly PersonEntry[] }) {
  const navigate = useNavigate();
  const open = (person: string) =>
    void navigate({ to: '/operator/people/$person', params: { person } });
  return (
    <Table
      label="People"
      columns={[
        'Person',
        'Status',
        'Organizations',
        'Last sign-in',
        'Two-factor',
        'Signed up',
        ACTIONS,
      ]}
    >
      {rows.map((person) => (
        <tr
          key={person.id}
          className="cursor-pointer hover:bg-hover"
          onClick={opensOnClick(() => open(person.id))}
        >
          <Td className="max-w-72">
            <span className="block truncate font-medium">
              <PersonLink id={person.id} name={person.name} />
            </span>
            <span className="block truncate text-xs text-muted">{person.email}</span>
          </Td>
          <Td>
            <PersonStatus person={person} />
          </Td>
          <Td className="max-w-64">
            <Organizations person={person} />
          </Td>
          <TimeCell at={person.last_sign_in} relative never="None recorded" />
          <Td>{person.second_factor ? 'On' : <span className="text-muted">Off</span>}</Td>
          <TimeCell at={person.created} />
          <Td right>
            <PersonMenu person={person} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function Organizations({ person }: { person: PersonEntry }) {
  const { organizations, organization_count: count } = person;
  if (count === 0) return <span className="text-muted">None</span>;
  const more = count - organizations.length;
  return (
    <ul>
      {organizations.map(({ id, name, role }) => (
        <li key={id} className="truncate">
          <Link
            to="/operator/organizations/$organization"
            params={{ organization: id }}
            className="hover:underline"
          >
            {name}
          </Link>{' '}
          <span className="text-xs text-muted">{role}</span>
        </li>
      ))}
      {more > 0 && <li className="text-xs text-muted">and {shownCount(more)} more</li>}
    </ul>
  );
}
