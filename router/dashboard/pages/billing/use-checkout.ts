/** Opens pages of the payment provider, which send people back to the billing page. */
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

/** Starts a checkout that saves a card and charges nothing. */
export async function beginCard(organization: string): Url {
  const path = `/organizations/${organization}/payment-method`;
  return (await send<Started>('POST', path)).checkout_url;
}

/** Returns the URL of the provider's page for managing saved cards. */
export async function openPortal(organization: string): Url {
  const path = `/organizations/${organization}/payment-method/portal`;
  return (await send<z.infer<typeof Portal>>('POST', path)).url;
}

type Leaving<Body> = Readonly<{
  leave: (body: Body) => void;
  /** True from the click until the browser has left the page or an error occurred. */
  busy: boolean;
  error: Error | null;
}>;

/**
 * `begin` returns the URL to open, or null when the payment has ended already, which becomes
 * `error`.
 */
export function useLeave<Body = void>(begin: (body: Body) => Url): Leaving<Body> {
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: async (body: Body) => {
      const url = await begin(body);
      if (url === null) throw new Error('This payment has already ended. Reload the page.');
      return url;
    },
    onSuccess: (url) => location.assign(url),
  });
  useEffect(() => {
    // The back button may restore this page from the browser's cache as it was when left.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener('pageshow', comeBack);
    return () => removeEventListener('pageshow', comeBack);
  }, [reset]);
  return { leave: mutate, busy: isPending || isSuccess, error };
}
