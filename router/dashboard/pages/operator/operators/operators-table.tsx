import { OPERATOR_ROLE_NAMES } from '../../../../../shared/operator-roles.ts';
import type { Operator } from '../../../../../shared/api/operators.ts';
import { Day } from '../../../parts/day.tsx';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import { Badge, When } from '../../../parts/shown.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ACTIONS, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { useMe } from '../../../session.tsx';
import type { Change } from './operator-dialogs.tsx';
import { PersonLink } from '../people/person-link.tsx';

type OperatorsTableProps = Readonly<{
  rows: readonly Operator[];
  onChange: (change: Change) => void;
}>;

export function OperatorsTable({ rows, onChange }: OperatorsTableProps) {
  const me = useMe();
  return (
    <Table
      label="Operators"
      columns={['Operator', 'Role', 'Since', 'Last seen', 'Two-factor', 'Token', ACTIONS]}
    >
      {rows.map((operator) => (
        <tr key={operator.id}>
          <Td>
            <span className="flex items-center gap-2 whitespace-nowrap">
              <span className="font-medium">
                <PersonLink id={operator.id} name={operator.name} />
              </span>
              {operator.id === me.id && <Badge tone="accent">You</Badge>}
              {operator.locked === true && <Badge tone="bad">Locked</Badge>}
            </span>
            <span className="block text-xs text-muted">{operator.email}</span>
          </Td>
          <Td>{OPERATOR_ROLE_NAMES[operator.role ?? 'administrator']}</Td>
          <Td className="whitespace-nowrap">
            <Day at={operator.created} />
            <span className="block text-xs text-muted">{createdBy(operator)}</span>
          </Td>
          <TimeCell at={operator.last_seen} relative />
          <Td>
            {operator.second_factor ? (
              <Badge tone="good">On</Badge>
            ) : (
              <Badge tone="warn">Off</Badge>
            )}
          </Td>
          <Td className="whitespace-nowrap">
            <TokenOf operator={operator} />
          </Td>
          <Td right>
            <ForAdministrators>
              <ActionsMenu of={operator.email}>
                <MenuItem onSelect={() => onChange({ operator, action: 'change-role' })}>
                  Change role
                </MenuItem>
                <MenuItem onSelect={() => onChange({ operator, action: 'replace-token' })}>
                  {operator.token_created === null ? 'Create token' : 'Replace token'}
                </MenuItem>
                <MenuItem
                  danger
                  disabled={operator.token_created === null}
                  onSelect={() => onChange({ operator, action: 'revoke-token' })}
                >
                  Revoke token
                </MenuItem>
                <MenuItem danger onSelect={() => onChange({ operator, action: 'revoke' })}>
                  Remove operator rights
                </MenuItem>
              </ActionsMenu>
            </ForAdministrators>
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function createdBy({ created_by: by }: Operator): string {
  if (by === null) return 'First start';
  if (by.by === 'command') return 'By penstock operator';
  return `By ${by.name ?? 'a deleted user'}`;
}

function TokenOf({
  operator: { token_created: created, token_last_used: used },
}: {
  operator: Operator;
}) {
  if (created === null) return <span className="text-muted">None</span>;
  return (
    <>
      Created <Day at={created} />
      <span className="block text-xs text-muted">
        {used === null ? (
          'Not used yet'
        ) : (
          <>
            Last used <When at={used} relative />
          </>
        )}
      </span>
    </>
  );
}
