import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Me, SignUp } from '../../../../shared/api/people.ts';
import { ApiError, type Sent, send } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault, TextField } from '../../parts/form/field.tsx';
import { focusOn } from '../../parts/form/focus.ts';
import { Form } from '../../parts/form/form.tsx';
import { PasswordField } from '../../parts/form/password-field.tsx';
import { Agreement } from './agreement.tsx';
import { EmailField } from './email-field.tsx';
import { LINK } from './visitor-frame.tsx';

export function useSignUp(onDone: (me: Me) => Promise<void>) {
  return useMutation({
    mutationFn: (body: Sent<typeof SignUp>) => send<Me>('POST', '/sign-up', body),
    onSuccess: onDone,
  });
}

type SignUpFormProps = Readonly<{
  signUp: ReturnType<typeof useSignUp>;
  /** The person joins the invitation's organization, and no organization is created. */
  invitation?: Readonly<{ token: string; email: string }>;
}>;

export function SignUpForm({ signUp, invitation }: SignUpFormProps) {
  const { error, isPending, variables, mutate } = signUp;
  const isTaken = error instanceof ApiError && error.code === 'conflict' && error.param === 'email';
  const taken = isTaken ? (variables?.email ?? null) : null;
  const sendIt = (text: (name: string) => string) => {
    const organization = text('organization').trim();
    mutate({
      name: text('name'),
      email: text('email'),
      password: text('password'),
      ...(invitation ? { invitation: invitation.token } : {}),
      ...(organization === '' ? {} : { organization }),
    });
  };
  return (
    <Form error={error} onSend={sendIt}>
      <TextField
        label="Your name"
        param="name"
        autoComplete="name"
        maxLength={100}
        ref={focusOn}
        required
      />
      <EmailField usual={invitation?.email} fixed={invitation !== undefined} />
      {taken !== null && (
        <p className="-mt-2 text-sm wrap-anywhere">
          <Link
            to="/sign-in"
            search={invitation ? { next: '/invitation' } : {}}
            state={{ email: taken }}
            className={LINK}
          >
            Sign in as {taken}
          </Link>
        </p>
      )}
      <PasswordField chosen />
      {!invitation && (
        <TextField
          label="Organization (optional)"
          param="organization"
          autoComplete="organization"
          maxLength={100}
        />
      )}
      <Fault error={error} fields={['name', 'email', 'password', 'organization']} />
      <Agreement />
      <Button type="submit" look="primary" busy={isPending}>
        {invitation ? 'Sign up and join' : 'Create account'}
      </Button>
    </Form>
  );
}
