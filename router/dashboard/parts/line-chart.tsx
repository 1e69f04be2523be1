/** Lines over time, each with gaps where it has no value. It is loaded with the first chart. */
import { memo } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { TICK, widthOf } from './axis.ts';
import { ChartBubble } from './chart-bubble.tsx';
import { colourOf, type LinesProps } from './series.ts';
import { ticksUpTo } from './ticks.ts';
import { timeTicks } from './time-ticks.ts';

export default memo(Lines);

function Lines({ starts, series, tick, format, line = format, zone, most, whole }: LinesProps) {
  const rows = starts.map((start, at) => ({
    start,
    ...Object.fromEntries(series.map(({ values }, index) => [String(index), values[at]])),
  }));
  const lines = most === undefined ? linesOf(series, whole === true) : [0, most / 2, most];
  const ticks = timeTicks(starts, zone);
  // A line of one value is only visible as a dot.
  const isSparse = starts.length < 3 || series.every(({ values }) => countOf(values) < 3);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="start"
          tickFormatter={tick}
          tick={TICK}
          tickLine={false}
          axisLine={{ stroke: 'var(--line-strong)' }}
          {...(ticks && { ticks })}
          minTickGap={ticks ? 4 : 28}
        />
        <YAxis
          tickFormatter={line}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          ticks={lines}
          domain={[0, lines.at(-1) ?? 1]}
          interval={0}
          width={widthOf(lines.map(line))}
        />
        <Tooltip
          cursor={{ stroke: 'var(--line-strong)' }}
          isAnimationActive={false}
          content={({ active, label }) => {
            const at = starts.indexOf(String(label));
            return active && at >= 0 ? <Bubble {...{ at, starts, series, tick, format }} /> : null;
          }}
        />
        {series.map((one, index) => (
          <Line
            key={one.name}
            type="linear"
            dataKey={String(index)}
            stroke={colourOf(series, index)}
            strokeWidth={1.5}
            dot={isSparse ? { r: 2 } : false}
            connectNulls={false}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}

/** The grid lines up to the highest value. */
function linesOf(series: LinesProps['series'], isWhole: boolean): number[] {
  const values = series.flatMap((one) => one.values.map(Number));
  return ticksUpTo(Math.max(0, ...values), isWhole);
}

function countOf(values: readonly (number | null)[]): number {
  return values.filter((value) => value !== null).length;
}

type BubbleProps = Pick<LinesProps, 'starts' | 'series' | 'tick' | 'format'> &
  Readonly<{ at: number }>;

function Bubble({ at, starts, series, tick, format }: BubbleProps) {
  const known = series.flatMap((one, index) => {
    const value = one.values[at] ?? null;
    return value === null ? [] : [{ name: one.name, value, colour: colourOf(series, index) }];
  });
  const title = tick(starts[at] ?? '');
  return <ChartBubble {...{ title, format, values: known, none: 'No figures' }} />;
}
