/** A chart of sums over time. What draws it is loaded when the first is shown: it is larger than all the rest. */
import { lazy, Suspense } from 'react';
import { Skeleton } from './states.tsx';

export type Series = Readonly<{
  name: string;
  /** What is not told apart; always grey, and last. */
  other?: boolean;
  /** One for each of the chart's buckets. For heights alone: what people read comes from `format`. */
  values: readonly number[];
}>;

export type ChartProps = Readonly<{
  /** What it shows, for those who do not see it. */
  label: string;
  /** The start of each bucket, as ISO 8601. */
  starts: readonly string[];
  series: readonly Series[];
  /** How a bucket's start is written below the chart. */
  tick: (start: string) => string;
  /** How a value is written. */
  format: (value: number) => string;
}>;

const Stacked = lazy(() => import('./stacked-chart.tsx'));

/** At most seven series and the others have a colour of their own. */
export function StackedChart(props: ChartProps) {
  return (
    <div className="h-64 w-full overflow-hidden" role="img" aria-label={props.label}>
      <Suspense fallback={<Skeleton className="h-full w-full" />}>
        <Stacked {...props} />
      </Suspense>
    </div>
  );
}

const COLOURS = 7;

export function colourOf(series: readonly Series[], index: number): string {
  return series[index]?.other ? 'var(--series-other)' : `var(--series-${(index % COLOURS) + 1})`;
}

/** Which colour is which. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map(({ name }, index) => (
        <li key={name} className="flex min-w-0 items-center gap-1.5">
          <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
            <rect width="8" height="8" rx="2" fill={colourOf(series, index)} />
          </svg>
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}
