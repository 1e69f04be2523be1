/** Removes the second factor of somebody who has lost it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Person } from '../../../../shared/api/people.ts';
import { send } from '../../api/client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { say } from '../../parts/said.tsx';

export function LiftDialog({ person, onClose }: Readonly<{ person: Person; onClose: () => void }>) {
  const queries = useQueryClient();
  const lift = useMutation({
    mutationFn: () => send('DELETE', `/people/${person.id}/totp`),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['platform', 'people'] });
      say('Second factor removed');
      onClose();
    },
  });
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={`Remove the second factor of ${person.name}`}
      action="Remove second factor"
      onConfirm={() => lift.mutate()}
      busy={lift.isPending}
      error={lift.error}
    >
      <p>
        Their password alone signs in from then on, and {person.email} is told by a letter. That it
        is really they who ask is for you to find out before.
      </p>
    </Confirm>
  );
}
