import { useState } from 'react';
import { Button } from '../../parts/form/button.tsx';
import { Badge } from '../../parts/shown.tsx';
import { useMe } from '../../session.tsx';
import { ResendConfirmation } from '../people/resend-confirmation.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { Setting } from './setting.tsx';

export function EmailSetting() {
  const { email, email_confirmed: isConfirmed } = useMe();
  const [isChanging, setChanging] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Setting
      name="Email"
      badge={
        <Badge tone={isConfirmed ? 'good' : 'warn'}>
          {isConfirmed ? 'Confirmed' : 'Not confirmed'}
        </Badge>
      }
      action={
        <Button size="small" onClick={() => setChanging(true)}>
          Change email
        </Button>
      }
      below={
        <>
          {sentTo !== null && (
            <p role="status" className="rounded-md bg-good-soft px-3 py-2 text-sm text-good">
              A link was sent to {sentTo}, unless another account uses that address. Open the link
              within 24 hours to finish.
            </p>
          )}
          {!isConfirmed && (
            <div className="text-sm">
              <ResendConfirmation />
            </div>
          )}
        </>
      }
    >
      {email}
      {isChanging && (
        <EmailDialog
          onSent={(address) => {
            setSentTo(address);
            setChanging(false);
          }}
          onClose={() => setChanging(false)}
        />
      )}
    </Setting>
  );
}
