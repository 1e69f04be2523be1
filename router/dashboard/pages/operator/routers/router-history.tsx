/** What one router has served over time, and how its process was. Its time is in the address. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../shared/durations.ts';
import type { Router, RouterHistory } from '../../../../../shared/api/routers.ts';
import { routerHistoryQuery } from '../../../api/fleet.ts';
import {
  compactCount,
  shownBytes,
  shownMs,
  shownShare,
  shownSpeed,
} from '../../../format/count.ts';
import { type RouterSearch, routerSearch } from '../../../operator-search.ts';
import { useSearchChange } from '../../../parts/list/use-search-change.ts';
import { useZoom } from '../../../parts/chart/use-zoom.ts';
import type { Mark } from '../../../parts/chart/series.ts';
import { ChartGroup } from '../../../parts/chart/chart-group.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { useZone } from '../../../zone.ts';
import { chosenTime } from '../../logs/log-time.ts';
import { tickOf, zoneOf } from '../../usage/labels.ts';
import { useAsOf } from '../../usage/use-as-of.ts';
import { FigureGrid } from '../history/figure-grid.tsx';
import { HistoryFigure } from '../history/history-figure.tsx';
import {
  bucketInWords,
  type HistoryRange,
  labelledBy,
  rangeOf,
  startsOf,
} from '../history/history-range.ts';
import { HistoryTime } from '../history/history-time.tsx';
import { MarkList } from '../history/mark-list.tsx';
import { useMarkedAlarms } from '../history/marked-alarms.ts';
import { SPANS } from '../history/spans.ts';
import { useIncidentMarks } from '../history/use-marks.ts';
import { Nothing } from '../nothing.tsx';
import { REQUEST_RATE, requestsPerSecond, shownRequestRate } from '../request-rate.ts';
import { marksOfRouter, marksOfRouterAlarms } from './router-marks.ts';

const CHOICES = [SPANS.hour, SPANS.day, SPANS.week];

type Point = RouterHistory['points'][number];

type Measure = Readonly<{
  title: string;
  note: string;
  /** The names of several lines are in their legend. */
  lines: readonly Readonly<{ name: string; of: (point: Point) => number | null }>[];
  format: (value: number) => string;
  /** The top of the axis is at least this. */
  least?: number;
  whole?: boolean;
}>;

/** The grid lines of the memory are round in this. */
const MIB = 2 ** 20;

const MEASURES: readonly Measure[] = [
  {
    title: REQUEST_RATE,
    note: 'All that ended, refused ones included.',
    lines: [
      { name: 'Requests', of: ({ requests, seconds }) => requestsPerSecond(requests, seconds) },
    ],
    format: shownRequestRate,
  },
  {
    title: 'Failed',
    note: 'The share of requests with a status of 5xx.',
    lines: [
      {
        name: 'Failed',
        of: ({ requests, errors }) => (requests === 0 ? null : errors / requests),
      },
    ],
    format: shownShare,
    // Without failures, the axis would otherwise reach to 100%.
    least: 0.01,
  },
  {
    title: 'Tokens per second',
    note: 'Completion tokens that were charged.',
    lines: [{ name: 'Tokens', of: ({ completion_tokens: tokens, seconds }) => tokens / seconds }],
    format: shownSpeed,
  },
  {
    title: 'Time to first token',
    note: 'From when the request arrives, with its time in queues.',
    lines: [
      { name: 'p50', of: ({ ttft_p50_ms: ms = null }) => ms },
      { name: 'p95', of: ({ ttft_p95_ms: ms = null }) => ms },
    ],
    format: shownMs,
  },
  {
    title: 'Requests running',
    note: 'The most at once, with those that wait.',
    lines: [{ name: 'Requests', of: ({ running = null }) => running }],
    format: compactCount,
    whole: true,
  },
  {
    title: 'Memory',
    note: 'The most resident memory of its process.',
    lines: [{ name: 'Memory', of: ({ memory_bytes: bytes = null }) => bytes && bytes / MIB }],
    format: (mebibytes) => shownBytes(mebibytes * MIB),
  },
  {
    title: 'Event loop delay',
    note: 'How late it was: the highest p99 of ten seconds.',
    lines: [{ name: 'Event loop delay', of: ({ loop_delay_ms: ms = null }) => ms }],
    format: shownMs,
  },
  {
    title: 'Store lag',
    note: 'The longest time that a report waited for the store.',
    lines: [{ name: 'Store lag', of: ({ store_ms: ms }) => ms }],
    format: shownMs,
  },
];

