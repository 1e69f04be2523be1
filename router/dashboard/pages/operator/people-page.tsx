/** All people with an account. Operators create links for people who do not receive emails. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { UserRoundSearch } from 'lucide-react';
import { useState } from 'react';
import type { Person, PersonEntry } from '../../../../shared/api/people.ts';
import { peopleQuery } from '../../api/platform.ts';
import { shownCount } from '../../format/count.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../parts/table.tsx';
import { type PeopleSearch, SEARCH_CHARS_MAX } from '../../search.ts';
import { LiftDialog } from './lift-dialog.tsx';
import { LinkDialog, type LinkFor } from './link-dialog.tsx';
import { SearchBox } from './search-box.tsx';

export default function PeoplePage() {
  const { search = '' }: PeopleSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [link, setLink] = useState<LinkFor | null>(null);
  const [lifting, setLifting] = useState<Person | null>(null);
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
          {(rows) => <PeopleTable rows={rows} onLink={setLink} onLift={setLifting} />}
        </LoadedList>
      </Panel>
      {link && <LinkDialog {...link} onClose={() => setLink(null)} />}
      {lifting && <LiftDialog person={lifting} onClose={() => setLifting(null)} />}
    </Page>
  );
}

type PeopleTableProps = Readonly<{
  rows: readonly PersonEntry[];
  onLink: (link: LinkFor) => void;
  onLift: (person: Person) => void;
}>;

function PeopleTable({ rows, onLink, onLift }: PeopleTableProps) {
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
        <tr key={person.id}>
          <Td className="max-w-72">
            <span className="block truncate font-medium">{person.name}</span>
            <span className="block truncate text-xs text-muted">{person.email}</span>
          </Td>
          <Td>
            <span className="flex flex-wrap gap-1">
              {person.email_confirmed ? (
                <Badge tone="good">Active</Badge>
              ) : (
                <Badge tone="warn">Email not confirmed</Badge>
              )}
              {person.operator && <Badge tone="accent">Operator</Badge>}
            </span>
          </Td>
          <Td className="max-w-64">
            <Organizations person={person} />
          </Td>
          <TimeCell at={person.last_sign_in} relative never="Unknown" />
          <Td>{person.second_factor ? 'On' : <span className="text-muted">Off</span>}</Td>
          <TimeCell at={person.created} />
          <Td right>
            <ActionsMenu of={person.email}>
              <MenuItem onSelect={() => onLink({ person, purpose: 'reset-password' })}>
                Create password reset link
              </MenuItem>
              <MenuItem
                disabled={person.email_confirmed}
                onSelect={() => onLink({ person, purpose: 'confirm-email' })}
              >
                Create confirmation link
              </MenuItem>
              <MenuItem danger disabled={!person.second_factor} onSelect={() => onLift(person)}>
                Turn off two-factor authentication
              </MenuItem>
            </ActionsMenu>
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
