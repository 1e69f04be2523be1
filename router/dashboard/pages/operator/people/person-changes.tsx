import { auditQuery } from '../../../api/audit.ts';
import { AuditPanel } from '../../audit/audit-panel.tsx';
import { FilterAndExport } from '../../audit/filter-and-export.tsx';

export const changesQuery = (person: string) => auditQuery(null, { actor: [person] });

/** What a person has changed in all organizations. */
export function PersonChanges({ person }: { person: string }) {
  return (
    <AuditPanel
      title="Changes"
      description="What this person has done, from the audit log."
      query={changesQuery(person)}
      actions={<FilterAndExport search={{ actor: person, sign_ins: 'shown' }} />}
      withOrganization
    />
  );
}
