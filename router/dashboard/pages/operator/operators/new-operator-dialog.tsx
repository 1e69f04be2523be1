/** Creates an operator, and shows the password and the token once. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { CreatedOperator, NewOperator } from '../../../../../shared/api/operators.ts';
import type { OperatorRole } from '../../../../../shared/operator-roles.ts';
import { send, type Sent } from '../../../api/client.ts';
import { OPERATORS } from '../../../api/operators.ts';
import { Button } from '../../../parts/form/button.tsx';
import { CodeBlock } from '../../../parts/code/code-block.tsx';
import { Cancel, Dialog, DialogFooter, Done } from '../../../parts/form/dialog.tsx';
import { Fault, TextField } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { RoleChoice } from './role-choice.tsx';

type Created = z.infer<typeof CreatedOperator>;

export function NewOperatorDialog({ onClose }: { onClose: () => void }) {
  const create = useMutation({
    mutationFn: (body: Sent<typeof NewOperator>) => send<Created>('POST', '/operators', body),
    meta: { refetch: [OPERATORS] },
  });
  return (
    <Dialog
      onClose={onClose}
      secrets={create.data && [create.data.password, create.data.token]}
      title={create.data ? 'Operator created' : 'Create operator'}
      description={
        create.data
          ? "Copy the password and the token now. You won't see them again."
          : 'This creates an account. Its password and token are shown once.'
      }
    >
      {create.data ? (
        <Shown created={create.data} onDone={onClose} />
      ) : (
        <NewOperatorForm
          isSending={create.isPending}
          error={create.error}
          onSend={(body) => create.mutate(body)}
        />
      )}
    </Dialog>
  );
}

type FormProps = Readonly<{
  isSending: boolean;
  error: Error | null;
  onSend: (body: Sent<typeof NewOperator>) => void;
}>;

function NewOperatorForm({ isSending, error, onSend }: FormProps) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OperatorRole>('viewer');
  return (
    <Form error={error} onSend={() => onSend({ name, email, role })}>
      <TextField
        label="Name"
        param="name"
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <TextField
        label="Email"
        param="email"
        autoComplete="off"
        maxLength={254}
        hint="Must not belong to an account yet."
        value={email}
        onChange={setEmail}
      />
      <RoleChoice value={role} onChange={setRole} />
      <Fault error={error} fields={['name', 'email', 'role']} />
      <DialogFooter>
        <Cancel />
        <Button
          look="primary"
          type="submit"
          busy={isSending}
          disabled={name.trim() === '' || email.trim() === ''}
        >
          Create operator
        </Button>
      </DialogFooter>
    </Form>
  );
}

function Shown({ created, onDone }: { created: Created; onDone: () => void }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <p>
        Password of {created.email}. After the first sign-in, change it and turn on two-factor
        authentication.
      </p>
      <CodeBlock code={created.password} what="password" />
      <p>Token for scripts:</p>
      <CodeBlock code={created.token} what="token" />
      <DialogFooter>
        <Done onClose={onDone} />
      </DialogFooter>
    </div>
  );
}
