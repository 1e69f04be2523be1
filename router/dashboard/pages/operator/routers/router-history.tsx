/** What one router has served over time. Its span is in the address. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { RouterHistory } from '../../../../../shared/api/routers.ts';
import { routerHistoryQuery } from '../../../api/fleet.ts';
import { shownMs, shownShare, shownSpeed } from '../../../format/count.ts';
import { type RouterSearch, routerSearch } from '../../../operator-search.ts';
import { useSearchChange } from '../../../parts/use-search-change.ts';
import { LineChart } from '../../../parts/chart.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Segmented } from '../../../parts/segmented.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { useZone } from '../../../zone.ts';
import { tickOf, zoneOf } from '../../usage/labels.ts';

const SPANS = [
  { value: 'hour', name: 'Hour' },
  { value: 'day', name: 'Day' },
  { value: 'week', name: 'Week' },
] as const;

type Point = RouterHistory['points'][number];

type Measure = Readonly<{
  title: string;
  note: string;
  of: (point: Point) => number | null;
  format: (value: number) => string;
}>;

const MEASURES: readonly Measure[] = [
  {
    title: 'Requests per minute',
    note: 'All that ended, refused ones included.',
    of: ({ requests, seconds }) => (60 * requests) / seconds,
    format: shownSpeed,
  },
  {
    title: 'Errors',
    note: 'The share of requests with a status of 5xx.',
    of: ({ requests, errors }) => (requests === 0 ? null : errors / requests),
    format: shownShare,
  },
  {
    title: 'Tokens per second',
    note: 'Completion tokens that were charged.',
    of: ({ completion_tokens: tokens, seconds }) => tokens / seconds,
    format: shownSpeed,
  },
  {
    title: 'Time to first token, mean',
    note: 'From when the request arrives, with its time in queues.',
    of: ({ ttft_ms: ms }) => ms,
    format: shownMs,
  },
  {
    title: 'Store lag',
    note: 'The longest time that a report waited for the store.',
    of: ({ store_ms: ms }) => ms,
    format: shownMs,
  },
];

export function RouterHistoryPanel({ router }: { router: string }) {
  const search: RouterSearch = useSearch({ strict: false });
  const span: RouterHistory['span'] = search.span ?? 'hour';
  const change = useSearchChange(routerSearch);
  const history = useQuery(routerHistoryQuery(router, span));
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
      <Loaded query={history}>{(shown) => <Charts history={shown} />}</Loaded>
    </Panel>
  );
}

function Charts({ history }: { history: RouterHistory }) {
  const zone = useZone();
  if (history.points.length === 0) {
    return (
      <Empty title="No history in this span">
        A router writes its figures every ten seconds. They are kept for a week.
      </Empty>
    );
  }
  const starts = startsOf(history);
  const points = new Map(history.points.map((point) => [point.at, point]));
  const tick = tickOf(history.span === 'week' ? 'hour' : 'minute', zone);
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
      {MEASURES.map(({ title, note, of, format }) => {
        const values = starts.map((start) => {
          const point = points.get(start);
          return point === undefined ? null : of(point);
        });
        return (
          <figure key={title} className="grid min-w-0 content-start gap-1">
            <figcaption className="text-xs font-medium">
              {title}
              <span className="block font-normal text-muted">{note}</span>
            </figcaption>
            {values.every((value) => value === null) ? (
              <p className="grid h-36 place-items-center rounded-lg border border-dashed px-4 text-center text-sm text-muted">
                Nothing was measured in this span.
              </p>
            ) : (
              <LineChart
                label={`${title}, over time`}
                starts={starts}
                series={[{ name: title, values }]}
                tick={tick}
                zone={zone}
                format={format}
              />
            )}
          </figure>
        );
      })}
    </div>
  );
}

function startsOf({ start, end, bucket_seconds: seconds }: RouterHistory): string[] {
  const first = Date.parse(start);
  const count = Math.round((Date.parse(end) - first) / (1_000 * seconds));
  return Array.from({ length: count }, (_, nth) =>
    new Date(first + nth * 1_000 * seconds).toISOString(),
  );
}
