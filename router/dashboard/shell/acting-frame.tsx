import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { organizationQuery } from '../api/organization.ts';
import { Button } from '../parts/button.tsx';
import { useMe, useOrganization, useRole } from '../session.tsx';

/** Marks every page of an organization that an operator sees without being a member of it. */
export function ActingFrame({ children }: { children: ReactNode }) {
  const organization = useOrganization();
  const { operator } = useMe();
  const role = useRole();
  const isActing = operator && role === null;
  const name = useQuery({ ...organizationQuery(organization), enabled: isActing }).data?.name;
  const isShown = isActing && name !== undefined;
  return (
    // The element is always there, so that the page keeps its state when the name arrives.
    <div className={isShown ? 'min-h-full border-2 border-accent' : undefined}>
      {isShown && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-accent-soft px-4 py-2 text-sm sm:px-8">
          <p className="min-w-0 wrap-anywhere">
            Acting as operator in <strong className="font-semibold">{name}</strong>. What you change
            is recorded in its audit log.
          </p>
          <Button size="small" asChild>
            <Link to="/operator/organizations/$organization" params={{ organization }}>
              <ArrowLeft /> Back to operator pages
            </Link>
          </Button>
        </div>
      )}
      {children}
    </div>
  );
}
