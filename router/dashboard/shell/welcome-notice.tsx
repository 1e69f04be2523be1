import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useEffect } from 'react';
import { useSendConfirmation } from '../api/confirmation.ts';
import { meQuery } from '../api/me.ts';
import { creditQuery } from '../api/organization.ts';
import { wordedUsd } from '../format/usd.ts';
import { Button } from '../parts/button.tsx';
import { useMe, useOrganization } from '../session.tsx';
import { Strip } from './strip.tsx';

const AGAIN_MS = 10_000;

/**
 * Says that the organization gets its welcome credit when the person confirms their email, and
 * offers another link. `amount` is in USD.
 */
export function WelcomeNotice({ amount }: { amount: string }) {
  const { email } = useMe();
  const id = useOrganization();
  const queries = useQueryClient();
  // The link may have been opened in another tab, and the credit been withheld.
  useQuery({ ...meQuery, refetchInterval: AGAIN_MS, refetchOnWindowFocus: 'always' });
  // Confirmed by now: the credit that is shown may be of the time before.
  useEffect(
    () => () => void queries.invalidateQueries({ queryKey: creditQuery(id).queryKey }),
    [id, queries],
  );
  const again = useSendConfirmation();
  return (
    <Strip
      tone="neutral"
      icon={Mail}
      action={
        <Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
          Resend
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
