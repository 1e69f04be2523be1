import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { type ComponentProps, useId, useMemo, useState } from 'react';
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
import { Empty, Loaded } from '../../parts/states.tsx';
import { Switch } from '../../parts/switch.tsx';
import type { KeysSearch } from '../../search.ts';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyActDialog } from './key-act-dialog.tsx';
import { type KeyAct, KeysTable } from './keys-table.tsx';
import { spendLinesOf } from './spend-lines.ts';
import { SnippetTabs } from './snippet-tabs.tsx';

type OpenDialog = Readonly<{ act: KeyAct; row: Key }> | null;

export default function KeysPage() {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const mayChange = useMay('keys');
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
      {mayChange && isCreating && <CreateKeyDialog onClose={() => setCreating(false)} />}
      {dialog && <KeyActDialog {...dialog} onClose={close} />}
    </Page>
  );
}

type ListedKeysProps = Readonly<{ all: readonly Key[] }> &
  Pick<ComponentProps<typeof KeysTable>, 'lineOf' | 'onAct'>;

/** The keys, without the revoked ones unless the address asks for them. */
function ListedKeys({ all, ...rest }: ListedKeysProps) {
  const { revoked }: KeysSearch = useSearch({ strict: false });
  const usable = all.filter(({ state }) => state !== 'revoked');
  const count = all.length - usable.length;
  const shown = revoked === 'shown' ? all : usable;
  return (
    <>
      {count > 0 && <RevokedSwitch count={count} isShown={revoked === 'shown'} />}
      {shown.length > 0 ? (
        <KeysTable rows={shown} {...rest} />
      ) : (
        <Empty icon={<KeyRound />} title={count > 0 ? 'No active API keys' : 'No API keys yet'}>
          Use one key per app to cap, revoke and track it separately.
        </Empty>
      )}
    </>
  );
}

function RevokedSwitch({ count, isShown }: Readonly<{ count: number; isShown: boolean }>) {
  const navigate = useNavigate();
  const id = useId();
  const show = (revoked: boolean) =>
    void navigate({ to: '.', search: revoked ? { revoked: 'shown' } : {}, replace: true });
  return (
    <div className="flex items-center gap-2 px-5 py-2.5 text-sm">
      <label htmlFor={id} className="ml-auto text-muted">
        Show revoked ({shownCount(count)})
      </label>
      <Switch id={id} checked={isShown} onChange={show} />
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
