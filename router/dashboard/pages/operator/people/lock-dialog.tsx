/** Locks the account of a person, or unlocks it. */
import { useMutation } from '@tanstack/react-query';
import type { AccountLock, Person } from '../../../../../shared/api/people.ts';
import { type Sent, send } from '../../../api/client.ts';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { ReasonField } from '../../../parts/form/reason-field.tsx';
import { say } from '../../../parts/said.tsx';

export function LockDialog({ person, onClose }: Readonly<{ person: Person; onClose: () => void }>) {
  const isLocked = Boolean(person.locked_at);
  const change = useMutation({
    mutationFn: (reason: string) => {
      const body: Sent<typeof AccountLock> = reason === '' ? {} : { reason };
      return send<Person>('POST', `/people/${person.id}/${isLocked ? 'unlock' : 'lock'}`, body);
    },
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
    <FormDialog
      onClose={onClose}
      title={`${isLocked ? 'Unlock' : 'Lock'} the account of ${person.name}`}
      description={
        isLocked
          ? `${person.name} can sign in again. Former sessions and links do not come back. If somebody else may know the password, first give ${person.email} a password reset link.`
          : `All sessions of ${person.email} end at once, and links that were sent to this address stop working. Nobody can sign in until you unlock the account.${person.operator ? ' The operator token is refused, too.' : ''}`
      }
      action={isLocked ? 'Unlock account' : 'Lock account'}
      danger={!isLocked}
      mutation={change}
      fields={['reason']}
      onSend={(text) => change.mutate(text('reason'))}
    >
      {!isLocked && (
        <p className="text-sm text-muted">
          API keys and management tokens keep working: they belong to organizations. To stop an
          organization, suspend it.
        </p>
      )}
      <ReasonField
        isOptional={isLocked}
        hint="Operators read it here and in the audit log. The person never sees it."
      />
    </FormDialog>
  );
}
