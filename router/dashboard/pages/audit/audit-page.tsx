/** Who changed what in the organization, when, and from where. */
import { useOrganization } from '../../session.tsx';
import { AuditLog } from './audit-log.tsx';

export default function AuditPage() {
  const organization = useOrganization();
  return (
    <AuditLog
      key={organization}
      scope={organization}
      title="Audit log"
      description="All changes and playground sessions, newest first."
    />
  );
}
