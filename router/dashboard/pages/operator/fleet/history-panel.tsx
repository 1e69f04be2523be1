/** The history of the fleet, or of one host. Its time and its filters are in the address. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DAY_MS, HOUR_MS } from '../../../../../shared/durations.ts';
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { fleetHistoryQuery, type GroupedHistory } from '../../../api/fleet-history.ts';
import {
  compactCount,
  shownCount,
  shownMs,
  shownShare,
  shownSmallShare,
  shownSpeed,
} from '../../../format/count.ts';
import { ChartGroup } from '../../../parts/chart/chart-group.tsx';
import { Legend } from '../../../parts/chart/legend.tsx';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { useZoom } from '../../../parts/chart/use-zoom.ts';
import { Panel } from '../../../parts/page.tsx';
import type { Mark } from '../../../parts/chart/series.ts';
import { Loaded } from '../../../parts/states.tsx';
import { numeric, Table, Td } from '../../../parts/list/table.tsx';
import { type HistorySearch, historySearch } from '../../../operator-search.ts';
import { useZone } from '../../../zone.ts';
import { chosenTime } from '../../logs/log-time.ts';
import { tickOf, zoneOf } from '../../usage/labels.ts';
import { useAsOf } from '../../usage/use-as-of.ts';
import { FigureGrid } from '../history/figure-grid.tsx';
import { HistoryFigure } from '../history/history-figure.tsx';
import { bucketInWords, labelledBy, rangeOf, startsOf } from '../history/history-range.ts';
import { HistoryTime } from '../history/history-time.tsx';
import { MarkList } from '../history/mark-list.tsx';
import { SPANS } from '../history/spans.ts';
import { useFleetMarks, useHostMarks } from '../history/use-marks.ts';
import { Nothing } from '../nothing.tsx';
import { HistoryFilters } from './history-filters.tsx';
import {
  errorShareOf,
  errorsOf,
  groupName,
  hitShareOf,
  linesOf,
  type Measure,
  MEASURES,
  requestsOf,
} from './history-series.ts';

const CHOICES = [SPANS.hour, SPANS.day, SPANS.week, SPANS.month];

const SPAN_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

type By = NonNullable<HistorySearch['by']> | 'worker';

/** Less than the 35 days of the store: a page may stay open. */
const REACH_MS = 34 * DAY_MS;

/** The history of the fleet. `models`: what may be filtered by. */
export function FleetHistoryPanel({ models }: { models: string[] }) {
  const search: HistorySearch = useSearch({ strict: false });
  const { span = 'hour', model, region } = search;
  const [asOf] = useAsOf();
  const range = rangeOf(search, asOf, REACH_MS);
  const from = range?.start ?? new Date(asOf - SPAN_MS[span]).toISOString();
  const marks = useFleetMarks({ model, region }, { from, until: range?.end });
  return <HistoryPanel models={models} marks={marks} />;
}

/** The history of one host, by worker. */
export function HostHistoryPanel({ agent }: { agent: string }) {
  return <HistoryPanel agent={agent} marks={useHostMarks(agent)} />;
}

type PanelProps = Readonly<{ agent?: string; models?: string[]; marks: readonly Mark[] }>;

function HistoryPanel({ agent, models = [], marks }: PanelProps) {
  const search: HistorySearch = useSearch({ strict: false });
  const change = useSearchChange(historySearch, { replaces: false });
  const zoom = useZoom({ span: search.span, from: search.from, to: search.to }, change);
  const { span = 'hour', model, region } = search;
  const [asOf] = useAsOf();
  const zone = useZone();
  const range = rangeOf(search, asOf, REACH_MS);
  const by: By | undefined = agent === undefined ? search.by : 'worker';
  const narrowed = agent === undefined ? { model, region } : { agent };
  const time = range ?? { span };
  const history = useQuery(fleetHistoryQuery({ ...time, group_by: by, ...narrowed }));
  const isFiltered = agent === undefined && Boolean(by ?? model ?? region);
  const none = history.data !== undefined && isEmpty(history.data);
  return (
    <Panel
      title="History"
      description={
        !none && (
          <>
            {history.data && `Averages over ${bucketInWords(history.data.bucket_seconds)}. `}
            <span className="max-sm:hidden pointer-coarse:hidden">
              Drag over a chart to zoom in.
            </span>{' '}
            {zoneOf('minute', zone)}
          </>
        )
      }
      actions={
        <HistoryTime
          span={span}
          choices={CHOICES}
          range={range}
          shown={history.data}
          onReset={zoom.onReset}
          onChange={change}
        />
      }
    >
      <div className="grid gap-4">
        {agent === undefined && (!none || isFiltered) && (
          <HistoryFilters {...{ search, change, models }} />
        )}
        <ChartGroup onZoom={({ from, until }) => zoom.onZoom(chosenTime(from, until))}>
          <Loaded query={history}>
            {(shown) =>
              isEmpty(shown) ? (
                <Nothing title="No history in this span">
                  Routers add what they observe once a minute. Choose a longer span
                  {isFiltered && ', or remove a filter'}.
                </Nothing>
              ) : (
                <Charts
                  history={shown}
                  marks={marks}
                  isOpen={range === undefined && !isSparse(shown)}
                />
              )
            }
          </Loaded>
        </ChartGroup>
        {agent === undefined && history.data && (
          <MarkList marks={marks} start={history.data.start} end={range?.end} />
        )}
      </div>
    </Panel>
  );
}

