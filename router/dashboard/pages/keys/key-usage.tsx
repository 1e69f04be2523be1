import { useQuery } from '@tanstack/react-query';
import type { Key } from '../../../../shared/api/keys.ts';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { summaryQuery } from '../../api/usage.ts';
import { shownCount } from '../../format/count.ts';
import { heightOf, shownUsd } from '../../format/usd.ts';
import { ChartWaiting } from '../../parts/chart/chart.tsx';
import { Panel } from '../../parts/page.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { RefusedLink, useRefused } from '../usage/refused-count.tsx';
import { drawnOf } from '../usage/series.ts';
import { GROUPS, spanOf } from '../usage/span.ts';
import { SpendChart } from '../usage/spend-chart.tsx';
import { useAsOf } from '../usage/use-as-of.ts';
import { useKeptColours } from '../usage/use-kept-colours.ts';

const RANGE = '30d';

/** What the key has spent in the last 30 days, by day and model. */
export function KeyUsage({ row }: { row: Key }) {
  const [asOf] = useAsOf();
  const span = spanOf({ range: RANGE }, asOf);
  const refused = useRefused(span, { key: [row.id] });
  const asked = {
    key: [row.id],
    start: span.start,
    bucket: 'day',
    group_by: 'model',
    groups: GROUPS,
  };
  const query = useQuery(summaryQuery(useOrganization(), asked));
  return (
    <Panel title="Spend by model" description={descriptionOf(query.data)}>
      <Loaded query={query} loading={<ChartWaiting />}>
        {(summary) =>
          summary.totals.requests === 0 ? (
            <NoUsage id={row.id} refused={refused.count ?? 0} />
          ) : (
            <Chart summary={summary} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function descriptionOf(summary: UsageSummary | undefined): string {
  const span = 'Last 30 days (UTC)';
  return summary?.totals.requests ? `${span}, ${totalOf(summary)}` : span;
}

/** `refused`: how many requests were refused. */
function NoUsage({ id, refused }: Readonly<{ id: string; refused: number }>) {
  if (refused === 0) {
    return <Empty title="No usage">This key has sent no requests in the last 30 days.</Empty>;
  }
  return (
    <Empty title="All requests were refused">
      No request of the last 30 days was served, and nothing was charged. See the logs:{' '}
      <RefusedLink refused={refused} logs={{ range: RANGE, key: id }} />
    </Empty>
  );
}

function Chart({ summary }: { summary: UsageSummary }) {
  useKeptColours(summary);
  const { starts, series } = drawnOf(summary, (sums) => heightOf(sums.cost), 0);
  return (
    <SpendChart
      label={`Spend of this key by model and day: ${totalOf(summary)} in 30 days`}
      days={starts}
      series={series}
    />
  );
}

function totalOf({ totals: { requests, cost } }: UsageSummary): string {
  return `${shownUsd(cost)} for ${shownCount(requests)} ${requests === 1 ? 'request' : 'requests'}`;
}
