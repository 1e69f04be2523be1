import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { daysQuery } from '../../api/overview.ts';
import { shownUsd } from '../../format/usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { ChartWaiting } from '../../parts/chart/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { SpendChart } from '../usage/spend-chart.tsx';
import { useKeptColours } from '../usage/use-kept-colours.ts';
import { spendOf } from './figures.ts';

export function SpendPanel() {
  const organization = useOrganization();
  const days = useQuery(daysQuery(organization));
  return (
    <Panel
      title="Spend by model"
      actions={
        <Button size="small" asChild>
          <Link to="/$organization/usage" params={{ organization }} search={{}}>
            All usage
          </Link>
        </Button>
      }
    >
      <Loaded query={days} loading={<ChartWaiting />}>
        {(summary) => <Chart summary={summary} />}
      </Loaded>
    </Panel>
  );
}

function Chart({ summary }: { summary: UsageSummary }) {
  useKeptColours(summary);
  const { days, models, total } = spendOf(summary);
  const parts = models.map(({ name, total: each }) => `${name} ${shownUsd(each)}`).join(', ');
  const label = `Spend by model and day: ${shownUsd(total)} in 30 days. ${parts}.`;
  return <SpendChart label={label} days={days} series={models} />;
}
