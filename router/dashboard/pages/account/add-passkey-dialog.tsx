import { useMutation } from '@tanstack/react-query';
import { addPasskey, passkeysQuery } from '../../api/passkeys.ts';
import { clientName } from '../../format/client.ts';
import { TextField } from '../../parts/form/field.tsx';
import { say } from '../../parts/said.tsx';
import { ProofDialog } from './proof-dialog.tsx';

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const add = useMutation({
    mutationFn: addPasskey,
    meta: { refetch: [passkeysQuery.queryKey] },
    onSuccess: () => {
      say('Passkey added');
      onClose();
    },
  });
  return (
    <ProofDialog
      title="Add passkey"
      description="Your browser then asks where to keep the passkey."
      action="Continue"
      fields={['name']}
      mutation={add}
      before={
        <TextField
          label="Name"
          hint="To tell your passkeys apart, such as the device or the password manager."
          param="name"
          defaultValue={clientName(navigator.userAgent)}
          maxLength={100}
          required
        />
      }
      onSend={(text) => add.mutate({ name: text('name'), password: text('password') })}
      onClose={onClose}
    />
  );
}
