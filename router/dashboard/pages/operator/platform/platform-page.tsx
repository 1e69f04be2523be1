/** The operators' first page: what needs attention, demand and capacity, reliability, and then money. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { REGIONS } from '../../../../../shared/region.ts';
import { fleetHistoryQuery, GROUPS_MAX } from '../../../api/fleet-history.ts';
import { agentsQuery, fleetQuery } from '../../../api/fleet.ts';
import {
  platformReliabilityQuery,
  platformStatusQuery,
  platformSummaryQuery,
} from '../../../api/platform.ts';
import { Page, Panel } from '../../../parts/page.tsx';
import { When } from '../../../parts/shown.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { AlarmHistory } from './alarm-history.tsx';
import { AlarmsPanel } from './alarms-panel.tsx';
import { demandByModel } from './demand.ts';
import { DemandTable } from './demand-table.tsx';
import { FailuresPanel } from './failures-panel.tsx';
import { PlatformDays } from './platform-days.tsx';
import { PlatformNow } from './platform-now.tsx';
import { PlatformToday } from './platform-today.tsx';
import { ReliabilityPanel } from './reliability-panel.tsx';
import { TopCustomers } from './top-customers.tsx';

/** Only the lost ones are shown, which are known after minutes. */
const HOSTS_MS = 30_000;

const BY_MODEL = { span: 'day', group_by: 'model', groups: GROUPS_MAX } as const;

export default function PlatformPage() {
  const summary = useQuery(platformSummaryQuery);
  const status = useQuery(platformStatusQuery);
  const fleet = useQuery(fleetQuery);
  const hosts = useQuery({ ...agentsQuery, refetchInterval: HOSTS_MS });
  const all = useQuery(fleetHistoryQuery(BY_MODEL)).data;
  const ofRegions = useQueries({
    queries: REGIONS.map((region) => fleetHistoryQuery({ ...BY_MODEL, region })),
  });
  const byRegion = REGIONS.map((region, nth) => [region, ofRegions[nth]?.data]);
  const histories = { all, ...Object.fromEntries(byRegion) };
  const reliability = useQuery(platformReliabilityQuery);
  return (
    <Page
      title="Platform"
      description={
        <>
          Alarms, capacity, reliability and money. Days are in UTC.{' '}
          {summary.data?.money_is_current === false && 'Money is some minutes behind.'}
          {summary.data?.money_is_current === true && (
            <>
              Money as of <When at={new Date(summary.dataUpdatedAt).toISOString()} />.
            </>
          )}
        </>
      }
    >
      <AlarmsPanel {...{ status, fleet, hosts }} />
      <PlatformNow {...{ fleet, hosts, status }} />
      <Panel
        flush
        title="Demand and capacity by model and region"
        description="Requests of US and EU are served there alone, and those of Global in all regions. A worker shares its slots among its models. The peak is the busiest ten minutes of its workers. Requests refused before their model was known are left out."
      >
        <Loaded query={fleet}>
          {({ workers }) => <DemandTable rows={demandByModel(workers, histories)} />}
        </Loaded>
      </Panel>
      <ReliabilityPanel reliability={reliability} />
      <AlarmHistory />
      <FailuresPanel />
      <PlatformToday days={summary.data?.days} tokens={reliability.data?.tokens} />
      <Loaded query={summary}>{({ days }) => <PlatformDays days={days} />}</Loaded>
      <Loaded query={summary}>{({ top_customers: top }) => <TopCustomers top={top} />}</Loaded>
    </Page>
  );
}
