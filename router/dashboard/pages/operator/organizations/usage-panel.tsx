/** What an organization uses: the charges of each day by model, its top models and keys, refusals. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageSummary } from '../../../../../shared/api/usage.ts';
import { summaryQuery } from '../../../api/usage.ts';
import { shownCount } from '../../../format/count.ts';
import { heightOf, shownUsd } from '../../../format/usd.ts';
import { Button } from '../../../parts/form/button.tsx';
import { ChartWaiting } from '../../../parts/chart/chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { foremost, MoneyCell, numeric, Table, Td } from '../../../parts/list/table.tsx';
import { drawnOf, groupsOf } from '../../usage/series.ts';
import { GROUPS, spanOf } from '../../usage/span.ts';
import { SpendChart } from '../../usage/spend-chart.tsx';
import { useAsOf } from '../../usage/use-as-of.ts';
import { useKeptColours } from '../../usage/use-kept-colours.ts';
import { Nothing } from '../nothing.tsx';

/** How many models and keys are listed. */
const TOP = 5;

export function UsagePanel({ organization }: { organization: string }) {
  const [asOf] = useAsOf();
  const { start } = spanOf({ range: '30d' }, asOf);
  const by = (group_by: string) =>
    summaryQuery(organization, { start, bucket: 'day', group_by, groups: GROUPS });
  const models = useQuery(by('model'));
  const keys = useQuery(by('key'));
  const isUnused = models.data !== undefined && groupsOf(models.data).length === 0;
  return (
    <>
      <Panel
        title="Charges by day"
        description="What requests were charged in the last 30 days (UTC), by model."
        actions={
          <Button size="small" asChild>
            <Link to="/$organization/usage" params={{ organization }} search={{}}>
              All usage
            </Link>
          </Button>
        }
      >
        <Loaded query={models} loading={<ChartWaiting />}>
          {(summary) =>
            isUnused ? (
              <Nothing title="No requests in the last 30 days" />
            ) : (
              <Chart summary={summary} />
            )
          }
        </Loaded>
      </Panel>
      {!isUnused && (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
          <Panel flush title="Top models" description="By charges in the last 30 days (UTC).">
            <Loaded query={models}>{(summary) => <Top of="Model" summary={summary} />}</Loaded>
          </Panel>
          <Panel flush title="Top keys" description="By charges in the last 30 days (UTC).">
            <Loaded query={keys}>{(summary) => <Top of="Key" summary={summary} />}</Loaded>
          </Panel>
        </div>
      )}
    </>
  );
}

function Chart({ summary }: { summary: UsageSummary }) {
  useKeptColours(summary);
  const { starts, series } = drawnOf(summary, ({ cost }) => heightOf(cost), 0);
  const label = `Charges by model and day: ${shownUsd(summary.totals.cost)} in the last 30 days.`;
  return <SpendChart label={label} days={starts} series={series} />;
}

function Top({ of, summary }: Readonly<{ of: 'Model' | 'Key'; summary: UsageSummary }>) {
  const rows = groupsOf(summary)
    .filter(({ group }) => !group.other)
    .slice(0, TOP);
  if (rows.length === 0) return <Nothing flush title="No requests in this time" />;
  return (
    <Table
      label={`Top ${of.toLowerCase()}s`}
      columns={[of, numeric('Requests'), numeric('Failed'), foremost(numeric('Charged'))]}
    >
      {rows.map(({ name, group: { requests, errors, cost } }) => (
        <tr key={name}>
          <Td className="max-w-64 truncate">{name}</Td>
          <Td right>{shownCount(requests)}</Td>
          <Td right>{shownCount(errors)}</Td>
          <MoneyCell amount={cost} />
        </tr>
      ))}
    </Table>
  );
}
