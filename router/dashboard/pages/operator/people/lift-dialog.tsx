/** Turns off two-factor authentication for a person who has lost the second factor. */
import { useMutation } from '@tanstack/react-query';
import type { Person } from '../../../../../shared/api/people.ts';
import { send } from '../../../api/client.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { say } from '../../../parts/said.tsx';

export function LiftDialog({ person, onClose }: Readonly<{ person: Person; onClose: () => void }>) {
  const lift = useMutation({
    mutationFn: () => send('DELETE', `/people/${person.id}/totp`),
    meta: {
      refetch: [
        ['platform', 'people'],
        ['platform', 'audit'],
      ],
    },
    onSuccess: () => {
      say('Two-factor authentication turned off');
      onClose();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Turn off two-factor authentication for ${person.name}`}
      action="Turn off"
      mutation={lift}
    >
      <p>
        {person.name} then signs in with the password only. A notification is sent to {person.email}
        . Before you continue, verify that the request comes from this person.
      </p>
    </Confirm>
  );
}
