import { auditQuery } from '../../../api/audit.ts';
import { AuditPanel } from '../../audit/audit-panel.tsx';
import { FilterAndExport } from '../../audit/filter-and-export.tsx';
import { Nothing } from '../nothing.tsx';

export const historyQuery = (person: string) => auditQuery(null, { account: person });

/** What the person, operators and strangers did to the account. */
export function AccountHistory({ person }: { person: string }) {
  return (
    <AuditPanel
      title="Account history"
      description="Locks, passwords, links and refused sign-ins of this account, from the audit log."
      query={historyQuery(person)}
      actions={<FilterAndExport search={{ target: person, sign_ins: 'shown' }} />}
      empty={
        <Nothing flush title="No history yet">
          Nothing has happened to this account since the person signed up.
        </Nothing>
      }
    />
  );
}
