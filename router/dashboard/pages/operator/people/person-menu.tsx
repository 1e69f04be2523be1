import { useState } from 'react';
import type { Person } from '../../../../../shared/api/people.ts';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { ActionsMenu, MenuItem, MenuLine } from '../../../parts/menu.tsx';
import { useMe } from '../../../session.tsx';
import { EndSessionsDialog } from './end-sessions-dialog.tsx';
import { LiftDialog } from './lift-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { LockDialog } from './lock-dialog.tsx';

type Action = 'reset-password' | 'confirm-email' | 'lift' | 'end-sessions' | 'lock';

/**
 * What operators do for a person who does not receive emails or has lost a second factor, and
 * against somebody else who uses the account.
 */
export function PersonMenu({ person }: { person: Person }) {
  const me = useMe();
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  return (
    <>
      <ForAdministrators>
        <ActionsMenu of={person.email}>
          <MenuItem onSelect={() => setAction('reset-password')}>
            Create password reset link
          </MenuItem>
          <MenuItem disabled={person.email_confirmed} onSelect={() => setAction('confirm-email')}>
            Create confirmation link
          </MenuItem>
          <MenuLine />
          <MenuItem danger disabled={!person.second_factor} onSelect={() => setAction('lift')}>
            Turn off two-factor authentication
          </MenuItem>
          <MenuItem danger onSelect={() => setAction('end-sessions')}>
            End all sessions
          </MenuItem>
          {person.locked_at ? (
            <MenuItem onSelect={() => setAction('lock')}>Unlock account</MenuItem>
          ) : (
            <MenuItem danger disabled={person.id === me.id} onSelect={() => setAction('lock')}>
              Lock account
            </MenuItem>
          )}
        </ActionsMenu>
      </ForAdministrators>
      {(action === 'reset-password' || action === 'confirm-email') && (
        <LinkDialog person={person} purpose={action} onClose={close} />
      )}
      {action === 'lift' && <LiftDialog person={person} onClose={close} />}
      {action === 'end-sessions' && <EndSessionsDialog person={person} onClose={close} />}
      {action === 'lock' && <LockDialog person={person} onClose={close} />}
    </>
  );
}
