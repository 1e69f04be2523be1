/** Ends one session of a person, or all of them. */
import { useMutation } from '@tanstack/react-query';
import type { Person, PersonDetail } from '../../../../../shared/api/people.ts';
import { send } from '../../../api/client.ts';
import { clientName } from '../../../format/client.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { say } from '../../../parts/said.tsx';
import { When } from '../../../parts/shown.tsx';

type EndSessionsProps = Readonly<{
  person: Person;
  /** Undefined: all of them. */
  session?: PersonDetail['sessions'][number] | undefined;
  onClose: () => void;
}>;

export function EndSessionsDialog({ person, session, onClose }: EndSessionsProps) {
  const path = `/people/${person.id}/sessions`;
  const end = useMutation({
    mutationFn: () => send('DELETE', session ? `${path}/${session.id}` : path),
    meta: {
      refetch: [
        ['platform', 'people'],
        ['platform', 'audit'],
      ],
    },
    onSuccess: () => {
      say(session ? 'Session ended' : 'All sessions ended');
      onClose();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={session ? `End a session of ${person.name}` : `End all sessions of ${person.name}`}
      action={session ? 'End session' : 'End all sessions'}
      mutation={end}
    >
      <p>
        {session ? (
          <>
            {clientName(session.client)} at {session.address}, signed in{' '}
            <When at={session.created} precision="seconds" />, is signed out at once.
          </>
        ) : (
          `${person.email} is signed out everywhere at once.`
        )}{' '}
        {person.locked_at ? '' : 'The person can sign in again. To prevent that, lock the account.'}
      </p>
    </Confirm>
  );
}
