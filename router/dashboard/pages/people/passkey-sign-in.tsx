/** Signing in with a passkey: by the button, or where the browser offers it with the email. */
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PasskeySignIn } from '../../../../shared/api/passkeys.ts';
import type { Me } from '../../../../shared/api/people.ts';
import {
  autofilledPasskey,
  canUsePasskeys,
  sendPasskey,
  signInWithPasskey,
} from '../../api/passkeys.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { LockedHelp } from './locked-help.tsx';

type PasskeyButtonProps = Readonly<{ onSignedIn: (me: Me) => Promise<void> }>;

/** Not shown where passkeys cannot be used. */
export function PasskeyButton({ onSignedIn }: PasskeyButtonProps) {
  const isOffered = canUsePasskeys();
  const { error, isPending, isSuccess, mutate } = useMutation({
    /** Null: the browser asks for a passkey first. */
    mutationFn: (chosen: PasskeySignIn | null) =>
      chosen === null ? signInWithPasskey() : sendPasskey(chosen),
    onSuccess: onSignedIn,
  });
  const isWaiting = isOffered && !isPending && !isSuccess;
  useEffect(() => {
    if (!isWaiting) return;
    const ending = new AbortController();
    void autofilledPasskey(ending.signal).then((chosen) => chosen && mutate(chosen));
    return () => ending.abort();
  }, [isWaiting, mutate]);
  if (!isOffered) return null;
  return (
    <div className="mt-4 grid gap-4 border-t pt-4">
      <Button busy={isPending} onClick={() => mutate(null)}>
        Sign in with a passkey
      </Button>
      <Fault error={error} />
      <LockedHelp error={error} />
    </div>
  );
}
