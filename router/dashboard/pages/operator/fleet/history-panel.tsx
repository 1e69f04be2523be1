/** The history of the fleet, or of one host. Its filters are in the address. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { fleetHistoryQuery } from '../../../api/fleet-history.ts';
import {
  compactCount,
  shownCount,
  shownMs,
  shownShare,
  shownSpeed,
} from '../../../format/count.ts';
import { useSearchChange } from '../../../parts/use-search-change.ts';
import { Legend, LineChart } from '../../../parts/chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Segmented } from '../../../parts/segmented.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { numeric, Table, Td } from '../../../parts/table.tsx';
import { type HistorySearch, historySearch } from '../../../operator-search.ts';
import { useZone } from '../../../zone.ts';
import { tickOf, zoneOf } from '../../usage/labels.ts';
import { HistoryFilters } from './history-filters.tsx';
import {
  errorsOf,
  groupName,
  hitShareOf,
  linesOf,
  type Measure,
  MEASURES,
  requestsOf,
  startsOf,
} from './history-series.ts';

const SPANS = [
  { value: 'hour', name: 'Hour' },
  { value: 'day', name: 'Day' },
  { value: 'week', name: 'Week' },
  { value: 'month', name: '30 days' },
] as const;

type By = NonNullable<HistorySearch['by']> | 'worker';

/** `agent`: only this host, by worker. `models`: what may be filtered by. */
export function HistoryPanel({ agent, models = [] }: { agent?: string; models?: string[] }) {
  const search: HistorySearch = useSearch({ strict: false });
  const change = useSearchChange(historySearch, { replaces: false });
  const { span = 'hour', model, region } = search;
  const by: By | undefined = agent === undefined ? search.by : 'worker';
  const narrowed = agent === undefined ? { model, region } : { agent };
  const history = useQuery(fleetHistoryQuery({ span, group_by: by, ...narrowed }));
  return (
    <Panel
      title="History"
      description={`Averages of each bucket. ${zoneOf('minute', useZone())}`}
      actions={
        <Segmented
          label="Span"
          value={span}
          choices={SPANS}
          onChange={(chosen) => change({ span: chosen })}
        />
      }
    >
      <div className="grid gap-4">
        {agent === undefined && <HistoryFilters {...{ search, change, models }} />}
        <Loaded query={history}>
          {(shown) => <Charts history={shown} by={by ?? null} span={span} />}
        </Loaded>
      </div>
    </Panel>
  );
}

type ChartsProps = Readonly<{
  history: FleetHistory;
  by: By | null;
  span: NonNullable<HistorySearch['span']>;
}>;

function Charts({ history, by, span }: ChartsProps) {
  const zone = useZone();
  const names = history.groups.map((group) => groupName(group, by));
  if (history.groups.every(({ points }) => points.length === 0)) {
    return (
      <Empty title="No history in this span">
        Routers add what they observe once a minute. Choose a longer span, or remove a filter.
      </Empty>
    );
  }
  // A figure of a host or a worker is one of attempts, and any other is one of requests.
  const isOfHosts = by === 'worker' || by === 'agent';
  const tick = tickOf(span === 'hour' || span === 'day' ? 'minute' : 'hour', zone);
  return (
    <>
      {by !== null && <Legend series={names.map((name) => ({ name }))} />}
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {MEASURES.map((measure) => (
          <figure key={measure.title} className="grid min-w-0 content-start gap-1">
            <figcaption className="text-xs font-medium">
              {measure.title}
              {measure.note && (
                <span className="block font-normal text-muted">
                  {measure.note[isOfHosts ? 'host' : 'fleet']}
                </span>
              )}
            </figcaption>
            <Chart {...{ history, measure, names, tick }} of={by === 'worker' ? 'host' : 'fleet'} />
          </figure>
        ))}
      </div>
      <Totals history={history} by={by} names={names} />
      {history.omitted > 0 && (
        <p className="text-xs text-muted">
          The busiest {shownCount(history.groups.length)} are shown. {shownCount(history.omitted)}{' '}
          more are left out.
        </p>
      )}
    </>
  );
}

type ChartProps = Readonly<{
  history: FleetHistory;
  measure: Measure;
  names: readonly string[];
  tick: (start: string) => string;
  of: 'host' | 'fleet';
}>;

/** The line of each group, or a sentence where there is no figure at all. */
function Chart({ history, measure, names, tick, of }: ChartProps) {
  const zone = useZone();
  const series = linesOf(history, measure, names);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  if (isEmpty && measure.none) {
    return (
      <p className="grid h-36 place-items-center rounded-lg border border-dashed px-4 text-center text-sm text-muted">
        {measure.none[of]}
      </p>
    );
  }
  return (
    <LineChart
      label={`${measure.title}, over time`}
      starts={startsOf(history)}
      series={series}
      tick={tick}
      zone={zone}
      format={measure.format}
      most={measure.most}
      whole={measure.whole}
    />
  );
}

const NAMED: Readonly<Record<By, string>> = {
  model: 'Model',
  region: 'Region',
  agent: 'Host',
  worker: 'Worker',
};

type TotalsProps = Readonly<{ history: FleetHistory; by: By | null; names: readonly string[] }>;

/** The figures of the whole span, for each group. */
function Totals({ history, by, names }: TotalsProps) {
  const dash = (value: number | null, format: (value: number) => string): ReactNode =>
    value === null ? <span className="text-muted">–</span> : format(value);
  return (
    <Table
      label="Totals of the span"
      columns={[
        by ? NAMED[by] : 'Fleet',
        numeric('Requests'),
        numeric('Errors'),
        numeric('Completion tokens'),
        numeric('First token p50'),
        numeric('First token p95'),
        numeric('Tokens/s per answer'),
        numeric('Prefix hits'),
        numeric('Available'),
      ]}
    >
      {history.groups.map(({ agent, total }, index) => (
        <tr key={names[index]}>
          <Td className="whitespace-nowrap font-medium">
            {by === 'agent' && agent !== null ? (
              <Link to="/operator/hosts/$agent" params={{ agent }} className="hover:underline">
                {names[index]}
              </Link>
            ) : (
              names[index]
            )}
          </Td>
          <Td right>{shownCount(requestsOf(total))}</Td>
          <Td right>{shownCount(errorsOf(total))}</Td>
          <Td right>{compactCount(total.completion_tokens)}</Td>
          <Td right>{dash(total.ttft_ms?.p50 ?? null, shownMs)}</Td>
          <Td right>{dash(total.ttft_ms?.p95 ?? null, shownMs)}</Td>
          <Td right>{dash(total.speed?.p50 ?? null, shownSpeed)}</Td>
          <Td right>{dash(hitShareOf(total), shownShare)}</Td>
          <Td right>{dash(total.availability, shownShare)}</Td>
        </tr>
      ))}
    </Table>
  );
}
