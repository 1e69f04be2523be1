/** Says which models nobody serves once workers drain. */
import { useQuery } from '@tanstack/react-query';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { fleetQuery } from '../../../api/fleet.ts';
import { Notice } from '../../../parts/notice.tsx';
import { lostWithout } from './sole-host.ts';

export function SoleHostWarning({ leaves }: { leaves: (worker: WorkerEntry) => boolean }) {
  const fleet = useQuery(fleetQuery);
  const lost = lostWithout(leaves, fleet.data?.workers ?? []);
  if (lost.length === 0) return null;
  const named = lost.map(({ model, region }) =>
    region === null ? model : `${model} in ${REGION_NAMES[region]}`,
  );
  return (
    <Notice tone="warn" title={`No other host serves: ${named.join(', ')}`}>
      Until a host is ready for them, requests for them are refused.
    </Notice>
  );
}
