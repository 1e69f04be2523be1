import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../../../shared/api/members.ts';
import { roleName } from '../../../../shared/role-names.ts';
import { send } from '../../api/client.ts';
import { invitationsQuery, sendAgain } from '../../api/invitations.ts';
import { ofOrganization } from '../../api/organization.ts';
import { Button } from '../../parts/form/button.tsx';
import { Cancel, Confirm, Dialog, DialogFooter, Done } from '../../parts/form/dialog.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { ActionsMenu, MenuItem } from '../../parts/menu.tsx';
import { Panel } from '../../parts/page.tsx';
import { Badge, When } from '../../parts/shown.tsx';
import { Failed } from '../../parts/states.tsx';
import { ACTIONS, foremost, Table, Td } from '../../parts/list/table.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { InvitationLink } from './invitation-link.tsx';

/** The invitations that were not accepted yet. The panel is hidden when there are none. */
export function InvitationsPanel() {
  const query = useQuery(invitationsQuery(useOrganization()));
  const may = useMay('members');
  const { data, error } = query;
  if (data === undefined && error === null) return null;
  if (data?.data.length === 0) return null;
  return (
    <Panel title="Pending invitations" flush>
      {data ? (
        <Table
          label="Pending invitations"
          columns={['Email', foremost('Role'), 'Invited by', 'Expires', ...(may ? [ACTIONS] : [])]}
        >
          {data.data.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} may={may} />
          ))}
        </Table>
      ) : (
        error && <Failed error={error} onRetry={() => void query.refetch()} />
      )}
    </Panel>
  );
}

function InvitationRow({ invitation, may }: { invitation: Invitation; may: boolean }) {
  const [asked, setAsked] = useState<'again' | 'revoke' | null>(null);
  const { email, role, invited_by: inviter, state, expires } = invitation;
  const close = () => setAsked(null);
  return (
    <tr>
      <Td>{email}</Td>
      <Td className="whitespace-nowrap">{roleName(role)}</Td>
      <Td>{inviter ?? <span className="text-muted">An operator</span>}</Td>
      <Td>{state === 'expired' ? <Badge tone="warn">Expired</Badge> : <When at={expires} />}</Td>
      {may && (
        <Td right>
          <ActionsMenu of={email}>
            <MenuItem onSelect={() => setAsked('again')}>Resend invitation</MenuItem>
            <MenuItem danger onSelect={() => setAsked('revoke')}>
              Revoke invitation
            </MenuItem>
          </ActionsMenu>
          {asked === 'again' && <SendAgain invitation={invitation} onClose={close} />}
          {asked === 'revoke' && <Revoke invitation={invitation} onClose={close} />}
        </Td>
      )}
    </tr>
  );
}

type AskedProps = Readonly<{ invitation: Invitation; onClose: () => void }>;

function SendAgain({ invitation, onClose }: AskedProps) {
  const organization = useOrganization();
  const again = useMutation({
    mutationFn: () => sendAgain(organization, invitation.id),
    meta: { refetch: [ofOrganization(organization, 'invitations')] },
  });
  return (
    <Dialog
      sticky={again.data !== undefined}
      onClose={onClose}
      title={again.data ? 'Invitation resent' : 'Resend invitation'}
    >
      {again.data ? (
        <InvitationLink sent={again.data} />
      ) : (
        <p className="text-sm text-muted">
          A new email with a link is sent to <span className="break-all">{invitation.email}</span>.
          The link is valid for 7 days. Earlier links stop working.
        </p>
      )}
      <Fault error={again.error} />
      <DialogFooter>
        {again.data ? (
          <Done onClose={onClose} />
        ) : (
          <>
            <Cancel />
            <Button look="primary" busy={again.isPending} onClick={() => again.mutate()}>
              Resend
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function Revoke({ invitation, onClose }: AskedProps) {
  const organization = useOrganization();
  const revoke = useMutation({
    mutationFn: () => send('DELETE', `/organizations/${organization}/invitations/${invitation.id}`),
    meta: { refetch: [ofOrganization(organization, 'invitations')] },
  });
  return (
    <Confirm
      onClose={onClose}
      title="Revoke invitation"
      action="Revoke invitation"
      mutation={revoke}
    >
      <p>
        Links that were sent to <span className="break-all">{invitation.email}</span> stop working.
        You can invite this person again.
      </p>
    </Confirm>
  );
}
