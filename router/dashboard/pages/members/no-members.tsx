/** What operators see instead of the members of an organization that has none. */
import type { ReactNode } from 'react';
import { Empty } from '../../parts/states.tsx';
import { useIsViewer, useMay } from '../../session.tsx';

type NoMembersProps = Readonly<{
  /** Of a deleted organization, nobody may change anything. */
  isDeleted?: boolean;
  /** The button that invites, where the page has no other. */
  invite?: ReactNode;
}>;

export function NoMembers({ isDeleted = false, invite }: NoMembersProps) {
  const mayInvite = useMay('members');
  const isViewer = useIsViewer();
  if (isDeleted || isViewer) return <Empty title="No members" />;
  return (
    <Empty title="No members yet" {...(mayInvite && { action: invite })}>
      {mayInvite
        ? 'Invite an administrator, who can invite the other members.'
        : 'To invite the first one, allow changes above.'}
    </Empty>
  );
}
