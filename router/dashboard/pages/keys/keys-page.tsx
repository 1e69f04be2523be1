import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { type ComponentProps, useId, useMemo, useState } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import type { Key } from '../../../../shared/api/keys.ts';
import { keysQuery } from '../../api/keys.ts';
import { organizationQuery } from '../../api/organization.ts';
import { SUMMARY_GROUPS_MAX, summaryQuery } from '../../api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useOpened } from '../../parts/opened.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { SortChoice } from '../../parts/sorting.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useSearchChange } from '../../parts/use-search-change.ts';
import { type KeysSearch, keysSearch } from '../../search.ts';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyActDialog } from './key-act-dialog.tsx';
import { type KeyAct, KeysTable } from './keys-table.tsx';
import { listedKeys } from './listed-keys.ts';
import { spendLinesOf } from './spend-lines.ts';
import { SnippetTabs } from './snippet-tabs.tsx';

type OpenDialog = Readonly<{ act: KeyAct; row: Key }> | null;

export default function KeysPage() {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const mayChange = useMay('keys');
  // The dialog shows the new key once, so it stays when the time for an operator's changes runs out.
  const [hasBeenAllowed, setBeenAllowed] = useState(mayChange);
  if (mayChange && !hasBeenAllowed) setBeenAllowed(true);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [isCreating, setCreating] = useOpened('create');
  const close = () => setDialog(null);
  const lineOf = useSpendLines();
  return (
    <Page
      title="API keys"
      description="Keys belong to the organization and keep working after their creator leaves."
      actions={
        mayChange && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus /> Create key
          </Button>
        )
      }
    >
      <RoleNote permission="keys">You cannot create or change API keys.</RoleNote>
      <Panel flush>
        <Loaded query={keys}>
          {(data) => (
            <ListedKeys
              all={data}
              lineOf={lineOf}
              onAct={mayChange ? (act, row) => setDialog({ act, row }) : null}
            />
          )}
        </Loaded>
      </Panel>
      <UseKey />
      {hasBeenAllowed && isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {dialog && <KeyActDialog {...dialog} onClose={close} />}
    </Page>
  );
}

const ORDERS = [
  { name: 'Newest first', sort: 'created', order: 'desc' },
  { name: 'Name', sort: 'name', order: 'asc' },
  { name: 'Last used', sort: 'last_used', order: 'desc' },
  { name: 'Spend this month', sort: 'spend', order: 'desc' },
] as const;

type ListedKeysProps = Readonly<{ all: readonly Key[] }> &
  Pick<ComponentProps<typeof KeysTable>, 'lineOf' | 'onAct'>;

/** The keys that the address asks for: by default all but the revoked, the newest first. */
function ListedKeys({ all, ...rest }: ListedKeysProps) {
  const address: KeysSearch = useSearch({ strict: false });
  const { revoked, search = '', sort = 'created', order = 'desc' } = address;
  const change = useSearchChange(keysSearch);
  const usable = all.filter(({ state }) => state !== 'revoked');
  const count = all.length - usable.length;
  const eligible = revoked === 'shown' ? all : usable;
  const sorting = { sort, order };
  const shown = listedKeys(eligible, search, sorting);
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
          {count > 0 && (
            <RevokedSwitch
              count={count}
              isShown={revoked === 'shown'}
              onChange={(isShown) => change({ revoked: isShown ? 'shown' : undefined })}
            />
          )}
        </div>
      )}
      {shown.length > 0 ? (
        <KeysTable rows={shown} sorting={sorting} onSort={change} {...rest} />
      ) : eligible.length > 0 ? (
        <Empty icon={<KeyRound />} title="No API keys match this search">
          Search for other words, or clear the search.
        </Empty>
      ) : (
        <Empty icon={<KeyRound />} title={count > 0 ? 'No active API keys' : 'No API keys yet'}>
          Use one key per app to cap, revoke and track it separately.
        </Empty>
      )}
    </>
  );
}

type RevokedSwitchProps = Readonly<{
  count: number;
  isShown: boolean;
  onChange: (isShown: boolean) => void;
}>;

function RevokedSwitch({ count, isShown, onChange }: RevokedSwitchProps) {
  const id = useId();
  return (
    <div className="ml-auto flex items-center gap-2 text-sm">
      <label htmlFor={id} className="text-muted">
        Show revoked ({shownCount(count)})
      </label>
      <Switch id={id} checked={isShown} onChange={onChange} />
    </div>
  );
}

/** Undefined while the summary is loading, and without it, since the list does not depend on it. */
function useSpendLines() {
  const [asOf] = useAsOf();
  const { start } = spanOf({ range: '30d' }, asOf);
  const asked = {
    start,
    bucket: 'day',
    group_by: 'key',
    groups: SUMMARY_GROUPS_MAX,
    source: ['api'],
  };
  const { data } = useQuery(summaryQuery(useOrganization(), asked));
  return useMemo(() => data && spendLinesOf(data), [data]);
}

/** The base URL and examples of requests with a key. */
function UseKey() {
  const organization = useQuery(organizationQuery(useOrganization()));
  const baseUrl = organization.data?.base_url ?? null;
  return (
    <Panel
      title="Use a key"
      description="Any OpenAI client works. Set its base URL and API key."
      actions={
        baseUrl !== null && (
          <span className="flex min-w-0 items-center gap-1">
            <Code>{baseUrl}</Code>
            <CopyButton text={baseUrl} what="the base URL" />
          </span>
        )
      }
    >
      <SnippetTabs made={null} />
    </Panel>
  );
}
