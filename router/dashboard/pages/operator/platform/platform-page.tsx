/** The operators' first page: what needs attention, reliability, money, tokens, capacity and customers. */
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
import { AlarmsPanel } from './alarms-panel.tsx';
import { demandByModel, slotsInUse } from './demand.ts';
import { DemandTable } from './demand-table.tsx';
import { FailuresPanel } from './failures-panel.tsx';
import { PlatformDays } from './platform-days.tsx';
import { PlatformFigures } from './platform-figures.tsx';
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
          Alarms, reliability, money and traffic. Days are in UTC.{' '}
          {summary.data?.money_is_current === false && 'Money is some minutes behind.'}
          {summary.data?.money_is_current === true && (
            <>
              Money as of <When at={new Date(summary.dataUpdatedAt).toISOString()} />.
            </>
          )}
        </>
      }
    >
      <AlarmsPanel status={status} hosts={hosts.data ?? []} />
      <ReliabilityPanel reliability={reliability} />
      <FailuresPanel />
      <PlatformFigures
        days={summary.data?.days}
        tokens={reliability.data?.tokens}
        jobs={status.data?.jobs}
        workers={fleet.data?.workers}
        hosts={hosts.data ?? []}
      />
      <Loaded query={summary}>{({ days }) => <PlatformDays days={days} />}</Loaded>
      <Panel
        flush
        title="Demand and capacity by model"
        description={`${fleet.data ? `${slotsInUse(fleet.data.workers)}. ` : ''}Slots are those of ready workers, which a worker shares among its models. The peak is the busiest ten minutes of these workers, and is known once they have passed. A request that was refused before its model was known is in no row.`}
      >
        <Loaded query={fleet}>
          {({ workers }) => <DemandTable rows={demandByModel(workers, history.data)} />}
        </Loaded>
      </Panel>
      <Loaded query={summary}>{({ top_customers: top }) => <TopCustomers top={top} />}</Loaded>
    </Page>
  );
}
