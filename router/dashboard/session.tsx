/** Who looks, at which organization, and what they may do there. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import type { Me } from '../../shared/api/people.ts';
import type { Role } from '../../shared/api/roles.ts';
import { mayDo, PERMISSIONS, type Permission } from '../control/permissions.ts';
import { type Membership, meQuery } from './api/me.ts';
import type { Needs } from './pages.ts';

const LAST = 'organization';

/** Which one was looked at last in this browser; no more than an id. */
export function lastOrganization(me: Me): Membership | null {
  const last = localStorage.getItem(LAST);
  return me.organizations.find(({ id }) => id === last) ?? me.organizations[0] ?? null;
}

export function rememberOrganization(id: string): void {
  localStorage.setItem(LAST, id);
}

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

const Organization = createContext<string | null>(null);

export function OrganizationShown({ id, children }: { id: string; children: ReactNode }) {
  return <Organization value={id}>{children}</Organization>;
}

/** The id of the organization that is looked at. Throws outside its pages. */
export function useOrganization(): string {
  const id = use(Organization);
  if (id === null) throw new Error('no organization is shown here');
  return id;
}

/** Null: an operator looks at an organization that they do not belong to. */
export function useRole(): Role | null {
  const id = useOrganization();
  return useMe().organizations.find((one) => one.id === id)?.role ?? null;
}

/** Operators may do everything, members or not. */
export function useMay(permission: Permission): boolean {
  return useMaySee()(permission);
}

/** Whether what a page needs is given: a permission here, or what somebody is anywhere. */
export function useMaySee(): (needs: Needs) => boolean {
  const role = useRole();
  const { operator } = useMe();
  return (needs) =>
    operator || needs === 'person' || (needs !== 'operator' && role !== null && mayDo(role, needs));
}

/** "org-admins and developers": who may do it, for those who may not. */
export function whoMay(permission: Permission): string {
  const names = PERMISSIONS[permission].map((role) => `${role}s`);
  return new Intl.ListFormat('en').format(names);
}

/** What somebody would see here whose role allowed it: explained instead of left out without a word. */
export function RoleNote({
  permission,
  children,
}: {
  permission: Permission;
  children: ReactNode;
}) {
  const role = useRole();
  if (useMay(permission)) return null;
  return (
    <p className="rounded-lg border border-dashed px-3 py-2 text-sm text-muted">
      {children} Only {whoMay(permission)} may; your role is {role ?? 'none'}.
    </p>
  );
}
