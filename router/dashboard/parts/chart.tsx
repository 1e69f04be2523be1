/**
 * A chart of sums over time. The code that draws it is loaded with the first chart, because it is
 * larger than the rest of the dashboard.
 */
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { cx } from './class-names.ts';
import { type ChartProps, type Coloured, colourOf, type LinesProps } from './series.ts';
import { Skeleton } from './states.tsx';

// Unlike React's `lazy`, these are drawn at once if they were loaded before. React replaces the
// placeholder of code that it waits for no sooner than 300 ms after it was drawn.
const Stacked = lazyRouteComponent(() => import('./stacked-chart.tsx'));
const Lines = lazyRouteComponent(() => import('./line-chart.tsx'));

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

/** The place of a stacked chart whose data is still loading. The code is loaded meanwhile. */
export function ChartWaiting({ className = 'h-64' }: { className?: string }) {
  useEffect(() => {
    void Stacked.preload?.();
  }, []);
  return <Skeleton className={cx('w-full', className)} />;
}

type LineChartProps = LinesProps & Readonly<{ className?: string }>;

/** Draws a chart of lines, which is small by default. */
export function LineChart({ className = 'h-36', ...props }: LineChartProps) {
  return (
    <div
      // The bubble under the pointer covers those of other charts.
      className={cx(
        'group/chart relative w-full overflow-x-clip focus-within:z-10 hover:z-20',
        className,
      )}
      role="img"
      aria-label={props.label}
    >
      <Suspense fallback={<Skeleton className="h-full w-full" />}>
        <Lines {...props} />
      </Suspense>
    </div>
  );
}

type LegendProps = Readonly<{
  series: readonly Coloured[];
  /** What a click on a series does, and the title of its button; null: nothing. */
  pick?: (index: number) => Readonly<{ title: string; onPick: () => void }> | null;
}>;

/** The name and colour of each series. */
export function Legend({ series, pick }: LegendProps) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {series.map(({ name }, index) => (
        <li key={`${index} ${name}`} className="flex min-w-0 items-center gap-1.5">
          <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
            <rect width="8" height="8" rx="2" fill={colourOf(series, index)} />
          </svg>
          <LegendName name={name} picked={pick?.(index) ?? null} />
        </li>
      ))}
    </ul>
  );
}

type LegendNameProps = Readonly<{
  name: string;
  picked: Readonly<{ title: string; onPick: () => void }> | null;
}>;

function LegendName({ name, picked }: LegendNameProps) {
  if (picked === null) return <span className="truncate">{name}</span>;
  return (
    <button
      type="button"
      className="truncate hover:text-ink hover:underline"
      title={picked.title}
      onClick={picked.onPick}
    >
      {name}
    </button>
  );
}
