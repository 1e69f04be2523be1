import { Link, useMatch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { PAGES } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import { useIsViewer, useMaySee, useOrganization, useRole } from '../session.tsx';

type Size = Readonly<{ size?: ComponentProps<typeof Button>['size'] }>;

/** Leads to billing, unless that is the page, or to the operator's page of the organization. */
export function CreditCure({ size = 'small' }: Size) {
  const organization = useOrganization();
  const mayBill = useMaySee()('billing');
  const isMember = useRole() !== null;
  const isThere = useMatch({
    from: `/signed-in/organization${PAGES.billing.path}`,
    shouldThrow: false,
  });
  if (!mayBill || isThere) return null;
  if (!isMember) return <OperatorCure size={size}>Adjust credit</OperatorCure>;
  return (
    <Button size={size} asChild>
      <Link to="/$organization/billing" params={{ organization }} search={{}}>
        Add credit
      </Link>
    </Button>
  );
}

/** Leads to the page on which operators change the organization, if they may. */
export function OperatorCure({ size = 'small', children }: Size & Readonly<{ children: string }>) {
  const organization = useOrganization();
  if (useIsViewer()) return null;
  return (
    <Button size={size} asChild>
      <Link to="/operator/organizations/$organization" params={{ organization }}>
        {children}
      </Link>
    </Button>
  );
}
