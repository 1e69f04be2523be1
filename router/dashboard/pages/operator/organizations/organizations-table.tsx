import { Link, useNavigate } from '@tanstack/react-router';
import type { Organization, OrganizationEntry } from '../../../../../shared/api/organizations.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { shownCount } from '../../../format/count.ts';
import { cx } from '../../../parts/class-names.ts';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { Badge, Code } from '../../../parts/shown.tsx';
import { sortedBy } from '../../../parts/list/sorting.tsx';
import {
  ACTIONS,
  foremost,
  MoneyCell,
  numeric,
  Table,
  Td,
  TimeCell,
} from '../../../parts/list/table.tsx';
import { OrganizationMenu } from './organization-menu.tsx';
import type { OrganizationsSearch } from '../../../operator-search.ts';

type Sort = NonNullable<OrganizationsSearch['sort']>;
type Order = NonNullable<OrganizationsSearch['order']>;

type TableProps = Readonly<{
  rows: readonly OrganizationEntry[];
  sort: Sort;
  order: Order;
  onSort: (wanted: Readonly<{ sort: Sort; order: Order }>) => void;
}>;

export function OrganizationsTable({ rows, sort, order, onSort }: TableProps) {
  const sorted = sortedBy({ sort, order }, onSort);
  const navigate = useNavigate();
  const open = (organization: string) =>
    void navigate({ to: '/operator/organizations/$organization', params: { organization } });
  return (
    <Table
      label="Organizations"
      columns={[
        'Organization',
        foremost('Status'),
        'Region',
        numeric('Members'),
        { ...numeric('Balance'), ...sorted('balance') },
        { ...numeric('Spend, 30 days'), ...sorted('spend') },
        { name: 'Last request', ...sorted('last_request') },
        { name: 'Created', ...sorted('created') },
        ACTIONS,
      ]}
    >
      {rows.map((row) => (
        <tr
          key={row.id}
          className="cursor-pointer hover:bg-hover"
          onClick={opensOnClick(() => open(row.id))}
        >
          <Td className="max-w-72 whitespace-nowrap">
            <Link
              to="/operator/organizations/$organization"
              params={{ organization: row.id }}
              className={cx(
                'block truncate font-medium hover:underline',
                row.deleted !== null && 'text-muted',
              )}
            >
              {row.name === '' ? 'Deleted organization' : row.name}
            </Link>
            <Code>{row.id}</Code>
          </Td>
          <Td>
            <span className="flex flex-wrap gap-1">
              <Standing organization={row} />
              {row.billing.type === 'invoiced' && <Badge tone="accent">Invoiced</Badge>}
              {isOutOfCredit(row) && <Badge tone="warn">Out of credit</Badge>}
            </span>
          </Td>
          <Td>{REGION_NAMES[row.region]}</Td>
          <Td right>{shownCount(row.members)}</Td>
          <MoneyCell amount={row.balance} balance />
          <MoneyCell amount={row.spend_30_days} />
          <TimeCell at={row.last_request} relative />
          <TimeCell at={row.created} />
          <Td right>
            <OrganizationMenu organization={row} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

/** Whether requests of a live organization that prepays are refused for want of credit. */
function isOutOfCredit({ deleted, billing, balance }: OrganizationEntry): boolean {
  return deleted === null && billing.type === 'prepaid' && Number(balance) <= 0;
}

export function Standing({ organization: { deleted, status } }: { organization: Organization }) {
  if (deleted !== null) return <Badge>Deleted</Badge>;
  if (status === 'suspended') return <Badge tone="bad">Suspended</Badge>;
  return <Badge tone="good">Active</Badge>;
}
