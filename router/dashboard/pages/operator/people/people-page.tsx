/** All people with an account: found, filtered and sorted by the server, for operators. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { UserRoundSearch } from 'lucide-react';
import { peopleCsv, peopleQuery } from '../../../api/platform.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { DownloadLink } from '../../../parts/download-link.tsx';
import { ListBar } from '../../../parts/list/list-bar.tsx';
import { listedInWords } from '../../../parts/list/listed-in-words.ts';
import { LoadedList } from '../../../parts/list/loaded-list.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty } from '../../../parts/states.tsx';
import { peopleSearch } from '../../../operator-search.ts';
import { PeopleTable } from './people-table.tsx';

const ORDERS = [
  { sort: 'created', order: 'desc', name: 'Newest first' },
  { sort: 'created', order: 'asc', name: 'Oldest first' },
  { sort: 'last_sign_in', order: 'desc', name: 'Latest sign-in' },
  { sort: 'last_sign_in', order: 'asc', name: 'Longest without sign-in' },
] as const;

const FILTERS = [
  {
    filter: 'status',
    name: 'Status',
    options: {
      choices: [
        { value: 'active', name: 'Active' },
        { value: 'unconfirmed', name: 'Email not confirmed' },
        { value: 'locked', name: 'Locked' },
      ],
    },
  },
  {
    filter: 'operator',
    name: 'Operator',
    options: {
      choices: [
        { value: 'yes', name: 'Yes' },
        { value: 'no', name: 'No' },
      ],
    },
  },
  {
    filter: 'second_factor',
    name: 'Two-factor',
    options: {
      choices: [
        { value: 'on', name: 'On' },
        { value: 'off', name: 'Off' },
      ],
    },
  },
] as const;

export default function PeoplePage() {
  // Another parameter of the address is not for the API.
  const shown = peopleSearch(useSearch({ strict: false }));
  const { search = '', ...others } = shown;
  const { sort = 'created', order = 'desc' } = others;
  const people = useInfiniteQuery(peopleQuery(search, others));
  const change = useSearchChange(peopleSearch);
  const isNarrowed = FILTERS.some(({ filter }) => shown[filter] !== undefined);
  return (
    <Page
      title="People"
      description="Everyone with an account."
      actions={<DownloadLink href={peopleCsv(shown)} what="these people" size="medium" />}
    >
      <ListBar
        what="people"
        placeholder="Name, email or ID"
        filters={FILTERS}
        sorting={{ sort, order }}
        orders={ORDERS}
        count={listedInWords(people, 'person', 'people')}
        shown={shown}
        onChange={change}
      />
      <Panel flush className="overflow-hidden">
        <LoadedList
          list={people}
          empty={
            <Empty icon={<UserRoundSearch />} title="No matches">
              {isNarrowed
                ? 'Nobody matches these filters. Change or remove them.'
                : 'Search for a part of the name or the email, or for the whole ID.'}
            </Empty>
          }
        >
          {(rows) => <PeopleTable {...{ rows, sort, order }} onSort={change} />}
        </LoadedList>
      </Panel>
    </Page>
  );
}
