/** Renames and removes a passkey. */
import { useMutation } from '@tanstack/react-query';
import type { Passkey, PasskeyChange } from '../../../../shared/api/passkeys.ts';
import { type Sent, send } from '../../api/client.ts';
import { passkeysQuery } from '../../api/passkeys.ts';
import { Confirm } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { say } from '../../parts/said.tsx';

type PasskeyDialogProps = Readonly<{ passkey: Passkey; onClose: () => void }>;

export function RenamePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const rename = useMutation({
    mutationFn: (body: Sent<typeof PasskeyChange>) => send('PATCH', `/me/passkeys/${id}`, body),
    meta: { refetch: [passkeysQuery.queryKey] },
    onSuccess: () => {
      say('Passkey renamed');
      onClose();
    },
  });
  return (
    <FormDialog
      title="Rename passkey"
      action="Rename"
      fields={['name']}
      mutation={rename}
      onSend={(text) => rename.mutate({ name: text('name') })}
      onClose={onClose}
    >
      <TextField label="Name" param="name" defaultValue={name} maxLength={100} required />
    </FormDialog>
  );
}

export function RemovePasskeyDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/me/passkeys/${id}`),
    meta: { refetch: [passkeysQuery.queryKey] },
    onSuccess: () => {
      say('Passkey removed');
      onClose();
    },
  });
  return (
    <Confirm
      onClose={onClose}
      title={`Remove passkey ${name}`}
      action="Remove passkey"
      mutation={remove}
    >
      It no longer signs in to your account. Sessions that it began stay open. Your device may go on
      offering it until you delete it there, too.
    </Confirm>
  );
}
