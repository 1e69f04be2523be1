/**
 * A chart of sums over time. The code that draws it is loaded with the first chart, because it is
 * larger than the rest of the dashboard.
 */
import { lazy, Suspense } from 'react';
import { Skeleton } from './states.tsx';

export type Series = Readonly<{
  name: string;
  /** The series of everything that has no series of its own; always grey, and last. */
  other?: boolean;
  /**
   * One for each bucket of the chart. Values set heights only: people read what `format` returns.
   */
  values: readonly number[];
}>;

export type ChartProps = Readonly<{
  /** Describes the chart to screen readers. */
  label: string;
  /** The start of each bucket, as ISO 8601. */
  starts: readonly string[];
  series: readonly Series[];
  /** Labels a bucket below the chart by its start. */
  tick: (start: string) => string;
  /** Writes a value for people. */
  format: (value: number) => string;
}>;

const Stacked = lazy(() => import('./stacked-chart.tsx'));

/** Draws a stacked chart. There are colours for seven series and for the series of all others. */
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

/** The name and colour of each series. */
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
