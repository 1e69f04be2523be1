/** Where the requests failed that an alarm about the availability counts. */
import { Link } from '@tanstack/react-router';
import { HOUR_MS } from '../../../../../shared/durations.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import { shownCount } from '../../../format/count.ts';
import type { HistorySearch } from '../../../operator-search.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { useCommonHost } from '../fleet/common-host.ts';
import { useCommonRegion } from '../fleet/common-region.ts';
import { HostLink } from '../fleet/host-link.tsx';

/** Names the host that most of them were on, or else the region that most of them were in. */
export function FailedWhere() {
  const host = useCommonHost(HOUR_MS);
  const region = useCommonRegion();
  if (host !== null) {
    return (
      <>
        {host.isEvery ? 'All' : 'Most'} of them were on host <HostLink {...host} />.{' '}
      </>
    );
  }
  if (region === null) return 'The history of the fleet shows where. ';
  const name = REGION_NAMES[region.region];
  if (region.failed === region.all) return `All of them were in ${name}. `;
  return `Most of them were in ${name}: ${shownCount(region.failed)} of ${shownCount(region.all)}. `;
}

/** Leads to the history of the fleet, by that in which most of them agree. */
export function FailedHistoryLink({ children }: { children: string }) {
  return (
    <Button asChild size="small">
      <Link to={PAGES.fleet.path} search={{ by: useGrouping() }} hash="history">
        {children}
      </Link>
    </Button>
  );
}

function useGrouping(): HistorySearch['by'] {
  const host = useCommonHost(HOUR_MS);
  const region = useCommonRegion();
  if (host !== null) return 'agent';
  return region === null ? 'model' : 'region';
}
