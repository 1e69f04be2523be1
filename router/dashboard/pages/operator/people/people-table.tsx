import { Link, useNavigate } from '@tanstack/react-router';
import type { PersonEntry } from '../../../../../shared/api/people.ts';
import { roleName } from '../../../../../shared/role-names.ts';
import { shownCount } from '../../../format/count.ts';
import { opensOnClick } from '../../../parts/list/row-click.ts';
import { sortedBy } from '../../../parts/list/sorting.tsx';
import { ACTIONS, foremost, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import type { PeopleSearch } from '../../../operator-search.ts';
import { PersonLink } from './person-link.tsx';
import { PersonMenu } from './person-menu.tsx';
import { PersonStatus } from './person-status.tsx';

type Sort = NonNullable<PeopleSearch['sort']>;
type Order = NonNullable<PeopleSearch['order']>;

type TableProps = Readonly<{
  rows: readonly PersonEntry[];
  sort: Sort;
  order: Order;
  onSort: (wanted: Readonly<{ sort: Sort; order: Order }>) => void;
}>;

/** The name is a link to the person's page, which a click anywhere else in the row opens, too. */
export function PeopleTable({ rows, sort, order, onSort }: TableProps) {
  const navigate = useNavigate();
  const open = (person: string) =>
    void navigate({ to: '/operator/people/$person', params: { person } });
  const sorted = sortedBy({ sort, order }, onSort);
  return (
    <Table
      label="People"
      columns={[
        'Person',
        foremost('Status'),
        'Organizations',
        { name: 'Last sign-in', ...sorted('last_sign_in') },
        'Two-factor',
        { name: 'Signed up', ...sorted('created') },
        ACTIONS,
      ]}
    >
      {rows.map((person) => (
        <tr
          key={person.id}
          className="cursor-pointer hover:bg-hover"
          onClick={opensOnClick(() => open(person.id))}
        >
          <Td className="max-w-72">
            <span className="block truncate font-medium">
              <PersonLink id={person.id} name={person.name} />
            </span>
            <span className="block truncate text-xs text-muted">{person.email}</span>
          </Td>
          <Td>
            <PersonStatus person={person} />
          </Td>
          <Td className="max-w-64">
            <Organizations person={person} />
          </Td>
          <TimeCell at={person.last_sign_in} relative never="None recorded" />
          <Td>{person.second_factor ? 'On' : <span className="text-muted">Off</span>}</Td>
          <TimeCell at={person.created} />
          <Td right>
            <PersonMenu person={person} />
          </Td>
        </tr>
      ))}
    </Table>
  );
}

function Organizations({ person }: { person: PersonEntry }) {
  const { organizations, organization_count: count } = person;
  if (count === 0) return <span className="text-muted">None</span>;
  const more = count - organizations.length;
  return (
    <ul>
      {organizations.map(({ id, name, role }) => (
        <li key={id}>
          <Link
            to="/operator/organizations/$organization"
            params={{ organization: id }}
            className="block truncate hover:underline"
          >
            {name}
          </Link>
          <span className="block text-xs text-muted">{roleName(role)}</span>
        </li>
      ))}
      {more > 0 && <li className="text-xs text-muted">and {shownCount(more)} more</li>}
    </ul>
  );
}
