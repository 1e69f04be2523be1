/** Lets an operator invite an organization's first administrator, and allow changes first if need be. */
import { Suspense, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { useMay, useOrganization } from '../../../session.tsx';
import { AllowChangesDialog } from '../../../shell/acting-frame.tsx';
import { InviteDialog } from '../../members/invite-dialog.tsx';

/** `name`: the organization's. */
export function InviteAdministrator({ name }: { name: string }) {
  const organization = useOrganization();
  const mayInvite = useMay('members');
  const [asked, setAsked] = useState<'changes' | 'invitation' | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <Button size="small" onClick={() => setAsked(mayInvite ? 'invitation' : 'changes')}>
        Invite administrator
      </Button>
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
