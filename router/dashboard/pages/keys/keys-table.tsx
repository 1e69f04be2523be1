import { Pencil, ShieldOff, Trash2 } from 'lucide-react';
import type { Key } from '../../../../shared/api/keys.ts';
import { Caps } from '../../parts/caps.tsx';
import { Day } from '../../parts/day.tsx';
import { ActionsMenu, MenuItem, MenuLine } from '../../parts/menu.tsx';
import { Badge, type Tone } from '../../parts/shown.tsx';
import { ACTIONS, MoneyCell, numeric, Table, Td, TimeCell } from '../../parts/table.tsx';

export type KeyAct = 'edit' | 'revoke' | 'delete';

const TONES: Readonly<Record<Key['state'], Tone>> = {
  active: 'good',
  expired: 'warn',
  revoked: 'neutral',
};
const NAMES: Readonly<Record<Key['state'], string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

type KeysTableProps = Readonly<{
  rows: readonly Key[];
  /** Null when the reader may not change keys. */
  onAct: ((act: KeyAct, row: Key) => void) | null;
}>;

export function KeysTable({ rows, onAct }: KeysTableProps) {
  return (
    <Table
      label="API keys"
      columns={[
        'Name',
        'Status',
        'Created by',
        'Last used',
        numeric('Today (UTC)'),
        numeric('This month (UTC)'),
        numeric('Total'),
        numeric('Caps'),
        ...(onAct ? [ACTIONS] : []),
      ]}
    >
      {rows.map((row) => (
        <KeyRow key={row.id} row={row} onAct={onAct} />
      ))}
    </Table>
  );
}

function KeyRow({ row, onAct }: { row: Key; onAct: KeysTableProps['onAct'] }) {
  const { name, label, state, expires, spend } = row;
  return (
    <tr className={state === 'revoked' ? 'text-muted' : undefined}>
      <Td className="max-w-72 min-w-48">
        <p className="truncate font-medium" title={name}>
          {name}
        </p>
        <p className="truncate font-mono text-xs text-muted">{label}</p>
      </Td>
      <Td>
        <div className="grid justify-items-start gap-1">
          <Badge tone={TONES[state]}>{NAMES[state]}</Badge>
          {state !== 'revoked' && expires !== null && (
            <span className="text-xs whitespace-nowrap text-muted">
              {state === 'expired' ? 'Since' : 'Until'} <Day at={expires} />
            </span>
          )}
        </div>
      </Td>
      <Td className="max-w-40 truncate">{makerOf(row)}</Td>
      <TimeCell at={row.last_used} relative />
      <MoneyCell amount={spend.today} />
      <MoneyCell amount={spend.month} />
      <MoneyCell amount={spend.total} />
      <Td right>
        <Caps
          monthly={row.monthly_cap}
          daily={row.daily_cap}
          spend={spend}
          warns={state === 'active'}
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

function KeyMenu({ row, onAct }: { row: Key; onAct: (act: KeyAct, row: Key) => void }) {
  return (
    <ActionsMenu of={row.name}>
      {row.state !== 'revoked' && (
        <>
          <MenuItem onSelect={() => onAct('edit', row)}>
            <Pencil /> Edit
          </MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => onAct('revoke', row)}>
            <ShieldOff /> Revoke
          </MenuItem>
        </>
      )}
      <MenuItem danger onSelect={() => onAct('delete', row)}>
        <Trash2 /> Delete
      </MenuItem>
    </ActionsMenu>
  );
}

function makerOf({ created_by }: Key): string {
  if (created_by === null) return 'Token or operator';
  return created_by.name ?? 'Deleted user';
}
