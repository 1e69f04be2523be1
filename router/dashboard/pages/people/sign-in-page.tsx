/** Signing in: the password, then a code when the account has a second factor. */
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { Me, SignIn } from '../../../../shared/api/people.ts';
import { ApiError, type Sent, send } from '../../api/client.ts';
import { areModelsPublic } from '../../api/public-figures.ts';
import { CodeStep } from './code-step.tsx';
import { useEnter } from './enter.ts';
import { PasswordStep } from './password-step.tsx';
import { LINK, VisitorFrame } from './visitor-frame.tsx';

export default function SignInPage() {
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const enter = useEnter();
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
    const { email, password } = variables;
    return (
      <VisitorFrame title="Enter your code" description={`Signing in as ${email}.`}>
        <CodeStep
          error={shown}
          busy={isPending}
          onSend={(code) => mutate({ email, password, code })}
          onBack={reset}
        />
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
          : 'OpenAI-compatible API for open models, paid per token.'
      }
      below={
        <>
          <p>
            No account?{' '}
            <Link to={signUp} className={LINK}>
              Sign up
            </Link>
          </p>
          <p>
            <Link to="/reset" className={LINK}>
              Forgot your password?
            </Link>
          </p>
          <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1.5 border-t pt-4">
            <Link to="/docs" className={LINK}>
              Docs
            </Link>
            {areModelsPublic() && (
              <>
                <Link to="/catalog" className={LINK}>
                  Models and prices
                </Link>
                <Link to="/status" className={LINK}>
                  Status
                </Link>
              </>
            )}
          </p>
        </>
      }
    >
      <PasswordStep error={shown} busy={isPending} onSend={mutate} />
    </VisitorFrame>
  );
}
