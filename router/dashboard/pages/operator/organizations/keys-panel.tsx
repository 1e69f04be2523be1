import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Key } from '../../../../../shared/api/keys.ts';
import type { RefusalCounts } from '../../../../../shared/api/refusals.ts';
import { keysQuery } from '../../../api/keys.ts';
import { refusalCountsQuery } from '../../../api/refusals.ts';
import { shownCount } from '../../../format/count.ts';
import { PAGES } from '../../../pages.ts';
import { CapsAndLimits } from '../../../parts/caps-and-limits.tsx';
import { Day } from '../../../parts/day.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Money, StateBadge } from '../../../parts/shown.tsx';
import { sortedBy } from '../../../parts/list/sorting.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { ACTIONS, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { useMay } from '../../../session.tsx';
import { KeyActDialog } from '../../keys/key-act-dialog.tsx';
import { KeysList, type SortedKeys } from '../../keys/keys-list.tsx';
import { type KeyAct, KeyMenu } from '../../keys/keys-table.tsx';
import { withoutUse } from '../../keys/last-use.ts';
import { creatorOf, KEY_STATES, revokerOf } from '../../keys/states.ts';
import { spanOf } from '../../usage/span.ts';
import { useAsOf } from '../../usage/use-as-of.ts';
import { Nothing } from '../nothing.tsx';

type Acting = Readonly<{ act: KeyAct; row: Key }>;

/** The organization's API keys, which an operator who has allowed changes can end. */
export function KeysPanel({ organization }: { organization: string }) {
  const keys = useQuery(keysQuery(organization));
  const [asOf] = useAsOf();
  const mayChange = useMay('keys');
  const [acting, setActing] = useState<Acting | null>(null);
  const { start } = spanOf({ range: '24h' }, asOf);
  const refusals = useQuery(
    refusalCountsQuery(organization, { bucket: 'hour', group_by: 'key', start }),
  );
  return (
    <Panel title="API keys" flush className="overflow-hidden">
      <Loaded query={keys}>
        {(all) =>
          all.length === 0 ? (
            <Nothing flush title="No API keys yet" />
          ) : (
            <KeysList all={all}>
              {(shown) => (
                <KeysTable
                  {...shown}
                  organization={organization}
                  refusals={refusals.data}
                  onAct={mayChange ? (act, row) => setActing({ act, row }) : null}
                />
              )}
            </KeysList>
          )
        }
      </Loaded>
      {acting && <KeyActDialog {...acting} onClose={() => setActing(null)} />}
    </Panel>
  );
}

type KeysTableProps = SortedKeys &
  Readonly<{
    organization: string;
    refusals: RefusalCounts | undefined;
    /** Null when the operator has not allowed changes. */
    onAct: ((act: KeyAct, row: Key) => void) | null;
  }>;

function KeysTable({ rows, sorting, onSort, organization, refusals, onAct }: KeysTableProps) {
  const by = sortedBy(sorting, onSort);
  return (
    <Table
      label="API keys"
      columns={[
        { name: 'Name', ...by('name', 'asc') },
        'Status',
        { name: 'Created', ...by('created') },
        { name: 'Last used', ...by('last_used') },
        numeric('Refused, 24 h'),
        { ...numeric('This month (UTC)'), ...by('spend') },
        numeric('Caps and limits'),
        ...(onAct ? [ACTIONS] : []),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <Td className="max-w-40 min-w-32">
            <Link
              to="/$organization/keys/$key"
              params={{ organization, key: row.id }}
              className="block truncate font-medium hover:underline"
              title={row.name}
            >
              {row.name}
            </Link>
            <p className="whole truncate font-mono text-xs text-muted">{row.label}</p>
          </Td>
          <Td>
            <div className="grid justify-items-start gap-1">
              <StateBadge of={KEY_STATES[row.state]} />
              <Ends row={row} />
            </div>
          </Td>
          <Td className="max-w-40">
            <Day at={row.created} />
            <span className="block truncate text-xs text-muted">by {creatorOf(row).by}</span>
          </Td>
          <TimeCell at={row.last_used} relative never={withoutUse(row)} />
          <Td right>
            <Refused organization={organization} apiKey={row.id} counts={refusals} />
          </Td>
          <Td right className="whitespace-nowrap">
            <Money amount={row.spend.month} />
            <span className="block text-xs text-muted">
              <Money amount={row.spend.today} /> today
            </span>
          </Td>
          <Td right>
            <CapsAndLimits
              monthly={row.monthly_cap}
              daily={row.daily_cap}
              spend={row.spend}
              warns={row.state === 'active'}
              limits={row.limits}
              models={row.allowed_models ?? null}
            />
          </Td>
          {onAct && (
            <Td right>
              <KeyMenu row={row} onAct={(act) => onAct(act, row)} />
            </Td>
          )}
        </tr>
      ))}
    </Table>
  );
}

/** When the key was revoked and by whom, or when it expires. */
function Ends({ row }: { row: Key }) {
  const { state, expires, revoked = null } = row;
  const revoker = revokerOf(row);
  if (revoked !== null) {
    return (
      <span className="block text-xs text-muted">
        <Day at={revoked} />
        {revoker && <> by {revoker.by}</>}
      </span>
    );
  }
  if (state === 'revoked' || expires === null) return null;
  return (
    <span className="block text-xs whitespace-nowrap text-muted">
      {state === 'expired' ? 'Since' : 'Until'} <Day at={expires} />
    </span>
  );
}

type RefusedProps = Readonly<{
  organization: string;
  apiKey: string;
  counts: RefusalCounts | undefined;
}>;

/** How many requests of a key were refused, with a link to them. */
function Refused({ organization, apiKey, counts }: RefusedProps) {
  if (counts === undefined) return '–';
  const count = counts.groups.find(({ group }) => group === apiKey)?.count ?? 0;
  if (count === 0) return '0';
  return (
    <Link
      to={PAGES.logs.path}
      params={{ organization }}
      search={{ status: 'refused', key: apiKey, range: '24h' }}
      className="underline-offset-4 hover:underline"
    >
      {shownCount(count)}
    </Link>
  );
}
