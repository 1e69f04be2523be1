/** Dialogs that change a member's role, remove a member, or leave the organization. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member, MemberChange } from '../../../../shared/api/members.ts';
import type { Role } from '../../../../shared/api/roles.ts';
import { roleInSentence } from '../../../../shared/role-names.ts';
import { ApiError, send, type Sent } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { Cancel, Confirm, Dialog, DialogFooter } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { say } from '../../parts/said.tsx';
import { useMe, useOrganization } from '../../session.tsx';
import { lostBetween, WORDS } from './abilities.ts';
import { useDeparture } from './departure.ts';
import { RoleChoice } from './role-choice.tsx';

type AboutProps = Readonly<{ member: Member; onClose: () => void }>;

export function RoleDialog({ member, onClose }: AboutProps) {
  const organization = useOrganization();
  const me = useMe();
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>(member.role);
  const isMe = member.person === me.id;
  const change = useMutation({
    mutationFn: (body: Sent<typeof MemberChange>) =>
      send<Member>('PATCH', `/organizations/${organization}/members/${member.id}`, body),
    onSuccess: async () => {
      onClose();
      say(`Role changed to ${roleInSentence(role)}`);
      if (isMe) await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      await queries.invalidateQueries({ queryKey: ofOrganization(organization) });
    },
  });
  const lost = lostBetween(member.role, role);
  return (
    <Dialog
      onClose={onClose}
      title={isMe ? 'Change your role' : `Change the role of ${member.name}`}
    >
      <RoleChoice value={role} onChange={setRole} />
      {lost.length > 0 && (
        <div className="grid gap-1 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <p>{isMe ? 'You' : 'They'} lose these permissions immediately:</p>
          <ul className="list-disc pl-5">
            {lost.map((permission) => (
              <li key={permission}>{WORDS[permission]}</li>
            ))}
          </ul>
          {lost.includes('members') && (
            <p>
              Pending invitations that {isMe ? 'you' : 'they'} sent are revoked.
              {isMe && ' You cannot undo this yourself.'}
            </p>
          )}
        </div>
      )}
      <Fault error={change.error} />
      {isConflict(change.error) && (
        <p className="text-sm">Make another member an administrator first.</p>
      )}
      <DialogFooter>
        <Cancel />
        <Button
          look="primary"
          disabled={role === member.role}
          busy={change.isPending}
          onClick={() => change.mutate({ role })}
        >
          Change role
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

export function RemoveDialog({ member, onClose }: AboutProps) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/organizations/${organization}/members/${member.id}`),
    onSuccess: async () => {
      onClose();
      say(`${member.name} was removed`);
      await queries.invalidateQueries({ queryKey: ofOrganization(organization) });
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Remove ${member.name}`}
      action="Remove member"
      mutation={remove}
    >
      <p>They lose access immediately, and pending invitations that they sent are revoked.</p>
      <p>
        API keys and management tokens that they created belong to the organization and keep
        working. Revoke those that they may have copied. Their usage stays under their name, and
        their spending caps stay in force for these keys.
      </p>
    </Confirm>
  );
}

export function LeaveDialog({ onClose }: Pick<AboutProps, 'onClose'>) {
  const organization = useOrganization();
  const depart = useDeparture();
  const leave = useMutation({
    mutationFn: () => send('POST', `/organizations/${organization}/leave`),
    onSuccess: depart,
  });
  return (
    <Confirm
      onClose={onClose}
      title="Leave organization"
      action="Leave organization"
      mutation={leave}
    >
      {isConflict(leave.error) ? (
        <p>
          Make another member an administrator first, or delete the organization in its settings.
        </p>
      ) : (
        <>
          <p>You lose access immediately. To rejoin, you need a new invitation.</p>
          <p>API keys that you created belong to the organization and keep working.</p>
        </>
      )}
    </Confirm>
  );
}

/** The API answers 409 when the organization would be left without an administrator. */
function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409;
}
