import { useState } from 'react';
import type { Person } from '../../../../../shared/api/people.ts';
import { ActionsMenu, MenuItem } from '../../../parts/menu.tsx';
import { LiftDialog } from './lift-dialog.tsx';
import { LinkDialog, type LinkFor } from './link-dialog.tsx';

/** What operators do for a person who does not receive emails or has lost a second factor. */
export function PersonMenu({ person }: { person: Person }) {
  const [purpose, setPurpose] = useState<LinkFor['purpose'] | null>(null);
  const [isLifting, setLifting] = useState(false);
  return (
    <>
      <ActionsMenu of={person.email}>
        <MenuItem onSelect={() => setPurpose('reset-password')}>
          Create password reset link
        </MenuItem>
        <MenuItem disabled={person.email_confirmed} onSelect={() => setPurpose('confirm-email')}>
          Create confirmation link
        </MenuItem>
        <MenuItem danger disabled={!person.second_factor} onSelect={() => setLifting(true)}>
          Turn off two-factor authentication
        </MenuItem>
      </ActionsMenu>
      {purpose && <LinkDialog person={person} purpose={purpose} onClose={() => setPurpose(null)} />}
      {isLifting && <LiftDialog person={person} onClose={() => setLifting(false)} />}
    </>
  );
}
