import { useQuery } from '@tanstack/react-query';
import { roleName } from '../../../../../shared/role-names.ts';
import { membersQuery } from '../../../api/members.ts';
import { Panel } from '../../../parts/page.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { foremost, Table, Td, TimeCell } from '../../../parts/table.tsx';
import { PersonLink } from '../people/person-link.tsx';

/** The organization's members, read-only. They are changed on the customer's own page. */
export function MembersPanel({ organization }: { organization: string }) {
  const members = useQuery(membersQuery(organization));
  return (
    <Panel title="Members" flush>
      <Loaded query={members}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No members">
              Open the organization as the customer to invite a member.
            </Empty>
          ) : (
            <Table label="Members" columns={['Name', 'Email', foremost('Role'), 'Joined']}>
              {data.map(({ id, person, name, email, role, created }) => (
                <tr key={id}>
                  <Td className="font-medium">
                    <PersonLink id={person} name={name} />
                  </Td>
                  <Td>{email}</Td>
                  <Td>
                    <Badge>{roleName(role)}</Badge>
                  </Td>
                  <TimeCell at={created} />
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Panel>
  );
}
