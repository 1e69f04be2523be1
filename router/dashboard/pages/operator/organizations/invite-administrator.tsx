/** Lets an operator invite an organization's first administrator, and allow changes first if need be. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { allowedChangesQuery } from '../../../api/operator-changes.ts';
import { Button } from '../../../parts/form/button.tsx';
import { useMay, useOrganization } from '../../../session.tsx';
import { AllowChangesDialog } from '../../../shell/acting-frame.tsx';
import { InviteDialog } from '../../members/invite-dialog.tsx';

type InviteAdministratorProps = Readonly<{
  /** The organization's. */
  name: string;
  /** Stands in place of the button once an administrator is invited, or is false. */
  invited: ReactNode;
}>;

/** The dialog stays open once the invitation is sent, because its link is shown only there. */
export function InviteAdministrator({ name, invited }: InviteAdministratorProps) {
  const organization = useOrganization();
  const { isPending } = useQuery(allowedChangesQuery(organization));
  const mayInvite = useMay('members');
  const [asked, setAsked] = useState<'changes' | 'invitation' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      {invited || (
        <Button
          size="small"
          disabled={isPending}
          onClick={() => setAsked(mayInvite ? 'invitation' : 'changes')}
        >
          Invite administrator
        </Button>
      )}
      {asked === 'changes' && (
        <Suspense>
          <AllowChangesDialog
            organization={organization}
            name={name}
            onClose={close}
            next={{
              told: 'Next, you invite the administrator.',
              onAllowed: () => setAsked('invitation'),
            }}
          />
        </Suspense>
      )}
      {asked === 'invitation' && <InviteDialog onClose={close} />}
    </>
  );
}
