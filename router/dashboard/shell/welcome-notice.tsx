import { useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useEffect } from 'react';
import { useResendConfirmation } from '../api/confirmation.ts';
import { creditQuery } from '../api/organization.ts';
import { wordedUsd } from '../format/usd.ts';
import { Button } from '../parts/form/button.tsx';
import { useMe, useOrganization } from '../session.tsx';
import { Strip } from './strip.tsx';

/**
 * Says that the organization gets its welcome credit when the person confirms their email, and
 * offers another link. `amount` is in USD.
 */
export function WelcomeNotice({ amount }: { amount: string }) {
  const { email } = useMe();
  const id = useOrganization();
  const queries = useQueryClient();
  // Confirmed by now, or the credit is withheld: what is shown may be of the time before.
  useEffect(
    () => () => void queries.invalidateQueries({ queryKey: creditQuery(id).queryKey }),
    [id, queries],
  );
  const again = useResendConfirmation();
  return (
    <Strip
      tone="neutral"
      icon={Mail}
      action={
        <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
          Resend email
        </Button>
      }
    >
      Confirm your email to get {wordedUsd(amount)} in free credit.{' '}
      {again.error
        ? again.error.message
        : `We sent ${again.isSuccess ? 'another' : 'a'} link to ${email}.`}
    </Strip>
  );
}
