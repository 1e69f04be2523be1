import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { keysQuery } from '../../api/keys.ts';
import { organizationQuery } from '../../api/organization.ts';
import { SUMMARY_GROUPS_MAX, summaryQuery } from '../../api/usage.ts';
import { Button } from '../../parts/form/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useOpened } from '../../parts/opened.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { useIsSuspended } from '../../suspension.ts';
import { spanOf } from '../usage/span.ts';
import { useAsOf } from '../usage/use-as-of.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyActDialog } from './key-act-dialog.tsx';
import { KeysList } from './keys-list.tsx';
import { type KeyAct, KeysTable } from './keys-table.tsx';
import { spendLinesOf } from './spend-lines.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { useOverCap } from './use-over-cap.ts';

type OpenDialog = Readonly<{ act: KeyAct; row: Key }> | null;

export default function KeysPage() {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const mayChange = useMay('keys');
  const isSuspended = useIsSuspended();
  // The dialog shows the new key once, so it stays when the time for an operator's changes runs out.
  const [hasBeenAllowed, setBeenAllowed] = useState(mayChange);
  if (mayChange && !hasBeenAllowed) setBeenAllowed(true);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [isCreating, setCreating] = useOpened('create');
  const close = () => setDialog(null);
  const lineOf = useSpendLines();
  const overCap = useOverCap();
  return (
    <Page
      title="API keys"
      description="Keys belong to the organization and keep working after their creator leaves."
      actions={
        mayChange &&
        !isSuspended && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <Plus /> Create key
          </Button>
        )
      }
    >
      <RoleNote permission="keys">You cannot create or change API keys.</RoleNote>
      {isSuspended && (keys.data?.length ?? 0) > 0 && (
        <Notice tone="bad" title="No key works while the organization is suspended">
          Active keys work again when it is resumed.
        </Notice>
      )}
      <Panel flush>
        <Loaded query={keys}>
          {(data) => (
            <KeysList all={data}>
              {(shown) => (
                <KeysTable
                  {...shown}
                  lineOf={lineOf}
                  overCap={overCap}
                  onAct={mayChange ? (act, row) => setDialog({ act, row }) : null}
                />
              )}
            </KeysList>
          )}
        </Loaded>
      </Panel>
      {!isSuspended && <UseKey />}
      {hasBeenAllowed && isCreating && !isSuspended && (
        <CreateKeyDialog onClose={() => setCreating(false)} />
      )}
      {dialog && <KeyActDialog {...dialog} onClose={close} />}
    </Page>
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
