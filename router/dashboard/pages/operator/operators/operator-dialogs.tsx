/** Changes an operator's role, replaces or revokes the token, or ends the operator's rights. */
import { useMutation } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Operator, RotatedToken } from '../../../../../shared/api/operators.ts';
import { send } from '../../../api/client.ts';
import { OPERATORS } from '../../../api/operators.ts';
import { Button } from '../../../parts/form/button.tsx';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { Cancel, Confirm, Dialog, DialogFooter, Done } from '../../../parts/form/dialog.tsx';
import { Fault } from '../../../parts/form/field.tsx';
import { useMe } from '../../../session.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { say } from '../../../parts/said.tsx';

export type Change = Readonly<{
  operator: Operator;
  action: 'change-role' | 'replace-token' | 'revoke-token' | 'revoke';
}>;

type ChangeProps = Readonly<{ operator: Operator; onClose: () => void }>;

export function OperatorDialog({ action, ...rest }: Change & { onClose: () => void }) {
  if (action === 'change-role') return <RoleDialog {...rest} />;
  if (action === 'replace-token') return <ReplaceToken {...rest} />;
  return action === 'revoke-token' ? <RevokeToken {...rest} /> : <RemoveRights {...rest} />;
}

function ReplaceToken({ operator, onClose }: ChangeProps) {
  const { id, name, token_created: before } = operator;
  const replace = useMutation({
    mutationFn: () => send<z.infer<typeof RotatedToken>>('POST', `/operators/${id}/token`),
    meta: { refetch: [OPERATORS] },
  });
  const action = before === null ? 'Create token' : 'Replace token';
  return (
    <Dialog
      secrets={replace.data && [replace.data.token]}
      onClose={onClose}
      title={`${action} of ${name}`}
      description={
        replace.data
          ? "Copy the token now. You won't see it again."
          : before === null
            ? 'Anyone with the token can do all that this operator can.'
            : 'The present token stops working at once. Scripts that use it need the new one.'
      }
    >
      {replace.data ? (
        <CodeBlock code={replace.data.token} what="token" />
      ) : (
        <Fault error={replace.error} />
      )}
      <DialogFooter>
        {replace.data ? (
          <Done onClose={onClose} />
        ) : (
          <>
            <Cancel />
            <Button look="primary" busy={replace.isPending} onClick={() => replace.mutate()}>
              {action}
            </Button>
          </>
        )}
      </DialogFooter>
    </Dialog>
  );
}

function RevokeToken({ operator: { id, name }, onClose }: ChangeProps) {
  const revoke = useMutation({
    mutationFn: () => send('DELETE', `/operators/${id}/token`),
    meta: { refetch: [OPERATORS] },
    onSuccess: () => {
      say('Token revoked');
      onClose();
    },
  });
  const isMe = useMe().id === id;
  return (
    <Confirm
      onClose={onClose}
      title={isMe ? 'Revoke your own token' : `Revoke the token of ${name}`}
      action="Revoke token"
      mutation={revoke}
    >
      <p>Scripts that use it are refused from now on. {isMe ? 'You' : name} can still sign in.</p>
    </Confirm>
  );
}

function RemoveRights({ operator: { id, name }, onClose }: ChangeProps) {
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/operators/${id}`),
    meta: { refetch: [OPERATORS, ['platform', 'people']] },
    onSuccess: () => {
      say('Operator rights removed');
      onClose();
    },
  });
  const isMe = useMe().id === id;
  return (
    <Confirm
      onClose={onClose}
      title={isMe ? 'Remove your own operator rights' : `Remove the operator rights of ${name}`}
      action="Remove rights"
      mutation={remove}
    >
      {isMe ? (
        <p>
          You will no longer be an operator. Your token and all of your sessions end at once, this
          one too. You keep your account and your organizations. Another administrator can make you
          an operator again.
        </p>
      ) : (
        <p>
          The token and all sessions of {name} end at once. The account stays, and its organizations
          too. An administrator can make this person an operator again.
        </p>
      )}
    </Confirm>
  );
}
