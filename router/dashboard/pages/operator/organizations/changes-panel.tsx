import { auditQuery } from '../../../api/audit.ts';
import { AuditPanel } from '../../audit/audit-panel.tsx';
import { FilterAndExport } from '../../audit/filter-and-export.tsx';

/** What was changed in the organization. */
export function ChangesPanel({ organization }: { organization: string }) {
  return (
    <AuditPanel
      title="Changes"
      description="Every change to the organization and every start of a playground session, newest first. Open a row for details."
      query={auditQuery(organization, {})}
      actions={<FilterAndExport search={{ organization }} />}
    />
  );
}
