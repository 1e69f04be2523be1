import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { NewInvitation } from '../../../../shared/api/members.ts';
import type { Role } from '../../../../shared/api/roles.ts';
import { send, type Sent as Body } from '../../api/client.ts';
import type { Sent } from '../../api/invitations.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Cancel, Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useOpened } from '../../parts/opened.ts';
import { useMe, useOrganization, useRole } from '../../session.tsx';
import { ConfirmFirst } from './confirm-first.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { RoleChoice } from './role-choice.tsx';
import { useAdministrator } from './use-administrator.ts';

export function InviteButton() {
  const [isOpen, setOpen] = useOpened('invite');
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <UserPlus /> Invite member
      </Button>
      {isOpen && <InviteDialog onClose={() => setOpen(false)} />}
    </>
  );
}

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [sent, setSent] = useState<Sent | null>(null);
  const { email_confirmed: isConfirmed } = useMe();
  return (
    <Dialog
      sticky={sent !== null}
      onClose={onClose}
      title={sent ? 'Invitation sent' : 'Invite member'}
      {...(sent || !isConfirmed
        ? {}
        : { description: 'The person gets an email with a link that is valid for 7 days.' })}
    >
      {sent ? (
        <>
          <InvitationLink sent={sent} />
          <DialogFooter>
            <Button onClick={() => setSent(null)}>Invite another</Button>
            <Done onClose={onClose} />
          </DialogFooter>
        </>
      ) : isConfirmed ? (
        <InviteForm onSent={setSent} />
      ) : (
        <ConfirmFirst />
      )}
    </Dialog>
  );
}

function InviteForm({ onSent }: { onSent: (sent: Sent) => void }) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [chosen, setChosen] = useState<Role | null>(null);
  const isAdministrator = useRole() === 'org-admin';
  const { administrator, isLoading } = useAdministrator(organization, !isAdministrator);
  const preset = !isAdministrator && administrator === 'none' ? 'org-admin' : 'developer';
  const role = chosen ?? preset;
  const invite = useMutation({
    mutationFn: (body: Body<typeof NewInvitation>) =>
      send<Sent>('POST', `/organizations/${organization}/invitations`, body),
    onSuccess: (sent) => {
      onSent(sent);
      return queries.invalidateQueries({ queryKey: ofOrganization(organization, 'invitations') });
    },
  });
  return (
    <Form error={invite.error} noValidate onSend={() => invite.mutate({ email, role })}>
      <TextField
        label="Email"
        param="email"
        type="email"
        autoComplete="off"
        placeholder="name@example.com"
        value={email}
        onChange={setEmail}
      />
      <div className={cx(isLoading && 'invisible')}>
        <RoleChoice value={role} onChange={setChosen} />
      </div>
      <Fault error={invite.error} fields={['email']} />
      <DialogFooter>
        <Cancel />
        <Button
          look="primary"
          type="submit"
          busy={invite.isPending}
          disabled={isLoading || email.trim() === ''}
        >
          Send invitation
        </Button>
      </DialogFooter>
    </Form>
  );
}