function isEmpty({ groups }: FleetHistory): boolean {
  return groups.every(({ points }) => points.length === 0);
}

/** The dots of so few values could not be drawn as those of a bucket that is not over. */
function isSparse({ groups }: FleetHistory): boolean {
  return groups.every(({ points }) => points.length < 3);
}

type ChartsProps = Readonly<{
  history: GroupedHistory;
  marks: readonly Mark[];
  /** The last bucket is not over. */
  isOpen: boolean;
}>;

function Charts({ history, marks, isOpen }: ChartsProps) {
  const zone = useZone();
  const by = history.groupedBy;
  const names = history.groups.map((group) => groupName(group, by));
  const isOfHosts = isOfAttempts(by);
  const tick = tickOf(labelledBy(history), zone);
  const starts = startsOf(history, history.bucket_seconds);
  const figures = MEASURES.map((measure) => ({
    measure,
    title: (isOfHosts && measure.ofAttempts) || measure.title,
    series: linesOf(history, measure, names),
    none: measure.none?.[by === 'worker' ? 'host' : 'fleet'],
  }));
  const [drawn, missing] = [
    figures.filter((figure) => !isMissing(figure)),
    figures.filter(isMissing),
  ];
  return (
    <>
      {by !== null && <Legend series={names.map((name) => ({ name }))} />}
      <FigureGrid>
        {drawn.map(({ measure, title, series }) => (
          <HistoryFigure
            key={measure.title}
            title={title}
            note={measure.note?.[isOfHosts ? 'host' : 'fleet']}
            series={series}
            format={measure.format}
            most={measure.most}
            least={measure.least}
            whole={measure.whole}
            {...{ starts, tick, zone, marks, isOpen }}
          />
        ))}
      </FigureGrid>
      <Missing figures={missing} />
      {/* Its rows begin where the charts do, also as cards. */}
      <div className="md:-mx-5">
        <Totals history={history} by={by} names={names} />
      </div>
      {history.omitted > 0 && (
        <p className="text-xs text-muted">
          The busiest {shownCount(history.groups.length)} are shown. {shownCount(history.omitted)}{' '}
          more are left out.
        </p>
      )}
    </>
  );
}

/** A figure of a host or a worker is one of attempts, and any other is one of requests. */
function isOfAttempts(by: By | null): boolean {
  return by === 'worker' || by === 'agent';
}

type Figure = Readonly<{
  measure: Measure;
  title: string;
  series: ReturnType<typeof linesOf>;
  /** Why there is no value. */
  none: string | undefined;
}>;

/** Whether a chart would be empty, and a sentence says why. */
function isMissing({ series, none }: Figure): boolean {
  return none !== undefined && series.every(({ values }) => values.every((one) => one === null));
}

/** The charts that are left out, by the reason: "No host reports GPU figures. Not shown: GPU utilization." */
function Missing({ figures }: { figures: readonly Figure[] }) {
  const reasons = Map.groupBy(figures, ({ none }) => none);
  if (figures.length === 0) return null;
  return (
    <div className="grid gap-1 text-xs text-muted">
      {[...reasons].map(([reason, own]) => (
        <p key={reason}>
          {reason} Not shown: {own.map(({ title }) => title).join('; ')}.
        </p>
      ))}
    </div>
  );
}

const NAMED: Readonly<Record<By, string>> = {
  model: 'Model',
  region: 'Region',
  agent: 'Host',
  worker: 'Worker',
};

type TotalsProps = Readonly<{ history: FleetHistory; by: By | null; names: readonly string[] }>;

function quantilesInWords({ p50, p95, p99 }: NonNullable<FleetFigures['ttft_ms']>): string {
  return [p50, p95, p99 ?? null].map(shownMs).join(' / ');
}

/** The figures of the whole span, for each group. */
function Totals({ history, by, names }: TotalsProps) {
  const dash = (value: number | null, format: (value: number) => string): ReactNode =>
    value === null ? '–' : format(value);
  return (
    <Table
      label="Totals of the span"
      columns={[
        by ? NAMED[by] : 'Fleet',
        numeric('Requests'),
        numeric(isOfAttempts(by) ? 'Failed attempts' : 'Failed requests'),
        numeric('Completion tokens'),
        numeric('First token, p50 / p95 / p99'),
        numeric('Tokens/s, p50'),
        numeric('Prefix hits'),
        numeric('Available'),
      ]}
    >
      {history.groups.map(({ agent, total }, index) => (
        <tr key={`${index} ${names[index]}`}>
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
          <Td right className="whitespace-nowrap">
            {shownCount(errorsOf(total))}
            {errorsOf(total) > 0 && ` (${shownSmallShare(errorShareOf(total))})`}
          </Td>
          <Td right>{compactCount(total.completion_tokens)}</Td>
          <Td right className="whitespace-nowrap">
            {total.ttft_ms === null ? '–' : quantilesInWords(total.ttft_ms)}
          </Td>
          <Td right>{dash(total.speed?.p50 ?? null, shownSpeed)}</Td>
          <Td right>{dash(hitShareOf(total), shownShare)}</Td>
          <Td right>{dash(total.availability, shownShare)}</Td>
        </tr>
      ))}
    </Table>
  );
}
