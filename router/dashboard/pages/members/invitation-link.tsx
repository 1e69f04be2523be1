import type { Sent } from '../../api/invitations.ts';
import { CodeBlock } from '../../parts/code/code-block.tsx';
import { When } from '../../parts/shown.tsx';

/**
 * The result of an invitation: the address of its email, and its link, which no other API response
 * contains.
 */
export function InvitationLink({ sent }: { sent: Sent }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <p>
        An email with a link was sent to <strong className="break-all">{sent.email}</strong>. The
        invitation expires on <When at={sent.expires} />.
      </p>
      <p className="text-muted">
        You can also share this link yourself. It works once, and you won't see it again.
      </p>
      <CodeBlock code={sent.url} what="invitation link" />
    </div>
  );
}
