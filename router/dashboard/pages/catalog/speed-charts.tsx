/** The time to first token and the speed of a model over time. The span stands in the address. */
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ModelHistory } from '../../../../shared/api/public-figures.ts';
import { FIGURE_SPANS, type FigureSpan } from '../../../../shared/public-figures.ts';
import { modelHistoryQuery } from '../../api/public-figures.ts';
import { shownAbout, shownAboutSpeed, shownMs, shownSpeed } from '../../format/count.ts';
import { LineChart } from '../../parts/chart/chart.tsx';
import { ChartGroup } from '../../parts/chart/chart-group.tsx';
import { Legend } from '../../parts/chart/legend.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useSearchChange } from '../../parts/list/use-search-change.ts';
import { modelSearch } from '../../search.ts';
import { useZone } from '../../zone.ts';
import { tickOf, zoneOf } from '../usage/labels.ts';
import { type PricedModel, SPAN_CHOICES } from './order.ts';

type Bucket = ModelHistory['buckets'][number];
type Line = Readonly<{ name: string; valueOf: (bucket: Bucket) => number | null }>;

const CHARTS: readonly Readonly<{
  title: string;
  lines: readonly Line[];
  format: (value: number) => string;
  /** Writes the value of a grid line, which is exact. */
  line: (value: number) => string;
}>[] = [
  {
    title: 'Time to first token',
    lines: [
      { name: 'Median', valueOf: ({ ttft_ms }) => ttft_ms && ttft_ms.p50 },
      { name: 'p95', valueOf: ({ ttft_ms }) => ttft_ms && ttft_ms.p95 },
    ],
    format: shownAbout,
    line: shownMs,
  },
  {
    title: 'Median tokens per second of one answer',
    lines: [{ name: 'Median', valueOf: ({ speed }) => speed && speed.p50 }],
    format: shownAboutSpeed,
    line: shownSpeed,
  },
];
const BUCKETS = { hour: 'five minutes', day: 'an hour', month: 'six hours' } as const;

type SpeedChartsProps = Readonly<{ model: string }> & Pick<PricedModel, 'figures'>;

export function SpeedCharts({ model, figures }: SpeedChartsProps) {
  const { span = 'day' } = modelSearch(useSearch({ strict: false }));
  const change = useSearchChange(modelSearch);
  const zone = useZone();
  return (
    <Panel
      title="Over time"
      description={`Each point is ${BUCKETS[span]}. ${zoneOf('minute', zone)}`}
      actions={
        <Segmented
          label="Time of the charts"
          value={span}
          choices={SPAN_CHOICES}
          onChange={(chosen) => change({ span: chosen })}
        />
      }
    >
      <Loaded query={useQuery(modelHistoryQuery(model, span))}>
        {(history) => <Charts history={history} hasLonger={hasLonger(figures, span)} />}
      </Loaded>
    </Panel>
  );
}

/** Whether a longer span has figures. */
function hasLonger(figures: PricedModel['figures'], span: FigureSpan): boolean {
  return FIGURE_SPANS.slice(FIGURE_SPANS.indexOf(span) + 1).some(
    (longer) => figures[longer].ttft_ms !== null,
  );
}

type ChartsProps = Readonly<{ history: ModelHistory; hasLonger: boolean }>;

function Charts({ history: { buckets, span }, hasLonger: mayChoose }: ChartsProps) {
  const zone = useZone();
  if (buckets.every(({ ttft_ms, speed }) => ttft_ms === null && speed === null)) {
    return (
      <Empty title="Too few requests to measure">
        A point needs at least 20 requests.{mayChoose && ' Choose a longer time.'}
      </Empty>
    );
  }
  return (
    <ChartGroup>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        {CHARTS.map(({ title, lines, format, line }) => (
          <figure key={title} className="grid min-w-0 content-start gap-1.5">
            <figcaption className="text-xs font-medium">{title}</figcaption>
            <LineChart
              className="h-52"
              label={`${title}, over time`}
              starts={buckets.map(({ start }) => start)}
              series={lines.map(({ name, valueOf }) => ({ name, values: buckets.map(valueOf) }))}
              tick={tickOf(span === 'month' ? 'hour' : 'minute', zone)}
              zone={zone}
              format={format}
              line={line}
            />
            {lines.length > 1 && <Legend series={lines} />}
          </figure>
        ))}
      </div>
    </ChartGroup>
  );
}
