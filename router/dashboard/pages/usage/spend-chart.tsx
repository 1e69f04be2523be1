import { ChartColumn } from 'lucide-react';
import { exactHeight, shownHeight } from '../../format/usd.ts';
import { utcDay } from '../../format/utc.ts';
import { StackedChart } from '../../parts/chart/chart.tsx';
import { ChartGroup } from '../../parts/chart/chart-group.tsx';
import { Legend } from '../../parts/chart/legend.tsx';
import type { Series } from '../../parts/chart/series.ts';
import { Empty } from '../../parts/states.tsx';
import { sinceFirstUse } from './first-use.ts';

type SpendChartProps = Readonly<{
  /** Describes the chart to screen readers. */
  label: string;
  /** The start of each of the last 30 days, as ISO 8601. */
  days: readonly string[];
  /** What each group was charged in USD, by day. */
  series: readonly Series[];
}>;

/** What requests were charged in the last 30 days, or since the first of them, with a legend. */
export function SpendChart({ label, days, series }: SpendChartProps) {
  if (series.length === 0) {
    return (
      <Empty icon={<ChartColumn />} title="No usage">
        There were no requests in the last 30 days.
      </Empty>
    );
  }
  const shown = sinceFirstUse(days, series);
  return (
    <ChartGroup>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <StackedChart
          label={label}
          starts={shown.days}
          series={shown.series}
          tick={utcDay}
          zone="UTC"
          format={shownHeight}
          line={exactHeight}
        />
        <Legend series={series} />
      </div>
    </ChartGroup>
  );
}
