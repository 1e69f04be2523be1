/** One key: its state, what it may spend and has spent, its usage, and what failed lately. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { KeyRound, Pencil } from 'lucide-react';
import { useState } from 'react';
import type { Key } from '../../../../shared/api/keys.ts';
import { ApiError } from '../../api/client.ts';
import { keyQuery } from '../../api/keys.ts';
import { PAGES } from '../../pages.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Button } from '../../parts/form/button.tsx';
import { useOpened } from '../../parts/opened.ts';
import { ActionsMenu } from '../../parts/menu.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Code, StateBadge } from '../../parts/shown.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { LatestFailures } from '../logs/latest-failures.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { EndKeyDialog } from './end-key-dialog.tsx';
import { KeyDetails, KeyFigures } from './key-details.tsx';
import { KeyUsage } from './key-usage.tsx';
import { type KeyEnd, KeyEndItems } from './keys-table.tsx';
import { isUseAwaited } from './last-use.ts';
import { KEY_STATES } from './states.ts';

/** How soon the page asks again for a last use that is not written yet. */
const AGAIN_MS = 3_000;

export default function KeyPage() {
  const organization = useOrganization();
  const { key: id } = useParams({ from: '/signed-in/organization/$organization/keys/$key' });
  const queries = useQueryClient();
  const ofKey = keyQuery(organization, id);
  const query = useQuery({
    ...ofKey,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && isUseAwaited(data, dataUpdateCount) ? AGAIN_MS : false,
    // The last of the tries changes only how many there were.
    notifyOnChangeProps: 'all',
  });
  const loads = queries.getQueryState(ofKey.queryKey)?.dataUpdateCount ?? 0;
  const isUnknown = query.error instanceof ApiError && [400, 404].includes(query.error.status);
  const { data } = query;
  return (
    <Page
      title={data?.name ?? 'API key'}
      description={
        data && (
          <span className="flex flex-wrap items-center gap-2">
            <StateBadge of={KEY_STATES[data.state]} />
            <Code>{data.label}</Code>
          </span>
        )
      }
      back={
        <BackLink to={PAGES.keys.path} params={{ organization }}>
          API keys
        </BackLink>
      }
      actions={
        <>
          {data && <Links id={id} />}
          {data && <Actions row={data} />}
        </>
      }
    >
      {isUnknown ? (
        <Panel>
          <Empty icon={<KeyRound />} title="Key not found">
            The key may have been deleted, or may belong to another organization. The usage of a
            deleted key stays under its name on the page of usage.
          </Empty>
        </Panel>
      ) : (
        <Loaded query={query}>
          {(row) => (
            <>
              <KeyFigures row={row} isUseAwaited={isUseAwaited(row, loads)} />
              <KeyUsage row={row} />
              <KeyDetails row={row} />
              <LatestFailures apiKey={row.id} />
            </>
          )}
        </Loaded>
      )}
    </Page>
  );
}

function Links({ id }: { id: string }) {
  const organization = useOrganization();
  return (
    <>
      <Button asChild>
        <Link to={PAGES.usage.path} params={{ organization }} search={{ key: id }}>
          Usage of this key
        </Link>
      </Button>
      <Button asChild>
        <Link to={PAGES.logs.path} params={{ organization }} search={{ key: id }}>
          Requests of this key
        </Link>
      </Button>
    </>
  );
}

function Actions({ row }: { row: Key }) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const [end, setEnd] = useState<KeyEnd | null>(null);
  const [isEditing, setEditing] = useOpened('edit');
  if (!useMay('keys')) return null;
  const isEditable = row.state !== 'revoked';
  return (
    <>
      {isEditable && (
        <Button onClick={() => setEditing(true)}>
          <Pencil /> Edit
        </Button>
      )}
      <ActionsMenu of={row.name}>
        <KeyEndItems row={row} onEnd={setEnd} />
      </ActionsMenu>
      {isEditable && isEditing && <EditKeyDialog row={row} onClose={() => setEditing(false)} />}
      {end !== null && (
        <EndKeyDialog
          end={end}
          row={row}
          onClose={() => setEnd(null)}
          onEnded={() => {
            if (end !== 'delete') return;
            void navigate({ to: PAGES.keys.path, params: { organization } });
          }}
        />
      )}
    </>
  );
}
