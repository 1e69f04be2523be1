import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/keys.ts';
import { creditQuery, ofOrganization } from '../../api/organization.ts';
import { daysQuery, latestQuery, latestSuccessQuery } from '../../api/overview.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { Failed, Skeleton } from '../../parts/states.tsx';
import { useCode } from '../../parts/use-code.ts';
import { useOrganization } from '../../session.tsx';
import { FirstSteps } from './first-steps.tsx';
import { SpendPanel } from './spend-panel.tsx';
import { Stats } from './stats.tsx';
import { useComparison } from './use-earlier.ts';
import { TopKeys, TopModels } from './top-spend.tsx';

/** A new organization has none, and they are below the figures and the chart. */
const loadFailures = () => import('../logs/latest-failures.tsx');

export default function OverviewPage() {
  const organization = useOrganization();
  const latest = useQuery(latestQuery(organization));
  const hasFailed = latest.data !== undefined && latest.data !== null && latest.data.status >= 400;
  // Almost always, the latest request has succeeded, and no other need be looked for.
  const success = useQuery({ ...latestSuccessQuery(organization), enabled: hasFailed });
  const keys = useQuery(keysQuery(organization));
  // The figures need not wait until it is known whether they are shown.
  usePrefetchQuery(daysQuery(organization));
  usePrefetchQuery(creditQuery(organization));
  const failed = [latest, success, keys].find((query) => query.data === undefined && query.error);
  if (failed?.error) {
    return (
      <Page title="Overview">
        <Panel flush>
          <Failed error={failed.error} onRetry={() => void failed.refetch()} />
        </Panel>
      </Page>
    );
  }
  const isLooking = hasFailed && success.data === undefined;
  if (latest.data === undefined || keys.data === undefined || isLooking) return <Loading />;
  // Old requests are deleted eventually, but a key keeps the time of its last use.
  const isUsed =
    latest.data === null
      ? keys.data.some(({ last_used }) => last_used !== null)
      : !hasFailed || success.data !== null;
  return <Overview key={organization} isNew={!isUsed} />;
}

/**
 * With `isNew`, shows the first steps until the person continues, so that they see their first
 * request succeed.
 */
function Overview({ isNew }: { isNew: boolean }) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const [isFirst, setFirst] = useState(isNew);
  const comparison = useComparison();
  const goOn = () => {
    setFirst(false);
    void queries.invalidateQueries({ queryKey: ofOrganization(organization) });
  };
  if (isFirst) {
    return (
      <Page title="Overview">
        <FirstSteps onDone={goOn} />
      </Page>
    );
  }
  return (
    <Page title="Overview" description={`Last 30 days${comparison} Days are in UTC.`}>
      <Stats />
      <SpendPanel />
      <div className="grid gap-6 lg:grid-cols-2">
        <TopKeys />
        <TopModels />
      </div>
      <Failures />
    </Page>
  );
}

function Failures() {
  const code = useCode(loadFailures);
  return code && <code.LatestFailures />;
}

function Loading() {
  return (
    <Page title="Overview">
      <div
        role="status"
        aria-label="Loading"
        className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3"
      >
        {['a', 'b', 'c', 'd', 'e', 'f'].map((one) => (
          <Skeleton key={one} className="h-28 w-full" />
        ))}
      </div>
      <Skeleton className="h-80 w-full" />
    </Page>
  );
}
