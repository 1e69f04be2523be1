import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reset } from '../../../../shared/api/people.ts';
import { ApiError, type Sent, send } from '../../api/client.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { PasswordField } from '../../parts/form/password-field.tsx';
import { AskForReset } from './ask-for-reset.tsx';
import { VisitorFrame } from './visitor-frame.tsx';

export function SetPassword({ token }: { token: string }) {
  const queries = useQueryClient();
  const [askAgain, setAskAgain] = useState(false);
  const { error, isPending, isSuccess, mutate } = useMutation({
    mutationFn: (body: Sent<typeof Reset>) => send('POST', '/password-reset/confirm', body),
    // A reset ends all sessions, including the session of this browser.
    onSuccess: () => queries.clear(),
  });
  if (askAgain) return <AskForReset />;
  if (isSuccess) {
    return (
      <VisitorFrame title="Password changed">
        <div className="grid gap-4 text-sm" role="status">
          <p>You were signed out everywhere. Sign in with the new password.</p>
          <Button asChild look="primary">
            <Link to="/sign-in" search={{}}>
              Sign in
            </Link>
          </Button>
        </div>
      </VisitorFrame>
    );
  }
  if (error instanceof ApiError && error.param === 'token') {
    return (
      <VisitorFrame title="This link is no longer valid">
        <div className="grid gap-4 text-sm">
          <p role="alert">The link was already used, or it is older than one hour.</p>
          <Button look="primary" onClick={() => setAskAgain(true)}>
            Request another link
          </Button>
        </div>
      </VisitorFrame>
    );
  }
  return (
    <VisitorFrame title="Set a new password" description="You are then signed out everywhere.">
      <Form error={error} onSend={(text) => mutate({ token, password: text('password') })}>
        <PasswordField label="New password" chosen first />
        <Fault error={error} fields={['password']} />
        <Button type="submit" look="primary" busy={isPending}>
          Set password
        </Button>
      </Form>
    </VisitorFrame>
  );
}
