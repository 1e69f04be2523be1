import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { z } from 'zod';
import type { Joined } from '../../../../shared/api/members.ts';
import type { Me } from '../../../../shared/api/people.ts';
import { send } from '../../api/client.ts';
import { meQuery, noteSession, visitorQuery } from '../../api/me.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import type { Invited } from './invited.ts';
import { forgetInvitation } from './link-token.ts';

/**
 * For a person who is signed in: they join with their current account, whatever address the
 * invitation was sent to.
 */
export function JoinPanel({ invited, me }: { invited: Invited; me: Me }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const join = useMutation({
    mutationFn: () =>
      send<z.infer<typeof Joined>>('POST', '/invitations/accept', { token: invited.token }),
    onSuccess: async ({ organization }) => {
      forgetInvitation();
      await queries.fetchQuery({ ...meQuery, staleTime: 0 });
      await navigate({ to: '/$organization', params: { organization }, replace: true });
    },
  });
  const signOut = useMutation({
    mutationFn: () => send('POST', '/sign-out'),
    onSuccess: () => {
      noteSession(false);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'visitor' });
      queries.setQueryData(visitorQuery.queryKey, null);
    },
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <p className="wrap-anywhere">
        You are signed in as <span className="font-medium">{me.name}</span>, {me.email}.
        {me.email !== invited.email &&
          ' The invitation was sent to a different email. If you join, this account becomes a member.'}
      </p>
      <Fault error={join.error ?? signOut.error} />
      <div className="grid gap-2">
        <Button look="primary" busy={join.isPending} onClick={() => join.mutate()}>
          Join organization
        </Button>
        <Button look="ghost" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and use another account
        </Button>
      </div>
    </div>
  );
}
