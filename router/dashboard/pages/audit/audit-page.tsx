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
      description="Changes and playground sessions in this organization, newest first."
    />
  );
}
