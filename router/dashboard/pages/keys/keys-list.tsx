import { useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import { KEY_STATE_VALUES, type KeyState } from '../../../../shared/key-states.ts';
import type { Key } from '../../../../shared/api/keys.ts';
import { shownCount } from '../../format/count.ts';
import { ShowMore } from '../../parts/list/loaded-list.tsx';
import { SearchBox } from '../../parts/list/search-box.tsx';
import { SortChoice, type Sorting } from '../../parts/list/sorting.tsx';
import { Empty } from '../../parts/states.tsx';
import { Toggles } from '../../parts/form/toggles.tsx';
import { usePartsShown } from '../../parts/list/use-parts-shown.ts';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import {
  type KeySort,
  type KeysSearch,
  keyStatesFilter,
  keyStatesOf,
  keysSearch,
} from '../../keys-search.ts';
import { useOrganization } from '../../session.tsx';
import { isUseUnwritten, NOT_RECORDED_NOTE } from './last-use.ts';
import { listedKeys } from './listed-keys.ts';
import { KEY_STATES } from './states.ts';

const ORDERS = [
  { name: 'Newest first', sort: 'created', order: 'desc' },
  { name: 'Name', sort: 'name', order: 'asc' },
  { name: 'Last used', sort: 'last_used', order: 'desc' },
  { name: 'Spend this month', sort: 'spend', order: 'desc' },
] as const;

/** How many keys are shown at first, and how many more each time. */
const PART = 25;

export type SortedKeys = Readonly<{
  rows: readonly Key[];
  sorting: Sorting<KeySort>;
  onSort: (wanted: Sorting<KeySort>) => void;
}>;

type KeysListProps = Readonly<{
  all: readonly Key[];
  /** The table of the keys that are shown. */
  children: (shown: SortedKeys) => ReactNode;
}>;

/** The keys that the address asks for: by default all but the revoked, the newest first. */
export function KeysList({ all, children }: KeysListProps) {
  const address: KeysSearch = useSearch({ strict: false });
  const { search = '', sort = 'created', order = 'desc' } = address;
  const change = useSearchChange(keysSearch);
  const organization = useOrganization();
  const [most, showMore] = usePartsShown([organization, 'keys'], PART);
  const states = keyStatesOf(address.state);
  const eligible = all.filter(({ state }) => states.includes(state));
  const sorting = { sort, order };
  const listed = listedKeys(eligible, search, sorting);
  const rows = listed.slice(0, most);
  const hasStates = address.state !== undefined || all.some(({ state }) => state !== 'active');
  return (
    <>
      {all.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 px-5 py-3">
          <SearchBox
            label="Search API keys"
            placeholder="Name or beginning of the key"
            charsMax={SEARCH_CHARS_MAX}
            searched={search}
            onSearch={(text) => change({ search: text === '' ? undefined : text })}
          />
          <SortChoice sorting={sorting} choices={ORDERS} onSort={change} />
          {hasStates && (
            <StateToggles
              all={all}
              chosen={states}
              onChange={(chosen) => change({ state: keyStatesFilter(chosen) })}
            />
          )}
        </div>
      )}
      {rows.length > 0 ? (
        children({ rows, sorting, onSort: change })
      ) : (
        <NoKeys hasKeys={all.length > 0} isSearched={eligible.length > 0} />
      )}
      {rows.some(isUseUnwritten) && (
        <p className="border-t px-5 py-3 text-xs text-muted">“Not recorded”: {NOT_RECORDED_NOTE}</p>
      )}
      {listed.length > most && (
        <ShowMore onMore={showMore}>
          <span className="text-xs text-muted">
            {shownCount(most)} of {shownCount(listed.length)} keys are shown.
          </span>
        </ShowMore>
      )}
    </>
  );
}

type StateTogglesProps = Readonly<{
  all: readonly Key[];
  chosen: readonly KeyState[];
  onChange: (chosen: readonly KeyState[]) => void;
}>;

/** The states, each with the number of its keys. */
function StateToggles({ all, chosen, onChange }: StateTogglesProps) {
  const choices = KEY_STATE_VALUES.map((value) => {
    const count = all.filter(({ state }) => state === value).length;
    return { value, name: `${KEY_STATES[value].name} (${shownCount(count)})` };
  });
  return <Toggles label="Status" chosen={chosen} choices={choices} onChange={onChange} />;
}

type NoKeysProps = Readonly<{ hasKeys: boolean; isSearched: boolean }>;

function NoKeys({ hasKeys, isSearched }: NoKeysProps) {
  if (isSearched) {
    return (
      <Empty icon={<KeyRound />} title="No API keys match this search">
        Search for other words, or clear the search.
      </Empty>
    );
  }
  if (hasKeys) {
    return (
      <Empty icon={<KeyRound />} title="No API keys in these states">
        Choose other states.
      </Empty>
    );
  }
  return (
    <Empty icon={<KeyRound />} title="No API keys yet">
      Use one key per app to cap, revoke and track it separately.
    </Empty>
  );
}
