/** The operators' first page: what needs attention, demand and capacity, reliability, and then money. */
import { useQuery } from '@tanstack/react-query';
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

export default function PlatformPage() {
  const summary = useQuery(platformSummaryQuery);
  const status = useQuery(platformStatusQuery);
  const fleet = useQuery(fleetQuery);
  const hosts = useQuery({ ...agentsQuery, refetchInterval: HOSTS_MS });
  const history = useQuery(
    fleetHistoryQuery({ span: 'day', group_by: 'model', groups: GROUPS_MAX }),
  );
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
        title="Demand and capacity by model"
        description="A worker shares its slots among its models. The peak is the busiest ten minutes of its workers. Requests refused before their model was known are left out."
      >
        <Loaded query={fleet}>
          {({ workers }) => <DemandTable rows={demandByModel(workers, history.data)} />}
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
