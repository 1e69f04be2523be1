import type { Member } from '../../../../shared/api/members.ts';
import { roleName } from '../../../../shared/role-names.ts';
import { CapsAndLimits } from '../../parts/caps-and-limits.tsx';
import { Day } from '../../parts/day.tsx';
import { Badge, When } from '../../parts/shown.tsx';
import { ACTIONS, foremost, numeric, Table, Td } from '../../parts/list/table.tsx';
import { useMaySee, useMe } from '../../session.tsx';
import { MemberMenu } from './member-menu.tsx';
import { MemberSpend } from './member-spend.tsx';
import type { MonthSpend } from './use-spend.ts';

/** A member without caps, whose spend is not counted. */
const NOTHING = { month: '0', today: '0' } as const;

type MembersTableProps = Readonly<{
  members: readonly Member[];
  /** Undefined while it is loading. */
  spend: MonthSpend | undefined;
}>;

export function MembersTable({ members, spend }: MembersTableProps) {
  const maySee = useMaySee()('members');
  return (
    <Table
      label="Members"
      columns={[
        'Name',
        foremost('Role'),
        'Joined',
        ...(maySee ? ['Last active here'] : []),
        numeric('Spent this month (UTC)'),
        numeric('Caps'),
        ACTIONS,
      ]}
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} spend={spend} />
      ))}
    </Table>
  );
}

type MemberRowProps = Readonly<{
  member: Member;
  spend: MonthSpend | undefined;
}>;

function MemberRow({ member, spend }: MemberRowProps) {
  const isMe = useMe().id === member.person;
  const maySee = useMaySee()('members');
  return (
    <tr>
      <Td>
        <span className="flex items-center gap-2 font-medium whitespace-nowrap">
          {member.name}
          {isMe && <Badge>You</Badge>}
        </span>
        <span className="block text-muted wrap-anywhere">{member.email}</span>
      </Td>
      <Td className="whitespace-nowrap">{roleName(member.role)}</Td>
      <Td className="text-muted">
        <Day at={member.created} />
      </Td>
      {maySee && (
        <Td className="text-muted">
          {member.last_active == null ? 'None recorded' : <When at={member.last_active} relative />}
        </Td>
      )}
      <Td right>
        <MemberSpend member={member.id} spend={spend} />
      </Td>
      <Td right>
        <CapsAndLimits
          monthly={member.monthly_cap}
          daily={member.daily_cap}
          spend={member.spend ?? NOTHING}
        />
      </Td>
      <Td right>
        <MemberMenu member={member} />
      </Td>
    </tr>
  );
}
