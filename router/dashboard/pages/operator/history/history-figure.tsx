/** One chart of a history with its title, or a sentence where there is no figure at all. */
import { LineChart } from '../../../parts/chart/chart.tsx';
import { Legend } from '../../../parts/chart/legend.tsx';
import type { LinesProps } from '../../../parts/chart/series.ts';

type HistoryFigureProps = Omit<LinesProps, 'label' | 'together'> &
  Readonly<{
    title: string;
    /** What the figure is measured from. */
    note?: string | undefined;
    /** Replaces a chart without values; such a chart is empty without it. */
    none?: string | undefined;
    /** Names the lines below the chart, if the charts have no legend in common. */
    legend?: boolean;
  }>;

/** All charts of a history show the same instant. */
const TOGETHER = 'history';

export function HistoryFigure({ title, note, none, legend = false, ...lines }: HistoryFigureProps) {
  const isEmpty = lines.series.every(({ values }) => values.every((value) => value === null));
  return (
    // The rows are those of the page's grid: charts beside each other begin at the same height.
    <figure className="row-span-2 grid min-w-0 grid-rows-subgrid gap-1">
      <figcaption className="text-xs font-medium">
        {title}
        {note !== undefined && <span className="block font-normal text-muted">{note}</span>}
      </figcaption>
      <div className="grid min-w-0 content-start gap-1">
        {isEmpty && none !== undefined ? (
          <p className="grid h-36 place-items-center rounded-lg border border-dashed px-4 text-center text-sm text-muted">
            {none}
          </p>
        ) : (
          <LineChart label={`${title}, over time`} together={TOGETHER} {...lines} />
        )}
        {legend && !isEmpty && <Legend series={lines.series} />}
      </div>
    </figure>
  );
}
