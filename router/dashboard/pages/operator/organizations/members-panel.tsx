import { useQuery } from '@tanstack/react-query';
import { roleName } from '../../../../../shared/role-names.ts';
import { membersQuery } from '../../../api/members.ts';
import { Panel } from '../../../parts/page.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { foremost, numeric, Table, Td, TimeCell } from '../../../parts/table.tsx';
import { MemberSpend } from '../../members/member-spend.tsx';
import { useMonthSpend } from '../../members/use-spend.ts';
import { PersonLink } from '../people/person-link.tsx';

const COLUMNS = [
  'Name',
  'Email',
  foremost('Role'),
  'Joined',
  'Last sign-in',
  numeric('Spent this month (UTC)'),
];

/** The organization's members, read-only. They are changed on the customer's own page. */
export function MembersPanel({ organization }: { organization: string }) {
  const members = useQuery(membersQuery(organization));
  const spend = useMonthSpend();
  return (
    <Panel
      title="Members"
      description="Spend is what the keys that a member created were charged."
      flush
    >
      <Loaded query={members}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No members">
              Open the organization as the customer to invite a member.
            </Empty>
          ) : (
            <Table label="Members" columns={COLUMNS}>
              {data.map(({ id, person, name, email, role, created, last_sign_in: signIn }) => (
                <tr key={id}>
                  <Td className="font-medium">
                    <PersonLink id={person} name={name} />
                  </Td>
                  <Td>{email}</Td>
                  <Td>
                    <Badge>{roleName(role)}</Badge>
                  </Td>
                  <TimeCell at={created} />
                  <TimeCell at={signIn ?? null} relative never="None recorded" />
                  <Td right>
                    <MemberSpend member={id} spend={spend} />
                  </Td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Panel>
  );
}
