import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Operator, PromotedOperator } from '../../../../../shared/api/operators.ts';
import type { OperatorRole } from '../../../../../shared/operator-roles.ts';
import { send, type Sent } from '../../../api/client.ts';
import { OPERATORS } from '../../../api/operators.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { say } from '../../../parts/said.tsx';
import { RoleChoice } from './role-choice.tsx';

/** Makes the person of an existing account an operator. */
export function AddOperatorDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<OperatorRole>('viewer');
  const add = useMutation({
    mutationFn: (body: Sent<typeof PromotedOperator>) =>
      send<Operator>('POST', '/operators/existing', body),
    meta: { refetch: [OPERATORS, ['platform', 'people']] },
    onSuccess: ({ name }) => {
      say(`${name} is an operator now`);
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add an existing account"
      description="The person keeps their password and their organizations. Their sessions end, and they sign in again."
      action="Add operator"
      mutation={add}
      fields={['email', 'role']}
      onSend={(text) => add.mutate({ email: text('email'), role })}
    >
      <TextField
        label="Email"
        param="email"
        autoComplete="off"
        maxLength={254}
        hint="The confirmed address of an account."
        required
      />
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}