/** Less than the week of the store: a page may stay open. */
const REACH_MS = 6.5 * DAY_MS;
const SPAN_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const;

type RouterHistoryProps = Readonly<{ router: Router }>;

export function RouterHistoryPanel({ router }: RouterHistoryProps) {
  const stopped = router.state === 'stopped' ? router.reported : null;
  const search: RouterSearch = useSearch({ strict: false });
  const span: NonNullable<RouterHistory['span']> = search.span ?? 'hour';
  const [asOf] = useAsOf();
  const range = rangeOf(search, asOf, REACH_MS);
  const last = stopped != null ? lastSpan(Date.parse(stopped), span, asOf) : undefined;
  const change = useSearchChange(routerSearch, { replaces: false });
  const zoom = useZoom({ span: search.span, from: search.from, to: search.to }, change);
  const history = useQuery(routerHistoryQuery(router.id, range ?? last ?? { span }));
  const chosen = range ?? last;
  const start = chosen?.start ?? new Date(asOf - SPAN_MS[span]).toISOString();
  const alarms = useMarkedAlarms({ from: start, until: chosen?.end });
  const marks: readonly Mark[] = [
    ...marksOfRouter(router),
    ...marksOfRouterAlarms(router, alarms),
    ...useIncidentMarks(),
  ];
  return (
    <Panel
      title="History"
      description={
        <>
          {history.data &&
            `Rates are averages over ${bucketInWords(history.data.bucket_seconds)}. `}
          <span className="max-sm:hidden pointer-coarse:hidden">Drag over a chart to zoom in.</span>{' '}
          {zoneOf('minute', useZone())}
        </>
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
      <ChartGroup onZoom={({ from, until }) => zoom.onZoom(chosenTime(from, until))}>
        <Loaded query={history}>{(shown) => <Charts history={shown} marks={marks} />}</Loaded>
      </ChartGroup>
    </Panel>
  );
}

/** The history of a router that has stopped ends with it. `stopped` and `now`: ms since the epoch. */
function lastSpan(stopped: number, span: keyof typeof SPAN_MS, now: number): HistoryRange {
  const start = Math.max(stopped - SPAN_MS[span], now - REACH_MS);
  const end = Math.max(stopped, start) + MINUTE_MS;
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
}

function Charts({ history, marks }: { history: RouterHistory; marks: readonly Mark[] }) {
  const zone = useZone();
  if (history.points.length === 0) {
    return (
      <Nothing title="No history in this span">
        A router writes its figures every ten seconds. They are kept for a week.
      </Nothing>
    );
  }
  const starts = startsOf(history, history.bucket_seconds);
  const points = new Map(history.points.map((point) => [point.at, point]));
  const tick = tickOf(labelledBy(history), zone);
  return (
    <div className="grid gap-4">
      <FigureGrid columns={4}>
        {MEASURES.map(({ title, note, lines, ...axis }) => (
          <HistoryFigure
            key={title}
            title={title}
            note={note}
            none="Nothing was measured in this span."
            legend={lines.length > 1}
            series={lines.map(({ name, of }) => ({
              name,
              values: starts.map((start) => {
                const point = points.get(start);
                return point === undefined ? null : of(point);
              }),
            }))}
            {...axis}
            {...{ starts, tick, zone, marks }}
          />
        ))}
      </FigureGrid>
      <MarkList
        marks={marks}
        start={history.start}
        end={history.span === null ? history.end : undefined}
      />
    </div>
  );
}
