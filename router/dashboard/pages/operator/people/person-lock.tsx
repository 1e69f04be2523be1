import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Person } from '../../../../../shared/api/people.ts';
import { lockQuery } from '../../../api/audit.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { When } from '../../../parts/shown.tsx';
import { useMe } from '../../../session.tsx';
import { GivenReason } from '../given-reason.tsx';
import { LockDialog } from './lock-dialog.tsx';

/** The button that locks the account. Operators cannot lock their own. */
export function LockButton({ person }: { person: Person }) {
  const me = useMe();
  const [asking, setAsking] = useState(false);
  if (person.locked_at || person.id === me.id) return null;
  return (
    <>
      <ForAdministrators>
        <Button look="danger" onClick={() => setAsking(true)}>
          Lock account
        </Button>
      </ForAdministrators>
      {asking && <LockDialog person={person} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Says that the account is locked, with the button that unlocks it. */
export function LockedNotice({ person }: { person: Person }) {
  const [asking, setAsking] = useState(false);
  const { locked_at: lockedAt } = person;
  const entry = useQuery({ ...lockQuery(person.id), enabled: Boolean(lockedAt) }).data;
  if (!lockedAt) return null;
  return (
    <Notice
      tone="bad"
      title="This account is locked"
      action={
        <ForAdministrators>
          <Button look="primary" onClick={() => setAsking(true)}>
            Unlock account
          </Button>
        </ForAdministrators>
      }
    >
      <p>Nobody can sign in to it. API keys and management tokens of organizations keep working.</p>
      <p>
        {entry ? (
          <GivenReason entry={entry} />
        ) : (
          <>
            Locked since <When at={lockedAt} />.
          </>
        )}
      </p>
      {asking && <LockDialog person={person} onClose={() => setAsking(false)} />}
    </Notice>
  );
}
