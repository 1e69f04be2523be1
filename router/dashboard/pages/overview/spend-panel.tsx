import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { daysQuery } from '../../api/overview.ts';
import { shownUsd } from '../../format/usd.ts';
import { Button } from '../../parts/button.tsx';
import { ChartWaiting } from '../../parts/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { SpendChart } from '../usage/spend-chart.tsx';
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
      <Loaded query={days} loading={<ChartWaiting />}>
        {(summary) => <Chart spend={spendOf(summary)} />}
      </Loaded>
    </Panel>
  );
}

function Chart({ spend: { days, models, total } }: { spend: Spend }) {
  const parts = models.map(({ name, total: each }) => `${name} ${shownUsd(each)}`).join(', ');
  const label = `Spend by model and day: ${shownUsd(total)} in 30 days. ${parts}.`;
  return <SpendChart label={label} days={days} series={models} />;
}
