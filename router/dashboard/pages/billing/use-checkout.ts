/** Leaving for a page of the payment provider, from which people come back to this one. */
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { z } from 'zod';
import type { CheckoutStarted, NewPayment, Portal } from '../../../../shared/api/payments.ts';
import { type Sent, send } from '../../api/client.ts';

type Url = Promise<string | null>;
type Started = z.infer<typeof CheckoutStarted>;

export async function beginTopUp(organization: string, body: Sent<typeof NewPayment>): Url {
  const path = `/organizations/${organization}/payments`;
  return (await send<Started>('POST', path, body)).checkout_url;
}

/** Nothing is paid: a card is kept. */
export async function beginCard(organization: string): Url {
  const path = `/organizations/${organization}/payment-method`;
  return (await send<Started>('POST', path)).checkout_url;
}

/** The provider's own page for what it keeps. */
export async function openPortal(organization: string): Url {
  const path = `/organizations/${organization}/payment-method/portal`;
  return (await send<z.infer<typeof Portal>>('POST', path)).url;
}

type Leaving<Body> = Readonly<{
  leave: (body: Body) => void;
  /** Until the browser has left. */
  busy: boolean;
  error: Error | null;
}>;

/** `begin` answers where to; null: the payment has ended. */
export function useLeave<Body = void>(begin: (body: Body) => Url): Leaving<Body> {
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: async (body: Body) => {
      const url = await begin(body);
      if (url === null) throw new Error('This payment has ended already. Reload the page.');
      return url;
    },
    onSuccess: (url) => location.assign(url),
  });
  useEffect(() => {
    // Whoever goes back may find this page as it was when they left it.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, [reset]);
  return { leave: mutate, busy: isPending || isSuccess, error };
}
