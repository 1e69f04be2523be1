/** The page that an email's link opens to confirm an address. The page does so without a click. */
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
    <VisitorFrame title={isSuccess ? 'Your address is confirmed' : 'Confirming your address'}>
      <Loaded query={query}>
        {() => (
          <div className="grid gap-4 text-sm" role="status">
            <p>It is the one that you sign in with, and that letters go to.</p>
            <Onward />
          </div>
        )}
      </Loaded>
    </VisitorFrame>
  );
}

function Refused({ error }: { error: ApiError }) {
  const spent = 'It was used already, or it is older than a day. Your account page sends another.';
  return (
    <VisitorFrame title="Your address is not confirmed">
      <div className="grid gap-4 text-sm">
        <p role="alert">{error.param === 'token' ? spent : error.message}</p>
        <Onward />
      </div>
    </VisitorFrame>
  );
}

function WithoutLink() {
  return (
    <VisitorFrame title="Confirm your address">
      <div className="grid gap-4 text-sm">
        <p>Open the link in the letter that was sent to you. Your account page sends another.</p>
        <Onward />
      </div>
    </VisitorFrame>
  );
}

/** Links into the dashboard, which first asks people without a session to sign in. */
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
