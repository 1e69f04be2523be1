import { useMutation } from '@tanstack/react-query';
import type { EmailChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { TextField } from '../../parts/form/field.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type EmailDialogProps = Readonly<{ onSent: (email: string) => void; onClose: () => void }>;

/** Sends a link to a new address, by which the person confirms it. */
export function EmailDialog({ onSent, onClose }: EmailDialogProps) {
  const change = useMutation({
    mutationFn: (body: Sent<typeof EmailChange>) => send('POST', '/me/email', body),
    onSuccess: (_done, { email }) => onSent(email),
  });
  return (
    <ProofDialog
      title="Change email"
      description="A link is sent to the new address. Until you open it, you sign in with your current email."
      action="Send link"
      fields={['email']}
      mutation={change}
      before={
        <TextField label="New email" param="email" type="email" autoComplete="email" required />
      }
      onSend={(text) => change.mutate({ email: text('email'), password: text('password') })}
      onClose={onClose}
    />
  );
}
