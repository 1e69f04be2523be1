/** Whether anybody administers an organization, who alone could invite its other members. */
import { useQuery } from '@tanstack/react-query';
import type { Invitation, Member } from '../../../../shared/api/members.ts';
import { invitationsQuery } from '../../api/invitations.ts';
import { membersQuery } from '../../api/members.ts';

export type Administrator = 'joined' | 'invited' | 'none';

export function administratorOf(
  members: readonly Pick<Member, 'role'>[],
  invitations: readonly Pick<Invitation, 'role' | 'state'>[],
): Administrator {
  if (members.some(({ role }) => role === 'org-admin')) return 'joined';
  const isInvited = invitations.some(({ role, state }) => role === 'org-admin' && state === 'open');
  return isInvited ? 'invited' : 'none';
}

/** Undefined while it is not known. */
export function useAdministrator(organization: string): Administrator | undefined {
  const members = useQuery(membersQuery(organization)).data;
  const invitations = useQuery(invitationsQuery(organization)).data;
  return members && invitations && administratorOf(members.data, invitations.data);
}
