import { Link } from '@tanstack/react-router';
import { auditQuery } from '../../../api/audit.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { AuditPanel } from '../../audit/audit-panel.tsx';

/** What was changed in the organization. */
export function ChangesPanel({ organization }: { organization: string }) {
  return (
    <AuditPanel
      title="Changes"
      description="Every change to the organization and every start of a playground session, newest first. Open a row for details."
      query={auditQuery(organization, {})}
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.platformAudit.path} search={{ organization }}>
            Filter and export
          </Link>
        </Button>
      }
    />
  );
}
