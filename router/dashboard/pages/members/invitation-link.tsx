import type { Sent } from '../../api/invitations.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { When } from '../../parts/shown.tsx';

/**
 * The result of an invitation: the address of its email, and its link, which is in no other answer.
 */
export function InvitationLink({ sent }: { sent: Sent }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <p>
        An email with a link is on its way to <strong className="break-all">{sent.email}</strong>.
        The invitation is good until <When at={sent.expires} />.
      </p>
      <p className="text-muted">
        You can also pass this link on yourself. It works once, and is not shown again.
      </p>
      <CodeBlock code={sent.url} what="invitation link" />
    </div>
  );
}
