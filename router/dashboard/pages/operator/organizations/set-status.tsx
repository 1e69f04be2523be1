import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization, OrganizationTerms } from '../../../../../shared/api/organizations.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { Button } from '../../../parts/button.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Confirm } from '../../../parts/dialog.tsx';

/** A button that suspends the organization, or activates it again. */
export function SetStatus({ organization: { id, name, status } }: { organization: Organization }) {
  const [asking, setAsking] = useState(false);
  const suspended = status === 'suspended';
  const set = useMutation({
    mutationFn: () => {
      const terms: Sent<typeof OrganizationTerms> = { status: suspended ? 'active' : 'suspended' };
      return send<Organization>('PATCH', `/organizations/${id}/terms`, terms);
    },
    meta: { refetch: [ofOrganization(id)] },
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <ForAdministrators>
        <Button look={suspended ? 'primary' : 'danger'} onClick={() => setAsking(true)}>
          {suspended ? 'Activate' : 'Suspend'}
        </Button>
      </ForAdministrators>
      {asking && (
        <Confirm
          onClose={() => setAsking(false)}
          title={`${suspended ? 'Activate' : 'Suspend'} ${name}`}
          action={suspended ? 'Activate organization' : 'Suspend organization'}
          harmless={suspended}
          mutation={set}
        >
          <p>
            {suspended
              ? 'Its keys work again immediately.'
              : 'Keys stop immediately; running requests are cut off and billed to that point. Members can still sign in and read. You can activate the organization again.'}
          </p>
        </Confirm>
      )}
    </>
  );
}
