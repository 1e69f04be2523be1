import { Badge, When } from '../../../parts/shown.tsx';
import type { HostStatus } from './host-status.ts';

export function HostBadge({ status: { name, tone, since } }: { status: HostStatus }) {
  return (
    <Badge tone={tone}>
      {name}
      {since !== null && (
        <>
          {' '}
          <When at={since} relative />
        </>
      )}
    </Badge>
  );
}
