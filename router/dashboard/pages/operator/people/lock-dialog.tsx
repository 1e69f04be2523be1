/** Locks the account of a person, or unlocks it. */
import { useMutation } from '@tanstack/react-query';
import type { Person } from '../../../../../shared/api/people.ts';
import { send } from '../../../api/client.ts';
import { Confirm } from '../../../parts/dialog.tsx';
import { say } from '../../../parts/said.tsx';

export function LockDialog({ person, onClose }: Readonly<{ person: Person; onClose: () => void }>) {
  const isLocked = Boolean(person.locked_at);
  const change = useMutation({
    mutationFn: () => send<Person>('POST', `/people/${person.id}/${isLocked ? 'unlock' : 'lock'}`),
    meta: {
      refetch: [
        ['platform', 'people'],
        ['platform', 'audit'],
      ],
    },
    onSuccess: () => {
      say(isLocked ? 'Account unlocked' : 'Account locked');
      onClose();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`${isLocked ? 'Unlock' : 'Lock'} the account of ${person.name}`}
      action={isLocked ? 'Unlock account' : 'Lock account'}
      harmless={isLocked}
      mutation={change}
    >
      {isLocked ? (
        <p>
          {person.name} can sign in again. Former sessions and links do not come back. If somebody
          else may know the password, first give {person.email} a password reset link.
        </p>
      ) : (
        <>
          <p>
            All sessions of {person.email} end at once, and links that were sent to this address
            stop working. Nobody can sign in until you unlock the account.
            {person.operator && ' The operator token is refused, too.'}
          </p>
          <p>
            API keys and management tokens keep working: they belong to organizations. To stop an
            organization, suspend it.
          </p>
        </>
      )}
    </Confirm>
  );
}
