/** The page that an email's link opens. It confirms the address without a click. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError, send } from '../../api/client.ts';
import { meQuery } from '../../api/me.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useLinkToken } from './link-token.ts';
import { VisitorFrame } from './visitor-frame.tsx';

/** A query, although it changes state, because a query runs once however often its page renders. */
const confirmQuery = (token: string) =>
  queryOptions({
    queryKey: ['confirm-email', token],
    queryFn: () => send<{ done: true }>('POST', '/email-confirm', { token }),
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
        {() => (
          <div role="status">
            <Button asChild look="primary">
              <Link to="/">Continue</Link>
            </Button>
          </div>
        )}
      </Loaded>
    </VisitorFrame>
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
