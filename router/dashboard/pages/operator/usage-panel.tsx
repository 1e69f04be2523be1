/** What an organization uses: the charges of each day by model, its top models and keys, refusals. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { daysQuery } from '../../api/overview.ts';
import { summaryQuery } from '../../api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { exactHeight, shownHeight, shownUsd } from '../../format/usd.ts';
import { utcDay } from '../../format/utc.ts';
import { Button } from '../../parts/button.tsx';
import { Legend, StackedChart } from '../../parts/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { MoneyCell, numeric, Table, Td } from '../../parts/table.tsx';
import { spendOf } from '../overview/figures.ts';

/** How many models and keys are listed. */
const TOP = 5;

export function UsagePanel({ organization }: { organization: string }) {
  const days = useQuery(daysQuery(organization));
  const keys = useQuery(
    summaryQuery(organization, { bucket: 'day', group_by: 'key', groups: TOP }),
  );
  return (
    <>
      <Panel
        title="Charges by day"
        description="What requests were charged in the last 30 days (UTC), by model."
        actions={
          <span className="flex gap-2">
            <Button size="small" asChild>
              <Link to="/$organization/usage" params={{ organization }} search={{}}>
                Usage
              </Link>
            </Button>
            <Button size="small" asChild>
              <Link
                to="/$organization/logs"
                params={{ organization }}
                search={{ status: 'refused', range: '30d' }}
              >
                Refusals
              </Link>
            </Button>
          </span>
        }
      >
        <Loaded query={days} loading={<Skeleton className="h-64 w-full" />}>
          {(summary) => <Chart summary={summary} />}
        </Loaded>
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
        <Panel flush title="Top models" description="Of the same 30 days.">
          <Loaded query={days}>{(summary) => <Top of="Model" summary={summary} />}</Loaded>
        </Panel>
        <Panel flush title="Top keys" description="Of the same 30 days.">
          <Loaded query={keys}>{(summary) => <Top of="Key" summary={summary} />}</Loaded>
        </Panel>
      </div>
    </>
  );
}

function Chart({ summary }: { summary: UsageSummary }) {
  const { days, models, total } = spendOf(summary);
  if (models.length === 0) {
    return (
      <Empty icon={<ChartColumn />} title="No usage">
        There were no requests in the last 30 days.
      </Empty>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <StackedChart
        label={`Charges by model and day: ${shownUsd(total)} in 30 days.`}
        starts={days}
        series={models}
        tick={utcDay}
        format={shownHeight}
        line={exactHeight}
      />
      <Legend series={models} />
    </div>
  );
}

function Top({ of, summary }: Readonly<{ of: 'Model' | 'Key'; summary: UsageSummary }>) {
  const rows = summary.groups.filter(({ other }) => !other).slice(0, TOP);
  if (rows.length === 0) return <Empty title="No requests in this time" />;
  return (
    <Table
      label={`Top ${of.toLowerCase()}s`}
      columns={[of, numeric('Requests'), numeric('Errors'), numeric('Charged')]}
    >
      {rows.map(({ group, name, requests, errors, cost }) => (
        <tr key={group}>
          <Td className="max-w-64 truncate">{name ?? group ?? 'Unknown'}</Td>
          <Td right>{shownCount(requests)}</Td>
          <Td right>{shownCount(errors)}</Td>
          <MoneyCell amount={cost} />
        </tr>
      ))}
    </Table>
  );
}
