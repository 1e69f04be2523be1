import { Link } from '@tanstack/react-router';
import { auditQuery } from '../../../api/audit.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { AuditPanel } from '../../audit/audit-panel.tsx';

export const changesQuery = (person: string) => auditQuery(null, { actor: [person] });

/** What a person has changed in all organizations. */
export function PersonChanges({ person }: { person: string }) {
  return (
    <AuditPanel
      title="Changes"
      description="What this person has done, from the audit log."
      query={changesQuery(person)}
      actions={
        <Button size="small" asChild>
          <Link to={PAGES.platformAudit.path} search={{ actor: person }}>
            Filter and export
          </Link>
        </Button>
      }
      withOrganization
    />
  );
}
