/** Whether anybody administers an organization; only an administrator can invite its other members. */
import { useQuery } from '@tanstack/react-query';
import type { Invitation, Member } from '../../../../shared/api/members.ts';
import { invitationsQuery } from '../../api/invitations.ts';
import { membersQuery } from '../../api/members.ts';

export type AdministratorState = 'joined' | 'invited' | 'none';

export function administratorOf(
  members: readonly Pick<Member, 'role'>[],
  invitations: readonly Pick<Invitation, 'role' | 'state'>[],
): AdministratorState {
  if (members.some(({ role }) => role === 'org-admin')) return 'joined';
  const isInvited = invitations.some(({ role, state }) => role === 'org-admin' && state === 'open');
  return isInvited ? 'invited' : 'none';
}

type Lookup = Readonly<{
  /** Undefined while it is not known. */
  administrator: AdministratorState | undefined;
  /** Whether it is looked up for the first time. */
  isLoading: boolean;
}>;

/** `isAsked`: false if the reader has no use for it. */
export function useAdministrator(organization: string, isAsked = true): Lookup {
  const members = useQuery({ ...membersQuery(organization), enabled: isAsked });
  const invitations = useQuery({ ...invitationsQuery(organization), enabled: isAsked });
  return {
    administrator:
      members.data && invitations.data && administratorOf(members.data.data, invitations.data.data),
    isLoading: members.isLoading || invitations.isLoading,
  };
}
