import { useResendConfirmation } from '../../api/confirmation.ts';
import { Button } from '../../parts/form/button.tsx';
import { useMe } from '../../session.tsx';

/**
 * Sends the person another link that confirms their address, and says how that went. It awaits the
 * confirmation, so that the page goes on when the link is opened in another tab.
 */
export function ResendConfirmation() {
  const { email } = useMe();
  const again = useResendConfirmation();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
        Resend email
      </Button>
      {again.isSuccess && <p role="status">We sent another link to {email}.</p>}
      {again.error && (
        <p role="alert" className="text-bad">
          {again.error.message}
        </p>
      )}
    </div>
  );
}
