import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { type ChartProps, colourOf } from './series.ts';
import { ticksUpTo } from './ticks.ts';

const BAR_PX_MAX = 28;
const LETTER_PX = 6.5;
const GAP_PX = 8;
const TICK = { fill: 'var(--muted)', fontSize: 11 };

export default function Stacked({ starts, series, tick, format, line = format }: ChartProps) {
  const lines = linesOf({ starts, series });
  const rows = starts.map((start, at) => ({
    start,
    ...Object.fromEntries(series.map(({ values }, index) => [String(index), values[at] ?? 0])),
  }));
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={rows} margin={{ top: 8, right: 0, bottom: 0, left: 0 }} barCategoryGap="20%">
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="start"
          tickFormatter={tick}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line-strong)' }}
          minTickGap={28}
        />
        <YAxis
          tickFormatter={line}
          ticks={lines}
          domain={[0, lines.at(-1) ?? 1]}
          interval={0}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          width={widthOf(lines.map(line))}
        />
        <Tooltip
          cursor={{ fill: 'var(--hover)' }}
          isAnimationActive={false}
          content={({ active, label }) => {
            const at = starts.indexOf(String(label));
            // While the data changes, the pointer may still be at a bucket of the previous data.
            return active && at >= 0 ? <Bubble {...{ at, starts, series, tick, format }} /> : null;
          }}
        />
        {series.map((one, index) => (
          <Bar
            key={one.name}
            dataKey={String(index)}
            stackId="all"
            fill={colourOf(series, index)}
            maxBarSize={BAR_PX_MAX}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

/** The grid lines up to the tallest bar. */
function linesOf({ starts, series }: Pick<ChartProps, 'starts' | 'series'>): number[] {
  const heights = starts.map((_, at) =>
    series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0),
  );
  const isWhole = series.every(({ values }) => values.every(Number.isInteger));
  return ticksUpTo(Math.max(0, ...heights), isWhole);
}

/**
 * Returns the width of the labels of the axis in pixels. With "auto", the library would use the
 * width of the previous labels, or no width.
 */
function widthOf(labels: readonly string[]): number {
  return GAP_PX + Math.max(...labels.map(({ length }) => length)) * LETTER_PX;
}

function Bubble({
  at,
  starts,
  series,
  tick,
  format,
}: Omit<ChartProps, 'label' | 'line'> & { at: number }) {
  const shown = series
    .map((one, index) => ({
      name: one.name,
      value: one.values[at] ?? 0,
      colour: colourOf(series, index),
    }))
    .filter(({ value }) => value > 0);
  return (
    <div className="grid gap-1 rounded-lg border bg-panel px-3 py-2 text-xs shadow-float">
      <p className="font-medium">{tick(starts[at] ?? '')}</p>
      {shown.map(({ name, value, colour }) => (
        <p key={name} className="flex items-center gap-2">
          <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
            <rect width="8" height="8" rx="2" fill={colour} />
          </svg>
          <span className="max-w-48 truncate text-muted">{name}</span>
          <span className="ml-auto tabular-nums">{format(value)}</span>
        </p>
      ))}
      {shown.length === 0 && <p className="text-muted">No usage</p>}
    </div>
  );
}
