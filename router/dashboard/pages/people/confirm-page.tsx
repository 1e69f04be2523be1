/** The page that an email's link opens. It confirms the address, without a click. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { z } from 'zod';
import type { EmailConfirmed } from '../../../../shared/api/people.ts';
import { ApiError, send } from '../../api/client.ts';
import { meQuery, visitorQuery } from '../../api/me.ts';
import { wordedUsd } from '../../format/usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { LeadOn } from './lead-on.tsx';
import { useLinkToken } from './link-token.ts';
import { VisitorFrame } from './visitor-frame.tsx';

type Outcome = z.infer<typeof EmailConfirmed>;

/** A query, although it changes state, because a query runs once however often its page renders. */
const confirmQuery = (token: string) =>
  queryOptions({
    queryKey: ['confirm-email', token],
    queryFn: () => send<Outcome>('POST', '/email-confirm', { token }),
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
  const { error, data, isSuccess } = query;
  useEffect(() => {
    if (isSuccess) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [isSuccess, queries]);
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
    return <Refused error={error} />;
  }
  return (
    <VisitorFrame title={data ? titleOf(data) : 'Confirming your email'}>
      <Loaded query={query}>{(outcome) => <Confirmed outcome={outcome} />}</Loaded>
    </VisitorFrame>
  );
}

function titleOf({ confirmed }: Outcome): string {
  return confirmed === 'before' ? 'Email already confirmed' : 'Email confirmed';
}

function Confirmed({ outcome }: { outcome: Outcome }) {
  // The confirmation may have ended the session, so the person is asked for after it.
  const visitor = useQuery(visitorQuery);
  const { email, confirmed, password_cleared, welcome_credit } = outcome;
  if (password_cleared) return <StartedOver />;
  return (
    <Loaded query={visitor}>
      {(me) => {
        const isOther =
          me !== null && !visitor.isFetching && email !== undefined && me.email !== email;
        return (
          <div className="grid gap-4 text-sm">
            <p role="status">
              {confirmed === 'before' && 'This link was used before. '}
              {welcome_credit
                ? `${wordedUsd(welcome_credit)} in free credit added.`
                : 'You sign in with this email.'}
            </p>
            {isOther && <OtherAccount confirmed={email} signedIn={me.email} />}
            {me === null ? <SignIn /> : <Continue />}
            {me !== null && !isOther && confirmed !== 'before' && <LeadOn />}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The reader of the mailbox has another account, which this browser shows. */
function OtherAccount({ confirmed, signedIn }: { confirmed: string; signedIn: string }) {
  return (
    <p className="wrap-anywhere">
      The link belongs to the account of {confirmed}. In this browser you are signed in as{' '}
      {signedIn}.
    </p>
  );
}

/**
 * The link was opened without a session of the account, which had never been proven to belong to
 * the reader of the mailbox: somebody else may have made it.
 */
function StartedOver() {
  return (
    <div className="grid gap-4 text-sm" role="status">
      <p>
        The link was opened in a browser that was not signed in to this account. Somebody else may
        have signed up with your address, so the password was removed, and the account&rsquo;s
        sessions and API keys ended.
      </p>
      <p>We sent you an email with a link to set a new password. Then sign in with it.</p>
      <Button asChild>
        <Link to="/reset">Send another link</Link>
      </Button>
    </div>
  );
}

function Refused({ error }: { error: ApiError }) {
  const isDead = error.param === 'token';
  return (
    <VisitorFrame title="Email not confirmed">
      <Asking>
        <p role="alert">
          {isDead
            ? 'The link is older than 24 hours, or is no longer valid. Request another link on your account page.'
            : error.message}
        </p>
      </Asking>
    </VisitorFrame>
  );
}

function WithoutLink() {
  return (
    <VisitorFrame title="Confirm your email">
      <Asking>
        <p>
          Open the link in the email that was sent to you. To get another link, go to your account
          page.
        </p>
      </Asking>
    </VisitorFrame>
  );
}

/** What the page says, and the way to the account page, where another link can be requested. */
function Asking({ children }: { children: ReactNode }) {
  const visitor = useQuery(visitorQuery);
  return (
    <div className="grid gap-4 text-sm">
      {children}
      <Loaded query={visitor}>
        {(me) =>
          me === null ? (
            <SignIn next="/account" />
          ) : (
            <div className="grid gap-2">
              <Button asChild look="primary">
                <Link to="/account">Account page</Link>
              </Button>
              <Button asChild>
                <Link to="/">Go to the dashboard</Link>
              </Button>
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

function Continue() {
  return (
    <Button asChild look="primary">
      <Link to="/">Continue</Link>
    </Button>
  );
}

function SignIn({ next }: { next?: string }) {
  return (
    <Button asChild look="primary">
      <Link to="/sign-in" search={{ next }}>
        Sign in
      </Link>
    </Button>
  );
}
