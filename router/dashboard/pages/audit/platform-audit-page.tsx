/** The audit log of all organizations and of the platform. */
import { AuditLog } from './audit-log.tsx';

export default function PlatformAuditPage() {
  return (
    <AuditLog
      scope={null}
      title="Platform audit"
      description="Changes in all organizations and on the platform, newest first."
    />
  );
}
