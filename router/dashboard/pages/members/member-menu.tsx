/** What a person may do with a member: a menu, and the dialogs that it opens. */
import { useState } from 'react';
import type { Member } from '../../../../shared/api/members.ts';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { useMay, useMe } from '../../session.tsx';
import { CapsDialog } from './caps-dialog.tsx';
import { LeaveDialog, RemoveDialog, RoleDialog } from './member-dialogs.tsx';

export function MemberMenu({ member }: { member: Member }) {
  const [asked, setAsked] = useState<'role' | 'caps' | 'remove' | 'leave' | null>(null);
  const isMe = useMe().id === member.person;
  const may = useMay('members');
  const close = () => setAsked(null);
  return (
    <>
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
    </>
  );
}
