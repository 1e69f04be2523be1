import { useMutation } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { send } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { EmailField } from './email-field.tsx';
import { LINK, VisitorFrame } from './visitor-frame.tsx';

declare module '@tanstack/history' {
  interface HistoryState {
    /** What was typed on the page before, to sign in or to sign up. It is not in the address, which servers log. */
    email?: string;
  }
}

export function AskForReset() {
  const { email: typed } = useLocation().state;
  const { error, isPending, isSuccess, variables, mutate, reset } = useMutation({
    mutationFn: (email: string) => send('POST', '/password-reset', { email }),
  });
  const below = (
    <p>
      <Link to="/sign-in" search={{}} className={LINK}>
        Back to sign in
      </Link>
    </p>
  );
  if (isSuccess) {
    return (
      <VisitorFrame title="Check your email" below={below}>
        <div className="grid gap-4 text-sm" role="status">
          <p className="wrap-anywhere">
            If an account uses the email <span className="font-medium">{variables}</span>, a link
            was sent to it. The link works once and expires after one hour. If no email arrives,
            look in your spam folder.
          </p>
          <Button onClick={reset}>Use another email</Button>
        </div>
      </VisitorFrame>
    );
  }
  return (
    <VisitorFrame
      title="Reset your password"
      description="Enter your email. A link to set a new password is sent to it."
      below={below}
    >
      <Form error={error} onSend={(text) => mutate(text('email'))}>
        <EmailField usual={typed} first />
        <Fault error={error} fields={['email']} />
        <Button type="submit" look="primary" busy={isPending}>
          Send link
        </Button>
      </Form>
    </VisitorFrame>
  );
}
