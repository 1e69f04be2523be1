/** All people with an account. Operators create links for people who do not receive emails. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { UserRoundSearch } from 'lucide-react';
import { useState } from 'react';
import type { Person } from '../../../../shared/api/people.ts';
import { peopleQuery } from '../../api/platform.ts';
import { LoadedList } from '../../parts/loaded-list.tsx';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Badge } from '../../parts/shown.tsx';
import { Empty } from '../../parts/states.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../parts/table.tsx';
import { LiftDialog } from './lift-dialog.tsx';
import { LinkDialog, type LinkFor } from './link-dialog.tsx';
import { SearchBox } from './search-box.tsx';

export default function PeoplePage() {
  const [search, setSearch] = useState('');
  const [link, setLink] = useState<LinkFor | null>(null);
  const [lifting, setLifting] = useState<Person | null>(null);
  const people = useInfiniteQuery(peopleQuery(search));
  return (
    <Page title="People" description="Everyone who has an account, newest first.">
      <SearchBox
        label="Search people"
        placeholder="Name or email"
        charsMax={100}
        onSearch={setSearch}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={people}
          empty={
            <Empty icon={<UserRoundSearch />} title="No matches">
              Search for a part of the name or the email.
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
  rows: readonly Person[];
  onLink: (link: LinkFor) => void;
  onLift: (person: Person) => void;
}>;

function PeopleTable({ rows, onLink, onLift }: PeopleTableProps) {
  return (
    <Table label="People" columns={['Name', 'Email', 'Two-factor', 'Signed up', ACTIONS]}>
      {rows.map((person) => (
        <tr key={person.id}>
          <Td>
            <span className="flex items-center gap-2 whitespace-nowrap">
              <span className="font-medium">{person.name}</span>
              {person.operator && <Badge tone="accent">Operator</Badge>}
            </span>
          </Td>
          <Td>
            <span className="flex items-center gap-2 whitespace-nowrap">
              {person.email}
              {!person.email_confirmed && <Badge tone="warn">Not confirmed</Badge>}
            </span>
          </Td>
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
