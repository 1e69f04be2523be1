import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, ShieldOff, Trash2 } from 'lucide-react';
import type { Key } from '../../../../shared/api/keys.ts';
import { shownCount } from '../../format/count.ts';
import { PAGES } from '../../pages.ts';
import { CapsAndLimits } from '../../parts/caps-and-limits.tsx';
import { cx } from '../../parts/class-names.ts';
import { Day } from '../../parts/day.tsx';
import { ActionsMenu, MenuItem, MenuLine } from '../../parts/menu.tsx';
import { opensOnClick } from '../../parts/list/row-click.ts';
import { Money, StateBadge } from '../../parts/shown.tsx';
import { sortedBy } from '../../parts/list/sorting.tsx';
import {
  ACTIONS,
  FLEXIBLE,
  GIVES_WAY,
  numeric,
  Table,
  Td,
  TimeCell,
} from '../../parts/list/table.tsx';
import { useOrganization } from '../../session.tsx';
import type { SortedKeys } from './keys-list.tsx';
import { withoutUse } from './last-use.ts';
import { SpendLine } from './spend-line.tsx';
import type { SpendLine as SpendLineOf } from './spend-lines.ts';
import { CAP_REACHED, type OverCap } from './use-over-cap.ts';
import { creatorOf, KEY_STATES, revokerOf } from './states.ts';

export type KeyEnd = 'revoke' | 'delete';
export type KeyAct = 'edit' | KeyEnd;

type KeysTableProps = SortedKeys &
  Readonly<{
    /** Finds what a key has spent by day. Undefined while that is loading. */
    lineOf: ((key: string) => SpendLineOf | null) | undefined;
    overCap: OverCap;
    /** Null when the reader may not change keys. */
    onAct: ((act: KeyAct, row: Key) => void) | null;
  }>;

export function KeysTable({ rows, lineOf, overCap, onAct, sorting, onSort }: KeysTableProps) {
  const by = sortedBy(sorting, onSort);
  return (
    <Table
      label="API keys"
      columns={[
        { name: 'Name', ...by('name', 'asc') },
        'Status',
        { name: 'Created', ...by('created') },
        { name: 'Last used', ...by('last_used') },
        { ...numeric('This month (UTC)'), ...by('spend') },
        { ...numeric('Last 30 days'), className: GIVES_WAY },
        numeric('Caps and limits'),
        ...(onAct ? [ACTIONS] : []),
      ]}
    >
      {rows.map((row) => (
        <KeyRow key={row.id} row={row} line={lineOf?.(row.id)} overCap={overCap} onAct={onAct} />
      ))}
    </Table>
  );
}

type KeyRowProps = Readonly<{
  row: Key;
  line: SpendLineOf | null | undefined;
  overCap: OverCap;
  onAct: KeysTableProps['onAct'];
}>;

/** Its name is a link to the key's page, which a click anywhere else in the row opens, too. */
function KeyRow({ row, line, overCap, onAct }: KeyRowProps) {
  const organization = useOrganization();
  const navigate = useNavigate();
  const { name, label, state, expires, spend } = row;
  const revoker = revokerOf(row);
  const to = { to: '/$organization/keys/$key', params: { organization, key: row.id } } as const;
  return (
    <tr
      className={cx('cursor-pointer hover:bg-hover', state === 'revoked' && 'text-muted')}
      onClick={opensOnClick(() => void navigate(to))}
    >
      <Td className={cx(FLEXIBLE, 'md:min-w-44')}>
        <Link {...to} className="block truncate font-medium hover:underline" title={name}>
          {name}
        </Link>
        <p className="whole truncate font-mono text-xs text-muted">{label}</p>
      </Td>
      <Td>
        <div className="grid justify-items-start gap-1">
          <StateBadge of={KEY_STATES[state]} />
          <RefusedToday row={row} overCap={overCap} />
          {row.revoked != null && (
            <span className="text-xs text-muted">
              <Day at={row.revoked} />
              {revoker && <> by {revoker.by}</>}
            </span>
          )}
          {state !== 'revoked' && expires !== null && (
            <span className="text-xs whitespace-nowrap text-muted">
              {state === 'expired' ? 'Since' : 'Until'} <Day at={expires} />
            </span>
          )}
        </div>
      </Td>
      <Td className="max-w-40">
        <Day at={row.created} />
        <span className="block truncate text-xs text-muted">by {creatorOf(row).by}</span>
      </Td>
      <TimeCell at={row.last_used} relative never={withoutUse(row)} />
      <Td right className="whitespace-nowrap">
        <Money amount={spend.month} />
        <span className="block text-xs text-muted">
          <Money amount={spend.today} /> today
        </span>
      </Td>
      <Td right className={GIVES_WAY}>
        <SpendLine line={line} />
      </Td>
      <Td right>
        <CapsAndLimits
          monthly={row.monthly_cap}
          daily={row.daily_cap}
          spend={spend}
          warns={state === 'active'}
          limits={row.limits}
          models={row.allowed_models ?? null}
        />
      </Td>
      {onAct && (
        <Td right>
          <KeyMenu row={row} onAct={onAct} />
        </Td>
      )}
    </tr>
  );
}

/** Leads to the requests that the cap of the key has refused today (UTC). */
function RefusedToday({ row, overCap }: Pick<KeyRowProps, 'row' | 'overCap'>) {
  const organization = useOrganization();
  const refused = overCap.refusedOf(row.id);
  if (refused === 0) return null;
  return (
    <Link
      to={PAGES.logs.path}
      params={{ organization }}
      search={{ from: overCap.start, key: row.id, code: CAP_REACHED }}
      className="text-xs whitespace-nowrap text-warn hover:underline"
      title="Refused today (UTC), because they could have cost more than the cap leaves"
    >
      {shownCount(refused)} over the cap today
    </Link>
  );
}

type KeyMenuProps = Readonly<{ row: Key; onAct: (act: KeyAct, row: Key) => void }>;

export function KeyMenu({ row, onAct }: KeyMenuProps) {
  return (
    <ActionsMenu of={row.name}>
      {row.state !== 'revoked' && (
        <>
          <MenuItem onSelect={() => onAct('edit', row)}>
            <Pencil /> Edit
          </MenuItem>
          <MenuLine />
        </>
      )}
      <KeyEndItems row={row} onEnd={(end) => onAct(end, row)} />
    </ActionsMenu>
  );
}

/** The items of a menu that revoke and delete a key. */
export function KeyEndItems({ row, onEnd }: Readonly<{ row: Key; onEnd: (end: KeyEnd) => void }>) {
  return (
    <>
      {row.state !== 'revoked' && (
        <MenuItem danger onSelect={() => onEnd('revoke')}>
          <ShieldOff /> Revoke
        </MenuItem>
      )}
      <MenuItem danger onSelect={() => onEnd('delete')}>
        <Trash2 /> Delete
      </MenuItem>
    </>
  );
}
