import { useQuery } from '@tanstack/react-query';
import { useSendConfirmation } from '../../api/confirmation.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel } from '../../parts/dialog.tsx';
import { say } from '../../parts/said.tsx';
import { useMe } from '../../session.tsx';

const AGAIN_MS = 10_000;

/** Takes the place of the form for an invitation until the person has confirmed their own address. */
export function ConfirmFirst() {
  const { email } = useMe();
  // The link may be opened in another tab.
  useQuery({ ...meQuery, refetchInterval: AGAIN_MS, refetchOnWindowFocus: 'always' });
  const again = useSendConfirmation(say);
  return (
    <>
      <p role="status" className="text-sm">
        Confirm your email before you invite people. We sent {again.isSuccess ? 'another' : 'a'}{' '}
        link to <strong className="wrap-anywhere">{email}</strong>.
      </p>
      <footer className="flex justify-end gap-2">
        <Cancel />
        <Button busy={again.isPending} onClick={() => again.mutate()}>
          Resend link
        </Button>
      </footer>
    </>
  );
}
