/** Says which models nobody serves once workers drain, or that others serve all of them. */
import { useQuery } from '@tanstack/react-query';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { fleetQuery } from '../../../api/fleet.ts';
import { serves } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { Notice } from '../../../parts/notice.tsx';
import { lostWithout } from './sole-host.ts';

const NAMED_MAX = 8;

export function SoleHostWarning({ leaves }: { leaves: (worker: WorkerEntry) => boolean }) {
  const fleet = useQuery(fleetQuery);
  const workers = fleet.data?.workers ?? [];
  const lost = lostWithout(leaves, workers);
  if (lost.length === 0) {
    const isServing = workers.some((worker) => leaves(worker) && serves(worker));
    return isServing ? (
      <p className="text-sm text-muted">
        {fleet.isError
          ? 'The workers cannot be read now, so others may not serve the same models.'
          : 'Other workers serve the same models.'}
      </p>
    ) : null;
  }
  const isOne = lost.length === 1;
  const title = isOne
    ? '1 model is served by no other worker'
    : `${shownCount(lost.length)} models are served by no other worker`;
  const named = lost.slice(0, NAMED_MAX);
  return (
    <Notice tone="bad" title={title}>
      <p>Requests for {isOne ? 'it' : 'them'} are refused until a worker is ready:</p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {named.map(({ model, region }) => (
          <li key={`${model} ${region}`}>
            {model}
            {region !== null && ` in ${REGION_NAMES[region]}`}
          </li>
        ))}
        {lost.length > NAMED_MAX && <li>and {shownCount(lost.length - NAMED_MAX)} more</li>}
      </ul>
    </Notice>
  );
}
