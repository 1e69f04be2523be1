import { useState } from 'react';
import type { Member } from '../../../../shared/api/members.ts';
import { Caps } from '../../parts/caps.tsx';
import { Day } from '../../parts/day.tsx';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { Badge } from '../../parts/shown.tsx';
import { ACTIONS, numeric, Table, Td } from '../../parts/table.tsx';
import { useMay, useMe } from '../../session.tsx';
import { CapsDialog } from './caps-dialog.tsx';
import { LeaveDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx';

/** A member without caps, whose spend is not counted. */
const NOTHING = { month: '0', today: '0' } as const;

export function MembersTable({ members }: { members: readonly Member[] }) {
  return (
    <Table
      label="Members"
      columns={['Name', 'Email', 'Role', 'Joined', numeric('Spending caps'), ACTIONS]}
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} />
      ))}
    </Table>
  );
}

function MemberRow({ member }: { member: Member }) {
  const [asked, setAsked] = useState<'role' | 'caps' | 'remove' | 'leave' | null>(null);
  const isMe = useMe().id === member.person;
  const may = useMay('members');
  const close = () => setAsked(null);
  return (
    <tr>
      <Td>
        <span className="flex items-center gap-2 font-medium whitespace-nowrap">
          {member.name}
          {isMe && <Badge>You</Badge>}
        </span>
      </Td>
      <Td className="text-muted">{member.email}</Td>
      <Td className="whitespace-nowrap">{member.role}</Td>
      <Td className="text-muted">
        <Day at={member.created} />
      </Td>
      <Td right>
        <Caps
          monthly={member.monthly_cap}
          daily={member.daily_cap}
          spend={member.spend ?? NOTHING}
        />
      </Td>
      <Td right>
        {(may || isMe) && (
          <ActionsMenu of={member.name}>
            {may && <MenuItem onSelect={() => setAsked('role')}>Change role</MenuItem>}
            {may && <MenuItem onSelect={() => setAsked('caps')}>Set spending caps</MenuItem>}
            {isMe ? (
              <MenuItem danger onSelect={() => setAsked('leave')}>
                Leave organization
              </MenuItem>
            ) : (
              <MenuItem danger onSelect={() => setAsked('remove')}>
                Remove member
              </MenuItem>
            )}
          </ActionsMenu>
        )}
        {asked === 'role' && <RoleDialog member={member} onClose={close} />}
        {asked === 'caps' && <CapsDialog member={member} onClose={close} />}
        {asked === 'remove' && <RemoveDialog member={member} onClose={close} />}
        {asked === 'leave' && <LeaveDialog onClose={close} />}
      </Td>
    </tr>
  );
}
