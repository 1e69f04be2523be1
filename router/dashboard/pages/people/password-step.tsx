import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { PasswordField } from '../../parts/form/password-field.tsx';
import { EmailField } from './email-field.tsx';

type PasswordStepProps = Readonly<{
  /** The email, if it is known from the page before. */
  usual: string;
  /** What was typed until now. */
  email: string;
  error: Error | null;
  busy: boolean;
  /** The email as it is typed. */
  onEmail: (email: string) => void;
  onSend: (typed: { email: string; password: string }) => void;
}>;

export function PasswordStep({ usual, email, error, busy, onEmail, onSend }: PasswordStepProps) {
  return (
    <Form
      error={error}
      onSend={(text) => onSend({ email: text('email'), password: text('password') })}
    >
      <EmailField usual={usual} first={usual === ''} withPasskeys onChange={onEmail} />
      <PasswordField first={usual !== ''} />
      <Link
        to="/reset"
        state={{ email }}
        className="-my-1 justify-self-start text-sm text-accent underline-offset-2 hover:underline max-sm:py-1"
      >
        Forgot your password?
      </Link>
      <Fault error={inWords(error)} fields={['email', 'password']} />
      <Button type="submit" look="primary" busy={busy}>
        Sign in
      </Button>
    </Form>
  );
}

/** Replaces the API's message, which also mentions the code: no code has been requested yet. */
function inWords(error: Error | null): Error | null {
  const isWrong = error instanceof ApiError && error.code === 'invalid_credentials';
  return isWrong ? new Error('The email or the password is wrong.') : error;
}
