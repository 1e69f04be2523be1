import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Member } from '../../../../shared/api/members.ts';
import { Button } from '../../parts/button.tsx';
import { Day } from '../../parts/day.tsx';
import { Menu, MenuItem } from '../../parts/menu.tsx';
import { Badge } from '../../parts/shown.tsx';
import { Table, Td, Th } from '../../parts/table.tsx';
import { useMay, useMe } from '../../session.tsx';
import { LeaveDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx';

export function MembersTable({ members }: { members: readonly Member[] }) {
  return (
    <Table
      label="Members"
      head={
        <>
          <Th>Name</Th>
          <Th>Email</Th>
          <Th>Role</Th>
          <Th>Joined</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </>
      }
    >
      {members.map((member) => (
        <MemberRow key={member.id} member={member} />
      ))}
    </Table>
  );
}

function MemberRow({ member }: { member: Member }) {
  const [asked, setAsked] = useState<'role' | 'remove' | 'leave' | null>(null);
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
        {(may || isMe) && (
          <Menu
            trigger={
              <Button look="ghost" size="small" square aria-label={`Actions for ${member.name}`}>
                <Ellipsis />
              </Button>
            }
          >
            {may && <MenuItem onSelect={() => setAsked('role')}>Change role</MenuItem>}
            {isMe ? (
              <MenuItem danger onSelect={() => setAsked('leave')}>
                Leave organization
              </MenuItem>
            ) : (
              <MenuItem danger onSelect={() => setAsked('remove')}>
                Remove member
              </MenuItem>
            )}
          </Menu>
        )}
        {asked === 'role' && <RoleDialog member={member} onClose={close} />}
        {asked === 'remove' && <RemoveDialog member={member} onClose={close} />}
        {asked === 'leave' && <LeaveDialog onClose={close} />}
      </Td>
    </tr>
  );
}
