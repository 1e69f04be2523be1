import { useState } from 'react';
import type { Person } from '../../../../../shared/api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { When } from '../../../parts/shown.tsx';
import { useMe } from '../../../session.tsx';
import { LockDialog } from './lock-dialog.tsx';

/** The button that locks the account. Operators cannot lock their own. */
export function LockButton({ person }: { person: Person }) {
  const me = useMe();
  const [asking, setAsking] = useState(false);
  if (person.locked_at || person.id === me.id) return null;
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Lock account
      </Button>
      {asking && <LockDialog person={person} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Says that the account is locked, with the button that unlocks it. */
export function LockedNotice({ person }: { person: Person }) {
  const [asking, setAsking] = useState(false);
  const { locked_at: lockedAt } = person;
  if (!lockedAt) return null;
  return (
    <Notice
      tone="bad"
      title="This account is locked"
      action={
        <Button look="primary" onClick={() => setAsking(true)}>
          Unlock account
        </Button>
      }
    >
      Nobody has been able to sign in to it since <When at={lockedAt} />. API keys and management
      tokens of organizations keep working.
      {asking && <LockDialog person={person} onClose={() => setAsking(false)} />}
    </Notice>
  );
}
