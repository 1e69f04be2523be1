import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { wordedUsd } from '../../format/usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { isSignUpOpen } from '../../service.ts';
import { welcomeCredit } from '../../welcome-credit.ts';
import { useEnter } from './enter.ts';
import { PRODUCT_LINE } from './product.tsx';
import { SignUpForm, useSignUp } from './sign-up-form.tsx';
import { LINK, VisitorFrame } from './visitor-frame.tsx';

export default function SignUpPage() {
  const enter = useEnter();
  const signUp = useSignUp((me) => enter(me, '/'));
  const { error } = signUp;
  const credit = welcomeCredit();
  // The page may be older than the operator's decision, which the API enforces.
  const isRefused = error instanceof ApiError && error.code === 'forbidden';
  if (isRefused || !isSignUpOpen()) return <Closed />;
  return (
    <VisitorFrame
      title="Create your account"
      description={
        credit === null
          ? `${PRODUCT_LINE}.`
          : `${PRODUCT_LINE}. Confirm your email to get ${wordedUsd(credit)} in free credit.`
      }
      below={
        <p>
          Have an account?{' '}
          <Link to="/sign-in" search={{}} className={LINK}>
            Sign in
          </Link>
        </p>
      }
    >
      <SignUpForm signUp={signUp} />
    </VisitorFrame>
  );
}

function Closed() {
  return (
    <VisitorFrame title="Sign-up is by invitation only">
      <div className="grid gap-4 text-sm">
        <p role="alert">
          You need an invitation to sign up. Ask an administrator of the organization that you want
          to join to invite you. The link in the invitation lets you sign up.
        </p>
        <Button asChild look="primary">
          <Link to="/sign-in" search={{}}>
            Go to sign in
          </Link>
        </Button>
      </div>
    </VisitorFrame>
  );
}
