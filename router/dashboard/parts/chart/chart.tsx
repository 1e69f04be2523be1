/**
 * A chart of sums over time. The code that draws it is loaded with the first chart, because it is
 * larger than the rest of the dashboard.
 */
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useChartGroup } from './chart-group.tsx';
import { cx } from '../class-names.ts';
import type { ChartProps, Coloured, LinesProps } from './series.ts';
import { shownLines } from './shown-lines.ts';
import { Skeleton } from '../states.tsx';

// Unlike React's `lazy`, these are drawn at once if they were loaded before. React replaces the
// placeholder of code that it waits for no sooner than 300 ms after it was drawn.
const Stacked = lazyRouteComponent(() => import('./stacked-chart.tsx'));
const Lines = lazyRouteComponent(() => import('./line-chart.tsx'));

/** Draws a stacked chart. There are colours for seven series and for the series of all others. */
export function StackedChart(props: ChartProps) {
  const series = useShownLines(props.series);
  return (
    <div className="h-64 w-full overflow-hidden" role="img" aria-label={props.label}>
      <Suspense fallback={<Skeleton className="h-full w-full" />}>
        <Stacked {...props} series={series} />
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
  const series = useShownLines(props.series);
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
        <Lines {...props} series={series} />
      </Suspense>
    </div>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** Those that the legend of the page has not hidden. */
function useShownLines<Line extends Coloured>(series: readonly Line[]): readonly Line[] {
  return shownLines(series, useChartGroup()?.hidden ?? NOTHING);
}
