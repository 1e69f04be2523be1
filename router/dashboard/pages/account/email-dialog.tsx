import { useMutation } from '@tanstack/react-query';
import type { EmailChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { TextField } from '../../parts/field.tsx';
import { ProofDialog } from './proof-dialog.tsx';

type EmailDialogProps = Readonly<{
  /** The current address, when it is to be confirmed; null when the person enters a new address. */
  present: string | null;
  onSent: (email: string) => void;
  onClose: () => void;
}>;

/** Sends a link by which the person confirms their address, or a new one. */
export function EmailDialog({ present, onSent, onClose }: EmailDialogProps) {
  const change = useMutation({
    mutationFn: (body: Sent<typeof EmailChange>) => send('POST', '/me/email', body),
    onSuccess: (_done, { email }) => onSent(email),
  });
  const before =
    present === null ? (
      <TextField label="New email" param="email" type="email" autoComplete="email" required />
    ) : undefined;
  return (
    <ProofDialog
      title={present === null ? 'Change email' : 'Confirm email'}
      description={
        present === null
          ? 'A link is sent to the new address. Until you open it, you sign in with your current email.'
          : `A link is sent to ${present}. Open it to confirm that the address is yours.`
      }
      action="Send link"
      fields={present === null ? ['email'] : []}
      mutation={change}
      before={before}
      onSend={(text) =>
        change.mutate({ email: present ?? text('email'), password: text('password') })
      }
      onClose={onClose}
    />
  );
}
