import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmailChange } from '../../../../shared/api/people.ts';
import { type Sent, send } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMe } from '../../session.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { Setting } from './setting.tsx';

type Open = 'change' | 'confirm' | null;

export function EmailSetting() {
  const { email, email_confirmed: isConfirmed } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const onSent = (address: string) => {
    setSentTo(address);
    setOpen(null);
  };
  return (
    <Setting
      name="Email"
      badge={
        <Badge tone={isConfirmed ? 'good' : 'warn'}>
          {isConfirmed ? 'Confirmed' : 'Not confirmed'}
        </Badge>
      }
      action={
        <>
          {!isConfirmed && <Button onClick={() => setOpen('confirm')}>Confirm email</Button>}
          <Button onClick={() => setOpen('change')}>Change email</Button>
        </>
      }
      below={
        sentTo !== null && (
          <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm text-good">
            A link was sent to {sentTo}, unless another account uses that address. Open the link
            within 24 hours to finish.
          </p>
        )
      }
    >
      {email}
      {open !== null && (
        <EmailDialog
          present={open === 'confirm' ? email : null}
          onSent={onSent}
          onClose={() => setOpen(null)}
        />
      )}
    </Setting>
  );
}

type EmailDialogProps = Readonly<{
  /** The current address, when it is to be confirmed; null when the person enters a new address. */
  present: string | null;
  onSent: (email: string) => void;
  onClose: () => void;
}>;

function EmailDialog({ present, onSent, onClose }: EmailDialogProps) {
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
