/** Money and tokens of the last 30 days. */
import { Link } from '@tanstack/react-router';
import type { PlatformSummary } from '../../../../../shared/api/platform.ts';
import { compactCount } from '../../../format/count.ts';
import { exactHeight, heightOf, shownHeight, sumUsd } from '../../../format/usd.ts';
import { LineChart } from '../../../parts/chart/chart.tsx';
import { ChartGroup } from '../../../parts/chart/chart-group.tsx';
import { Legend } from '../../../parts/chart/legend.tsx';
import { PhoneFold } from '../../../parts/list/phone-fold.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Money } from '../../../parts/shown.tsx';
import { tickOf } from '../../usage/labels.ts';
import { useIncidentMarks } from '../history/use-marks.ts';
import { besidePaidIn, netPaidIn } from './paid-in.ts';

type Days = PlatformSummary['days'];

/** The charts beside each other stand at the bottom of their panels, however long the text above is. */
const ALIGNED = 'flex flex-col [&>div]:mt-auto';

export function PlatformDays({ days }: { days: Days }) {
  const starts = days.map(({ day }) => day);
  const marks = useIncidentMarks();
  const refunds = days.map(({ refunds: each }) => Math.abs(heightOf(each)));
  const beside = besidePaidIn(days);
  // The lines begin at zero, and a day may have more refunds than payments: they have their own.
  const money = [
    { name: 'Payments', values: days.map(({ payments }) => heightOf(payments)) },
    ...(refunds.some((each) => each > 0) ? [{ name: 'Refunds', values: refunds }] : []),
    { name: 'Charged for requests', values: days.map(({ usage }) => heightOf(usage)) },
  ];
  const tokens = [
    { name: 'Prompt tokens', values: days.map(({ prompt_tokens: count }) => count) },
    { name: 'Completion tokens', values: days.map(({ completion_tokens: count }) => count) },
  ];
  return (
    <ChartGroup>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
        <Panel
          title="Money by day"
          className={ALIGNED}
          flush
          description={
            <>
              Last 30 days: <Money amount={netPaidIn(days)} /> paid in
              {beside.length > 0 && ` (${beside.join(', ')})`} and{' '}
              <Money amount={sumUsd(days.map(({ usage }) => usage))} /> charged.
            </>
          }
          actions={
            <Link to="/operator/organizations" className="text-sm text-accent hover:underline">
              Organizations
            </Link>
          }
        >
          <PhoneFold what="the chart">
            <div className="px-5 pb-4 max-md:pt-3">
              <LineChart
                className="h-48"
                label="Money by day, in the last 30 days"
                starts={starts}
                series={money}
                tick={tickOf('day', 'UTC')}
                zone="UTC"
                format={shownHeight}
                line={exactHeight}
                together="days"
                isOpen
                marks={marks}
              />
              <Legend series={money} />
            </div>
          </PhoneFold>
        </Panel>
        <Panel
          title="Tokens by day"
          className={ALIGNED}
          flush
          description={`${compactCount(totalOf(days, 'prompt_tokens'))} prompt and ${compactCount(totalOf(days, 'completion_tokens'))} completion tokens in the last 30 days.`}
          actions={
            <Link
              to="/operator/fleet"
              search={{ span: 'month', by: 'model' }}
              className="text-sm text-accent hover:underline"
            >
              By model
            </Link>
          }
        >
          <PhoneFold what="the chart">
            <div className="px-5 pb-4 max-md:pt-3">
              <LineChart
                className="h-48"
                label="Tokens by day, in the last 30 days"
                starts={starts}
                series={tokens}
                tick={tickOf('day', 'UTC')}
                zone="UTC"
                format={compactCount}
                whole
                together="days"
                isOpen
                marks={marks}
              />
              <Legend series={tokens} />
            </div>
          </PhoneFold>
        </Panel>
      </div>
    </ChartGroup>
  );
}

function totalOf(days: Days, of: 'prompt_tokens' | 'completion_tokens'): number {
  return days.reduce((sum, day) => sum + day[of], 0);
}
