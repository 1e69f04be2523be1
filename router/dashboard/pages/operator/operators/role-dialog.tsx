import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator, OperatorRoleChange } from '../../../../../shared/api/operators.ts';
import { send, type Sent } from '../../../api/client.ts';
import { meQuery } from '../../../api/me.ts';
import { OPERATORS } from '../../../api/operators.ts';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { useMe } from '../../../session.tsx';
import { RoleChoice } from './role-choice.tsx';

type RoleDialogProps = Readonly<{ operator: Operator; onClose: () => void }>;

/** Changes what an operator may do. */
export function RoleDialog({ operator, onClose }: RoleDialogProps) {
  const { id, name, role: before = 'administrator' } = operator;
  const [role, setRole] = useState(before);
  const isMe = useMe().id === id;
  const change = useMutation({
    mutationFn: (body: Sent<typeof OperatorRoleChange>) =>
      send<Operator>('PATCH', `/operators/${id}`, body),
    meta: { refetch: [OPERATORS, meQuery.queryKey] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      onClose={onClose}
      title={isMe ? 'Change your own role' : `Change the role of ${name}`}
      description={
        isMe && role === 'viewer'
          ? 'You will no longer be able to change anything, from now on. Another administrator can change your role back.'
          : 'It applies at once, to the sessions and to the token.'
      }
      action="Change role"
      disabled={role === before}
      mutation={change}
      fields={['role']}
      onSend={() => change.mutate({ role })}
    >
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}
