/** The signed-in person, the organization that is shown, and the person's permissions there. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { Me } from '../../shared/api/people.ts';
import type { Role } from '../../shared/api/roles.ts';
import { roleInSentence } from '../../shared/role-names.ts';
import { mayDo, PERMISSIONS, type Permission } from '../control/permissions.ts';
import { type Membership, meQuery } from './api/me.ts';
import { allowedChangesQuery } from './api/operator-changes.ts';
import type { Needs } from './pages.ts';
import { store, stored } from './storage.ts';

const LAST = 'organization';

/** Whether a part of an address is the id of an organization, so that it may stand in API paths. */
export function isOrganizationId(part: string | undefined): part is string {
  return part !== undefined && /^org_[0-9a-z]{26}$/.test(part);
}

/**
 * Returns the organization that was shown last in this browser, where only its id is kept, or else
 * the person's first organization; null when there is none.
 */
export function lastOrganization(me: Me): Membership | null {
  const last = stored(LAST);
  return me.organizations.find(({ id }) => id === last) ?? me.organizations[0] ?? null;
}

export function rememberOrganization(id: string): void {
  store(LAST, id);
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

const Organization = createContext<string | null>(null);

export function OrganizationShown({ id, children }: { id: string; children: ReactNode }) {
  return <Organization value={id}>{children}</Organization>;
}

/**
 * Returns the id of the organization that is shown. Throws outside the pages of an organization.
 */
export function useOrganization(): string {
  const id = use(Organization);
  if (id === null) throw new Error('no organization is shown here');
  return id;
}

/**
 * Returns the person's role in the organization; null for an operator who does not belong to it.
 */
export function useRole(): Role | null {
  const id = useOrganization();
  return useMe().organizations.find((one) => one.id === id)?.role ?? null;
}

/**
 * Returns the credit in USD that the organization gets when the person confirms their email; null
 * when none is to come.
 */
export function useWelcomeCredit(): string | null {
  const id = useOrganization();
  // A router of an earlier version does not tell it.
  return useMe().organizations.find((one) => one.id === id)?.welcome_credit ?? null;
}

/** Whether the person sees the organization as an operator: they are no administrator of it. */
export function useIsActing(): boolean {
  const { operator } = useMe();
  const role = useRole();
  const id = useOrganization();
  return operator && role !== 'org-admin' && isOrganizationId(id);
}

/** Whether the person is an operator who reads everything and changes nothing. */
export function useIsViewer(): boolean {
  return useMe().operator_role === 'viewer';
}

/** Whether the person, as an operator, creates organizations for customers, and none of their own. */
export function createsForCustomers({
  operator,
  operator_role: role,
}: Pick<Me, 'operator' | 'operator_role'>): boolean {
  return operator && role !== 'viewer';
}

/**
 * Whether the person may change here what a permission is for: as a member, or as an operator who has
 * allowed changes.
 */
export function useMay(permission: Permission): boolean {
  const role = useRole();
  const isActing = useIsActing();
  const changes = useQuery({ ...allowedChangesQuery(useOrganization()), enabled: isActing });
  if (role !== null && mayDo(role, permission)) return true;
  return isActing && changes.data?.allowed != null;
}

/** Returns a predicate: whether the person may see a page with the given `needs`. */
export function useMaySee(): (needs: Needs) => boolean {
  const role = useRole();
  const { operator } = useMe();
  return (needs) => {
    if (operator || needs === 'visitor' || needs === 'person') return true;
    return needs !== 'operator' && role !== null && mayDo(role, needs);
  };
}

/** Returns the roles that have a permission, in words: "administrators and developers". */
export function whoMay(permission: Permission): string {
  const names = PERMISSIONS[permission].map((role) => `${roleInSentence(role)}s`);
  return new Intl.ListFormat('en').format(names);
}

/**
 * Says what the person's role does not allow here, to explain why the controls are missing. Renders
 * nothing when the role allows it.
 */
export function RoleNote({
  permission,
  children,
}: {
  permission: Permission;
  children: ReactNode;
}) {
  const role = useRole();
  const isActing = useIsActing();
  const isViewer = useIsViewer();
  if (useMay(permission)) return null;
  return (
    <p className="rounded-lg border border-dashed px-3 py-2 text-sm text-muted">
      {children}{' '}
      {isActing
        ? isViewer
          ? 'Your role as operator is viewer.'
          : 'You act as operator here. Choose “Allow changes” above first.'
        : `Only ${whoMay(permission)} can do this. Your role is ${role === null ? 'none' : roleInSentence(role)}.`}
    </p>
  );
}
