/**
 * Signing in: the password, then a code when the account has a second factor. A passkey replaces
 * both.
 */
import { useMutation } from '@tanstack/react-query';
import { Link, useLocation, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Me, SignIn } from '../../../../shared/api/people.ts';
import { ApiError, type Sent, send } from '../../api/client.ts';
import { isSignUpOpen } from '../../service.ts';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { PasskeyButton } from './passkey-sign-in.tsx';
import { PasswordStep } from './password-step.tsx';
import { LockedHelp } from './locked-help.tsx';
import { LINK, VisitorFrame } from './visitor-frame.tsx';

export default function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const enter = useEnter();
  const { email: known = '' } = useLocation().state;
  const [email, setEmail] = useState(known);
  const signIn = useMutation({
    mutationFn: (body: Sent<typeof SignIn>) => send<Me>('POST', '/sign-in', body),
    onSuccess: (me) => enter(me, next),
  });
  const { error, isPending, variables, mutate, reset } = signIn;
  const asked = error instanceof ApiError && error.code === 'second_factor_required';
  const shown = asked ? null : error;
  // The API requires a code, or a code was tried, so the password is correct.
  const needsCode = variables !== undefined && (asked || variables.code !== undefined);
  if (needsCode) {
    const { email: given, password } = variables;
    return (
      <VisitorFrame title="Enter your code" description={`Signing in as ${given}.`}>
        <CodeStep
          error={shown}
          busy={isPending}
          onSend={(code) => mutate({ email: given, password, code })}
          onBack={reset}
        />
        <LockedHelp error={shown} />
      </VisitorFrame>
    );
  }
  const signUp = next === '/invitation' ? next : '/sign-up';
  return (
    <VisitorFrame
      title="Sign in"
      description={
        next === '/invitation'
          ? 'After you sign in, you return to the invitation.'
          : 'Manage API keys, usage and credit.'
      }
      below={
        isSignUpOpen() || next === '/invitation' ? (
          <p>
            No account?{' '}
            <Link to={signUp} className={LINK}>
              Create one
            </Link>
          </p>
        ) : (
          <p>Accounts are by invitation.</p>
        )
      }
    >
      <PasswordStep
        usual={known}
        email={email}
        error={shown}
        busy={isPending}
        onEmail={setEmail}
        onSend={mutate}
      />
      <LockedHelp error={shown} />
      <PasskeyButton onSignedIn={(me) => enter(me, next)} />
    </VisitorFrame>
  );
}
