/** The page that an email's link opens. It confirms the address and leads on, without a click. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { z } from 'zod';
import type { EmailConfirmed } from '../../../../shared/api/people.ts';
import { ApiError, send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { after } from '../../clock.ts';
import { wordedUsd } from '../../format/usd.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useLinkToken } from './link-token.ts';
import { VisitorFrame } from './visitor-frame.tsx';

/** How long the outcome is shown before the dashboard opens. */
const SHOWN_MS = 4_000;

/** A query, although it changes state, because a query runs once however often its page renders. */
const confirmQuery = (token: string) =>
  queryOptions({
    queryKey: ['confirm-email', token],
    queryFn: () => send<z.infer<typeof EmailConfirmed>>('POST', '/email-confirm', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

export default function ConfirmPage() {
  const token = useLinkToken('/confirm');
  return token === null ? <WithoutLink /> : <Confirming key={token} token={token} />;
}

function Confirming({ token }: { token: string }) {
  const queries = useQueryClient();
  const query = useQuery(confirmQuery(token));
  const { error, isSuccess } = query;
  useEffect(() => {
    if (isSuccess) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [isSuccess, queries]);
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
    return <Refused error={error} />;
  }
  return (
    <VisitorFrame title={isSuccess ? 'Email confirmed' : 'Confirming your email'}>
      <Loaded query={query}>
        {({ welcome_credit }) => <Confirmed credit={welcome_credit ?? null} />}
      </Loaded>
    </VisitorFrame>
  );
}

/** `credit`: the welcome credit that was added, in USD. */
function Confirmed({ credit }: { credit: string | null }) {
  const navigate = useNavigate();
  useEffect(() => after(SHOWN_MS, () => void navigate({ to: '/', replace: true })), [navigate]);
  return (
    <div className="grid gap-4 text-sm">
      <p role="status">
        Email confirmed.
        {credit !== null && ` ${wordedUsd(credit)} in free credit added.`} The dashboard opens in a
        moment.
      </p>
      <div>
        <Button asChild look="primary">
          <Link to="/">Continue</Link>
        </Button>
      </div>
    </div>
  );
}

function Refused({ error }: { error: ApiError }) {
  const spent =
    'The link was already used, or it is older than 24 hours. Request another link on your account page.';
  return (
    <VisitorFrame title="Email not confirmed">
      <div className="grid gap-4 text-sm">
        <p role="alert">{error.param === 'token' ? spent : error.message}</p>
        <Onward />
      </div>
    </VisitorFrame>
  );
}

function WithoutLink() {
  return (
    <VisitorFrame title="Confirm your email">
      <div className="grid gap-4 text-sm">
        <p>
          Open the link in the email that was sent to you. To get another link, go to your account
          page.
        </p>
        <Onward />
      </div>
    </VisitorFrame>
  );
}

/** Links to the dashboard. People without a session have to sign in first. */
function Onward() {
  return (
    <div className="flex flex-wrap gap-2">
      <Button asChild look="primary">
        <Link to="/">Go to the dashboard</Link>
      </Button>
      <Button asChild>
        <Link to="/account">Account</Link>
      </Button>
    </div>
  );
}
