import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../../../../shared/api/members.ts';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { roleName } from '../../../../../shared/role-names.ts';
import { membersQuery } from '../../../api/members.ts';
import { Panel } from '../../../parts/page.tsx';
import { Badge } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { ACTIONS, foremost, numeric, Table, Td, TimeCell } from '../../../parts/list/table.tsx';
import { InviteButton } from '../../members/invite-dialog.tsx';
import { MemberMenu } from '../../members/member-menu.tsx';
import { MemberSpend } from '../../members/member-spend.tsx';
import { NoMembers } from '../../members/no-members.tsx';
import { useMonthSpend } from '../../members/use-spend.ts';
import { useMay, useMe } from '../../../session.tsx';
import { PersonLink } from '../people/person-link.tsx';

const COLUMNS = [
  'Name',
  'Email',
  foremost('Role'),
  'Joined',
  'Last sign-in',
  numeric('Spent this month (UTC)'),
];

/** The organization's members, whom an operator who has allowed changes can change. */
export function MembersPanel({ organization }: { organization: Organization }) {
  const members = useQuery(membersQuery(organization.id));
  const spend = useMonthSpend();
  const mayChange = useMay('members');
  const me = useMe();
  return (
    <Panel title="Members" description="Spend is that of the keys each member created." flush>
      <Loaded query={members}>
        {({ data }) => {
          if (data.length === 0) {
            return (
              <NoMembers isDeleted={organization.deleted !== null} invite={<InviteButton />} />
            );
          }
          // An operator who is a member can leave.
          const hasActions = mayChange || data.some(({ person }) => person === me.id);
          return (
            <Table label="Members" columns={hasActions ? [...COLUMNS, ACTIONS] : COLUMNS}>
              {data.map((member) => (
                <Row key={member.id} {...{ member, spend, hasActions }} />
              ))}
            </Table>
          );
        }}
      </Loaded>
    </Panel>
  );
}

type RowProps = Readonly<{
  member: Member;
  spend: ReturnType<typeof useMonthSpend>;
  hasActions: boolean;
}>;

function Row({ member, spend, hasActions }: RowProps) {
  const { id, person, name, email, role, created, last_sign_in: signIn } = member;
  return (
    <tr>
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
      {hasActions && (
        <Td right>
          <MemberMenu member={member} />
        </Td>
      )}
    </tr>
  );
}
