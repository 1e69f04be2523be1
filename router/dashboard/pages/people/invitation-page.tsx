/**
 * The page of an invitation's link: shows the invitation, and lets people join with or without an
 * account.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { roleInSentence } from '../../../../shared/role-names.ts';
import { invitationQuery } from '../../api/account.ts';
import { visitorQuery } from '../../api/me.ts';
import { ApiError } from '../../api/client.ts';
import { Day } from '../../parts/day.tsx';
import { Button } from '../../parts/form/button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useEnter } from './enter.ts';
import type { Invited } from './invited.ts';
import { JoinPanel } from './join-panel.tsx';
import { forgetInvitation, usePendingInvitation } from './link-token.ts';
import { SignUpForm, useSignUp } from './sign-up-form.tsx';
import { LINK, VisitorFrame } from './visitor-frame.tsx';

export default function InvitationPage() {
  const token = usePendingInvitation();
  if (token === null) {
    return (
      <Dead title="Open the link again">
        This page was loaded without its link. Open the link in your invitation email again. It
        works until the invitation is accepted or ends.
      </Dead>
    );
  }
  return <Opened key={token} token={token} />;
}

function Opened({ token }: { token: string }) {
  const preview = useQuery(invitationQuery(token));
  const visitor = useQuery(visitorQuery);
  const { error } = preview;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Dead title="This invitation is no longer valid">
        It was used or revoked, or it has expired. Ask the person who invited you for a new
        invitation.
      </Dead>
    );
  }
  if (!preview.data || visitor.data === undefined) {
    return (
      <VisitorFrame title="Invitation">
        <Loaded query={preview}>{() => <Loaded query={visitor}>{() => null}</Loaded>}</Loaded>
      </VisitorFrame>
    );
  }
  const invited = { ...preview.data, token };
  if (visitor.data === null) return <Newcomer invited={invited} />;
  return (
    <VisitorFrame {...wordsOf(invited)}>
      <JoinPanel invited={invited} me={visitor.data} />
    </VisitorFrame>
  );
}

function wordsOf({ organization, role, email, expires }: Invited) {
  return {
    title: `Join ${organization}`,
    description: (
      <>
        {email} is invited to join as {roleInSentence(role)}. The invitation expires on{' '}
        <Day at={expires} />.
      </>
    ),
  };
}

function Newcomer({ invited }: { invited: Invited }) {
  const enter = useEnter();
  const signUp = useSignUp(async (me) => {
    forgetInvitation();
    await enter(me, '/');
  });
  return (
    <VisitorFrame
      {...wordsOf(invited)}
      below={
        <p>
          Have an account?{' '}
          <Link to="/sign-in" search={{ next: '/invitation' }} className={LINK}>
            Sign in to join
          </Link>
        </p>
      }
    >
      <SignUpForm signUp={signUp} invitation={invited} />
    </VisitorFrame>
  );
}

function Dead({ title, children }: { title: string; children: string }) {
  return (
    <VisitorFrame title={title}>
      <div className="grid gap-4 text-sm">
        <p>{children}</p>
        <Button asChild look="primary">
          <Link to="/">Go to Penstock</Link>
        </Button>
      </div>
    </VisitorFrame>
  );
}
