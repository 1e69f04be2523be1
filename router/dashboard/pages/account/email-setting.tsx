import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMe } from '../../session.tsx';
import { EmailDialog } from './email-dialog.tsx';
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
