import { Cancel, DialogFooter } from '../../parts/form/dialog.tsx';
import { useMe } from '../../session.tsx';
import { ResendConfirmation } from '../people/resend-confirmation.tsx';

/** Takes the place of the form for an invitation until the person has confirmed their own address. */
export function ConfirmFirst() {
  const { email } = useMe();
  return (
    <>
      <p role="status" className="text-sm">
        Confirm your email before you invite people. We sent a link to{' '}
        <strong className="wrap-anywhere">{email}</strong>.
      </p>
      <div className="text-sm">
        <ResendConfirmation />
      </div>
      <DialogFooter>
        <Cancel />
      </DialogFooter>
    </>
  );
}
