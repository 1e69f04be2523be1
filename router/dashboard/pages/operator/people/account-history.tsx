import { Link } from '@tanstack/react-router';
import { auditQuery } from '../../../api/audit.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Empty } from '../../../parts/states.tsx';
import { AuditPanel } from '../../audit/audit-panel.tsx';

export const historyQuery = (person: string) => auditQuery(null, { account: person });

/** What the person, operators and strangers did to the account. */
export function AccountHistory({ person }: { person: string }) {
  return (
    <AuditPanel
      title="Account history"
      description="Locks, passwords, links and refused sign-ins of this account, from the audit log."
      query={historyQuery(person)}
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.platformAudit.path} search={{ target: person }}>
            Filter and export
          </Link>
        </Button>
      }
      empty={
        <Empty title="No history yet">
          Nothing has happened to this account since the person signed up.
        </Empty>
      }
    />
  );
}
