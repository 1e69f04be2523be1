import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { daysQuery } from '../../api/overview.ts';
import { exactHeight, shownHeight, shownUsd } from '../../format/usd.ts';
import { utcDay } from '../../format/utc.ts';
import { Button } from '../../parts/button.tsx';
import { Legend, StackedChart } from '../../parts/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { type Spend, spendOf } from './figures.ts';

export function SpendPanel() {
  const organization = useOrganization();
  const days = useQuery(daysQuery(organization));
  return (
    <Panel
      title="Spend by model"
      description="Last 30 days (UTC)"
      actions={
        <Button size="small" asChild>
          <Link to="/$organization/usage" params={{ organization }} search={{}}>
            All usage
          </Link>
        </Button>
      }
    >
      <Loaded query={days} loading={<Skeleton className="h-64 w-full" />}>
        {(summary) => <Chart spend={spendOf(summary)} />}
      </Loaded>
    </Panel>
  );
}

function Chart({ spend: { days, models, total } }: { spend: Spend }) {
  if (models.length === 0) {
    return (
      <Empty icon={<ChartColumn />} title="No usage">
        There were no requests in the last 30 days.
      </Empty>
    );
  }
  const parts = models.map(({ name, total: each }) => `${name} ${shownUsd(each)}`).join(', ');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <StackedChart
        label={`Spend by model and day: ${shownUsd(total)} in 30 days. ${parts}.`}
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
