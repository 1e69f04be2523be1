import {
  keepPreviousData,
  usePrefetchInfiniteQuery,
  usePrefetchQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { ChartColumn, RefreshCw } from 'lucide-react';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { ofOrganization } from '../../api/organization.ts';
import { summaryCsv, summaryQuery } from '../../api/usage.ts';
import { dayText } from '../../format/utc.ts';
import { Button } from '../../parts/form/button.tsx';
import { ChartWaiting } from '../../parts/chart/chart.tsx';
import { cx } from '../../parts/class-names.ts';
import { FoldButton, useFold } from '../../parts/list/folded-filters.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { ResetZoom } from '../../parts/chart/reset-zoom.tsx';
import { Empty, Loaded, Skeleton } from '../../parts/states.tsx';
import { useZoom } from '../../parts/chart/use-zoom.ts';
import { ZoneChoice } from '../../parts/zone-choice.tsx';
import type { LogsSearch } from '../../search.ts';
import { useOrganization } from '../../session.tsx';
import { useZone } from '../../zone.ts';
import { narrowingOf, NO_FILTERS } from './address.ts';
import { mostGroupsFilter } from './most-groups.ts';
import type { Bucket } from './buckets.ts';
import { Filters } from './filters.tsx';
import { FirstRequestHelp, FirstRequestText, useLack } from './first-request-help.tsx';
import { costDecimals } from './cost-decimals.ts';
import { GroupsTable } from './groups-table.tsx';
import { comparedShown, isWholeDays } from './labels.ts';
import { LatestRequests, latestQuery } from './latest-requests.tsx';
import { logsSearchOf } from './logs-search.ts';
import { RangePicker } from './range-picker.tsx';
import { type Refused, RefusedLink, RefusedOfModel, useRefused } from './refused-count.tsx';
import { GROUPS, spanOf } from './span.ts';
import { TILES, Totals } from './totals.tsx';
import { UsageChart } from './usage-chart.tsx';
import { useAddress } from './use-address.ts';
import { useAsOf } from './use-as-of.ts';
import { isComparable } from './previous-period.ts';
import { usePreviousPeriod } from './use-previous-period.ts';

export default function UsagePage() {
  const organization = useOrganization();
  // The key hides the usage of one organization while the usage of another is loading.
  return <Usage key={organization} />;
}

function Usage() {
  const organization = useOrganization();
  const zone = useZone();
  const queries = useQueryClient();
  const filters = useFold();
  const address = useAddress();
  const { search, change } = address;
  const { range, from, to, bucket } = search;
  const zoom = useZoom({ range, from, to, bucket }, change);
  const [asOf, toNow] = useAsOf();
  const span = spanOf(search, asOf);
  const narrowing = narrowingOf(search);
  const asked = { start: span.start, ...(span.end ? { end: span.end } : {}), ...narrowing };
  const summaryAsk = { ...asked, bucket: span.bucket, group_by: search.group ?? 'model' };
  // The slowest calls begin first: a browser makes only six at once. The list is shown with the
  // summary, but need not wait for it.
  const summarize = summaryQuery(organization, { ...summaryAsk, groups: GROUPS });
  usePrefetchQuery(summarize);
  usePrefetchInfiniteQuery(latestQuery(organization, asked));
  const summary = useQuery({
    ...summarize,
    placeholderData: keepPreviousData,
  });
  // The chart has no group of all others if it has all groups.
  const hasMore =
    !summary.isPlaceholderData && (summary.data?.groups.some(({ other }) => other) ?? false);
  const all = useQuery({
    ...summaryQuery(organization, { ...summaryAsk, ...mostGroupsFilter(span, asOf) }),
    enabled: hasMore,
  }).data;
  const previous = usePreviousPeriod(span, narrowing, asOf);
  const compared =
    summary.data && previous && isComparable(previous.totals, summary.data.totals)
      ? previous
      : undefined;
  const refused = useRefused(span, narrowing);
  const logs = logsSearchOf(search, span);
  const decimals = (answer: UsageSummary) => costDecimals(answer, (hasMore && all) || answer);
  const refresh = () => {
    toNow();
    void queries.invalidateQueries({ queryKey: ofOrganization(organization, 'usage') });
  };
  return (
    <Page
      title="Usage"
      description="Requests, tokens and cost over time."
      actions={
        <>
          {zoom.onReset && <ResetZoom onReset={zoom.onReset} />}
          {!isWholeDays(span.bucket) && <ZoneChoice notOnPhone />}
          {/* On a phone, all but the ranges are one line below them. */}
          <RangePicker {...address} asOf={asOf} />
          <FoldButton fold={filters} count={Object.keys(narrowing).length} />
          <Button square aria-label="Refresh" busy={summary.isFetching} onClick={refresh}>
            <RefreshCw />
          </Button>
        </>
      }
    >
      <Filters {...address} fold={filters} />
      <Loaded query={summary} loading={<Skeletons />}>
        {(answer) =>
          answer.totals.requests === 0 ? (
            <NoRequests
              isNarrowed={Object.keys(narrowing).length > 0}
              refused={refused}
              logs={logs}
              onWiden={() => change(NO_FILTERS)}
            />
          ) : (
            <div
              aria-busy={summary.isPlaceholderData}
              className={cx(
                'grid grid-cols-[minmax(0,1fr)] gap-6 transition-opacity',
                summary.isPlaceholderData && 'opacity-60',
              )}
            >
              <div className="grid gap-2">
                <Totals
                  totals={answer.totals}
                  decimals={decimals(answer)}
                  previous={compared?.totals ?? null}
                  refused={refused}
                  logs={logs}
                />
                {compared !== undefined && (
                  <p className="text-xs text-muted">
                    Compared with the previous period,{' '}
                    {comparedShown(
                      { ...compared, bucket: compared.bucket as Bucket },
                      span.bucket,
                      zone,
                    )}
                    .
                  </p>
                )}
              </div>
              <UsageChart
                {...address}
                summary={answer}
                decimals={decimals(answer).cost}
                span={span}
                asOf={asOf}
                onZoom={({ from: first, until }) =>
                  zoom.onZoom({ from: dayText(first), to: dayText(until - 1) })
                }
              />
              <GroupsTable
                key={answer.group_by}
                summary={answer}
                all={(hasMore && all) || answer}
                decimals={decimals(answer)}
                csv={summaryCsv(organization, summaryAsk)}
                change={change}
              />
              <LatestRequests query={asked} decimals={decimals(answer).cost} logs={logs} />
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function titleOf(isNarrowed: boolean, refused: number): string {
  if (isNarrowed) return 'No requests match these filters';
  return refused > 0 ? 'No request was admitted in this period' : 'No requests in this period';
}

type NoRequestsProps = Readonly<{
  isNarrowed: boolean;
  refused: Refused;
  logs: LogsSearch;
  onWiden: () => void;
}>;

function NoRequests({ isNarrowed, refused, logs, onWiden }: NoRequestsProps) {
  const lack = useLack();
  const count = refused.count ?? 0;
  return (
    <Panel>
      <Empty
        icon={<ChartColumn />}
        title={titleOf(isNarrowed, count)}
        action={
          isNarrowed ? (
            <Button onClick={onWiden}>Clear filters</Button>
          ) : (
            <FirstRequestHelp lack={lack} />
          )
        }
      >
        {isNarrowed ? (
          'Remove a filter or choose a longer period.'
        ) : (
          <FirstRequestText lack={lack}>
            Requests appear here with their tokens and cost as soon as they have ended.
          </FirstRequestText>
        )}
        {refused.isOfModel && (
          <span className="mt-2 block">
            <RefusedOfModel logs={logs} />
          </span>
        )}
        {count > 0 && (
          <span className="mt-2 block">
            Requests that were refused are in the logs: <RefusedLink refused={count} logs={logs} />
          </span>
        )}
      </Empty>
    </Panel>
  );
}

function Skeletons() {
  return (
    <div className="grid gap-6">
      <div className={TILES}>
        {['cost', 'requests', 'tokens', 'cached', 'ttft', 'duration', 'speed'].map((name) => (
          <Skeleton key={name} className="h-24 w-full" />
        ))}
      </div>
      <ChartWaiting className="h-80" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
