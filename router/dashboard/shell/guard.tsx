/** Shows a page to people who may see it, and shows everyone else which roles may. */
import { Link, useParams } from '@tanstack/react-router';
import { Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { roleInSentence } from '../../../shared/role-names.ts';
import type { Permission } from '../../control/permissions.ts';
import { PAGES, type PageName } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import { MessagePage } from '../parts/message-page.tsx';
import {
  lastOrganization,
  OrganizationShown,
  useMaySee,
  useMe,
  useOrganization,
  useRole,
  whoMay,
} from '../session.tsx';

export function Guard({ name, children }: { name: PageName; children: ReactNode }) {
  const { needs } = PAGES[name];
  const { operator } = useMe();
  const { organization } = useParams({ strict: false });
  if (needs === 'visitor' || needs === 'person') return children;
  if (needs === 'operator') {
    return operator ? children : <Refused>Only platform operators can see this page.</Refused>;
  }
  return (
    <OrganizationShown key={organization} id={organization ?? ''}>
      <RoleGuard needs={needs}>{children}</RoleGuard>
    </OrganizationShown>
  );
}

function RoleGuard({ needs, children }: { needs: Permission; children: ReactNode }) {
  const id = useOrganization();
  const role = useRole();
  const isMember = useMe().organizations.some((one) => one.id === id);
  if (useMaySee()(needs)) return children;
  if (!isMember) {
    return (
      <MessagePage icon={<SearchX />} title="Organization not found" action={<ToOwnOrganization />}>
        This organization does not exist, or you are not a member of it.
      </MessagePage>
    );
  }
  return (
    <Refused>
      Your role is {role === null ? 'none' : roleInSentence(role)}. This page is for {whoMay(needs)}
      . Ask an administrator of the organization for access.
    </Refused>
  );
}

/** An address of another organization: the way back to one of the person's own. */
function ToOwnOrganization() {
  const own = lastOrganization(useMe());
  return (
    <Button asChild look="primary">
      <Link to="/">{own === null ? 'Open an organization' : `Go to ${own.name}`}</Link>
    </Button>
  );
}

function Refused({ children }: { children: ReactNode }) {
  return (
    <MessagePage
      icon={<Lock />}
      title="You do not have access to this page"
      action={
        <Button asChild look="primary">
          <Link to="/">Go to the overview</Link>
        </Button>
      }
    >
      {children}
    </MessagePage>
  );
}
