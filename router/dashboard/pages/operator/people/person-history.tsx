/** What happened to the account of a person, or what the person did, from the audit log. */
import { useState } from 'react';
import { auditQuery } from '../../../api/audit.ts';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { AuditPanel } from '../../audit/audit-panel.tsx';
import { FilterAndExport } from '../../audit/filter-and-export.tsx';
import { Nothing } from '../nothing.tsx';

type View = 'account' | 'person';

export const historyQuery = (person: string, view: View) =>
  auditQuery(null, view === 'account' ? { account: person } : { actor: [person] });

const CHOICES = [
  { value: 'account', name: 'This account' },
  { value: 'person', name: 'Done by this person' },
] as const;

const DESCRIPTIONS: Readonly<Record<View, string>> = {
  account: 'Locks, passwords, links and refused sign-ins of this account.',
  person: 'What this person did, in all organizations.',
};

/** An entry may belong to both, so that only one of them is shown at a time. */
export function PersonHistory({ person }: { person: string }) {
  const [view, setView] = useState<View>('account');
  const search = view === 'account' ? { target: person } : { actor: person };
  return (
    <AuditPanel
      key={view}
      title="History"
      description={DESCRIPTIONS[view]}
      query={historyQuery(person, view)}
      actions={
        <>
          <Segmented label="Entries" value={view} choices={CHOICES} onChange={setView} />
          <FilterAndExport search={{ ...search, sign_ins: 'shown' }} />
        </>
      }
      withOrganization={view === 'person'}
      empty={
        <Nothing flush title="No history yet">
          {view === 'account'
            ? 'Nothing has happened to this account since the person signed up.'
            : 'This person has changed nothing yet.'}
        </Nothing>
      }
    />
  );
}
