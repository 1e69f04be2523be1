import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { keysQuery } from '../../api/keys.ts';
import { organizationQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Code } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { EndKeyDialog } from './end-key-dialog.tsx';
import { type KeyAct, KeysTable } from './keys-table.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';

type OpenDialog = Readonly<{ act: KeyAct; row: Key }> | 'create' | null;

export default function KeysPage() {
  const organization = useOrganization();
  const keys = useQuery(keysQuery(organization));
  const mayChange = useMay('keys');
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const close = () => setDialog(null);
  return (
    <Page
      title="API keys"
      description="Keys belong to the organization and keep working after their creator leaves."
      actions={
        mayChange && (
          <Button look="primary" onClick={() => setDialog('create')}>
            <Plus /> Create key
          </Button>
        )
      }
    >
      <RoleNote permission="keys">You cannot create or change API keys.</RoleNote>
      <Panel flush>
        <Loaded query={keys}>
          {(data) =>
            data.length === 0 ? (
              <Empty icon={<KeyRound />} title="No API keys yet">
                Use one key per app to cap, revoke and track it separately.
              </Empty>
            ) : (
              <KeysTable
                rows={data}
                onAct={mayChange ? (act, row) => setDialog({ act, row }) : null}
              />
            )
          }
        </Loaded>
      </Panel>
      <UseKey />
      {dialog === 'create' ? (
        <CreateKeyDialog onClose={close} />
      ) : (
        dialog && <ActDialog {...dialog} onClose={close} />
      )}
    </Page>
  );
}

function ActDialog({ act, row, onClose }: { act: KeyAct; row: Key; onClose: () => void }) {
  if (act === 'edit') return <EditKeyDialog row={row} onClose={onClose} />;
  return <EndKeyDialog row={row} end={act} onClose={onClose} />;
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
