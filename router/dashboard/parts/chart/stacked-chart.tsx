import { memo } from 'react';
import { Area, Bar, CartesianGrid, ComposedChart, Tooltip, XAxis, YAxis } from 'recharts';
import { ActiveBucket } from './active-bucket.tsx';
import { TICK, widthOf } from './axis.ts';
import { useAxisWidth } from './axis-width.tsx';
import { ChartBubble } from './chart-bubble.tsx';
import { scaleOf } from './chosen-range.ts';
import { type ChartProps, colourOf } from './series.ts';
import { Sized } from './sized.tsx';
import { ticksUpTo } from './ticks.ts';
import { timeAxis } from './time-ticks.ts';
import { ZoomArea } from './zoom-area.tsx';

const BAR_PX_MAX = 28;
/**
 * With more buckets, bars would be narrower than five pixels. Each series is then drawn as one area
 * with steps, which looks the same: a year of days by model would have thousands of bars, for which a
 * browser needs up to some seconds.
 */
const BARS_MAX = 180;
/** What a bucket without usage has in place of a bar, as a part of the height of the chart. */
const ZERO_SHARE = 0.01;

/** The chart is drawn again only if a property changes. */
export default memo(Stacked);

function Stacked({ starts, end, series, tick, format, line = format, zone }: ChartProps) {
  const lines = linesOf({ starts, series }, line);
  const labelOf = (height: number) => line(height, lines[1] ?? 0);
  const top = lines.at(-1) ?? 1;
  const rows = starts.map((start, at) => ({
    start,
    zero: series.every(({ values }) => (values[at] ?? 0) === 0) ? top * ZERO_SHARE : 0,
    ...Object.fromEntries(series.map(({ values }, index) => [String(index), values[at] ?? 0])),
  }));
  const { ticks, label: labelOfTime } = timeAxis(starts, zone, tick);
  const isOfBars = starts.length <= BARS_MAX;
  const left = useAxisWidth(widthOf(lines.map(labelOf)));
  return (
    <ZoomArea places="bands" right={0} {...{ starts, end, left }}>
      <Sized>
        {(size) => (
          <ComposedChart
            key={scaleOf(starts)}
            {...size}
            data={rows}
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
            barCategoryGap="20%"
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="start"
              scale="band"
              tickFormatter={labelOfTime}
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              {...(ticks ? { ticks } : { interval: 'equidistantPreserveStart' })}
              minTickGap={ticks ? 4 : 28}
            />
            <YAxis
              tickFormatter={labelOf}
              ticks={lines}
              domain={[0, top]}
              interval={0}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              width={left}
            />
            <Tooltip
              cursor={{ fill: 'var(--hover)' }}
              isAnimationActive={false}
              content={({ active, label }) => {
                const at = starts.indexOf(String(label));
                // While the data changes, the pointer may still be at a bucket of the previous data.
                return active && at >= 0 ? (
                  <Bubble {...{ at, starts, series, tick, format }} />
                ) : null;
              }}
            />
            <ActiveBucket starts={starts} />
            {isOfBars && (
              <Bar
                dataKey="zero"
                stackId="all"
                fill="var(--line-strong)"
                maxBarSize={BAR_PX_MAX}
                isAnimationActive={false}
              />
            )}
            {series.map((one, index) => {
              const layer = {
                dataKey: String(index),
                stackId: 'all',
                fill: colourOf(series, index),
                isAnimationActive: false,
              };
              return isOfBars ? (
                <Bar key={`${index} ${one.name}`} {...layer} maxBarSize={BAR_PX_MAX} />
              ) : (
                <Area
                  key={`${index} ${one.name}`}
                  {...layer}
                  type="step"
                  stroke="none"
                  fillOpacity={1}
                />
              );
            })}
          </ComposedChart>
        )}
      </Sized>
    </ZoomArea>
  );
}

/** The grid lines up to the tallest bar. */
function linesOf(
  { starts, series }: Pick<ChartProps, 'starts' | 'series'>,
  label: NonNullable<ChartProps['line']>,
): number[] {
  const heights = starts.map((_, at) =>
    series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0),
  );
  const isWhole = series.every(({ values }) => values.every(Number.isInteger));
  return ticksUpTo(Math.max(0, ...heights), isWhole, label);
}

function Bubble({
  at,
  starts,
  series,
  tick,
  format,
}: Omit<ChartProps, 'label' | 'line' | 'end' | 'zone'> & { at: number }) {
  const shown = series
    .map((one, index) => ({
      name: one.name,
      value: one.values[at] ?? 0,
      colour: colourOf(series, index),
    }))
    .filter(({ value }) => value > 0);
  const title = tick(starts[at] ?? '');
  const total = shown.reduce((sum, { value }) => sum + value, 0);
  return <ChartBubble {...{ title, format, values: shown, none: 'No usage', total }} />;
}
