import { Link } from '@tanstack/react-router';
import type { OrganizationEntry } from '../../../../../shared/api/organizations.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem, MenuLine } from '../../../parts/menu.tsx';
import { PAGES } from '../../../pages.ts';
import { VIEWS } from './organization-views.ts';

const LISTED_VIEWS = ['money', 'access', 'terms', 'audit'] as const;

/** Where an operator goes on from an organization of the list. Its own page opens the dialogs. */
export function OrganizationMenu({ organization }: { organization: OrganizationEntry }) {
  const { id, name, status, deleted } = organization;
  const to = { to: PAGES.anOrganization.path, params: { organization: id } } as const;
  return (
    <ActionsMenu of={name === '' ? id : name}>
      <MenuItem asChild>
        <Link {...to}>Open</Link>
      </MenuItem>
      {LISTED_VIEWS.map((view) => (
        <MenuItem key={view} asChild>
          <Link {...to} search={{ view }}>
            {VIEWS[view]}
          </Link>
        </MenuItem>
      ))}
      {deleted === null && (
        <>
          <MenuItem asChild>
            <Link to={PAGES.overview.path} params={{ organization: id }}>
              Open as customer
            </Link>
          </MenuItem>
          <ForAdministrators>
            <MenuLine />
            {status === 'suspended' ? (
              <MenuItem asChild>
                <Link {...to} search={{ open: 'resume' } as never}>
                  Resume
                </Link>
              </MenuItem>
            ) : (
              <MenuItem danger asChild>
                <Link {...to} search={{ open: 'suspend' } as never}>
                  Suspend
                </Link>
              </MenuItem>
            )}
          </ForAdministrators>
        </>
      )}
    </ActionsMenu>
  );
}
