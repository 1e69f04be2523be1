/** Where the requests failed that an alarm about the availability counts. */
import { Link } from '@tanstack/react-router';
import { HOUR_MS } from '../../../../../shared/durations.ts';
import { PAGES } from '../../../pages.ts';
import { Button } from '../../../parts/form/button.tsx';
import { useCommonHost } from '../fleet/common-host.ts';
import { HostLink } from '../fleet/host-link.tsx';

/** Names the host that most of them were on. */
export function FailedWhere() {
  const host = useCommonHost(HOUR_MS);
  if (host === null) return 'The history of the fleet shows where. ';
  return (
    <>
      {host.isEvery ? 'All' : 'Most'} of them were on host <HostLink {...host} />.{' '}
    </>
  );
}

/** Leads to the history of the fleet, by host if most of them were on one. */
export function FailedHistoryLink({ children }: { children: string }) {
  const by = useCommonHost(HOUR_MS) === null ? 'model' : 'agent';
  return (
    <Button asChild size="small">
      <Link to={PAGES.fleet.path} search={{ by }} hash="history">
        {children}
      </Link>
    </Button>
  );
}
