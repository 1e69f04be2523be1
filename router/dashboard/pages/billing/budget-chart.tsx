/** The spend of the month, day by day, against the budget and with the forecast. */
import { useQuery } from '@tanstack/react-query';
import type { Budget } from '../../../../shared/api/budgets.ts';
import { ledgerMonthQuery } from '../../api/billing.ts';
import { now } from '../../clock.ts';
import { exactHeight, shownHeight } from '../../format/usd.ts';
import { utcMonth } from '../../format/utc.ts';
import { ChartWaiting, LineChart } from '../../parts/chart/chart.tsx';
import { ChartGroup } from '../../parts/chart/chart-group.tsx';
import { Legend } from '../../parts/chart/legend.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { tickOf } from '../usage/labels.ts';
import { boundsOf, monthLines } from './month-lines.ts';

export function BudgetChart({ budget }: { budget: Budget }) {
  const { month } = budget;
  const query = useQuery(ledgerMonthQuery(useOrganization(), boundsOf(month)));
  return (
    <Loaded query={query} loading={<ChartWaiting className="h-48" />}>
      {({ data: days }) => {
        const { starts, series } = monthLines(budget, days, now());
        return (
          <ChartGroup>
            <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-2">
              <LineChart
                className="h-48"
                label={`Spend in ${utcMonth(month)}, added up by day (UTC)`}
                starts={starts}
                series={series}
                tick={tickOf('day', 'UTC')}
                zone="UTC"
                format={shownHeight}
                line={exactHeight}
              />
              {series.length > 1 && <Legend series={series} />}
            </div>
          </ChartGroup>
        );
      }}
    </Loaded>
  );
}
