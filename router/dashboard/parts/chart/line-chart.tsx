/** Lines over time, each with gaps where it has no value. It is loaded with the first chart. */
import { memo } from 'react';
import { CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { ActiveBucket } from './active-bucket.tsx';
import { TICK, widthOf } from './axis.ts';
import { useAxisWidth } from './axis-width.tsx';
import { ChartBubble, SharedBubble } from './chart-bubble.tsx';
import { endOf, scaleOf } from './chosen-range.ts';
import { markLines } from './marks.ts';
import { colourOf, type LinesProps, type Mark } from './series.ts';
import { Sized } from './sized.tsx';
import { ticksUpTo } from './ticks.ts';
import { timeAxis } from './time-ticks.ts';
import { ZoomArea } from './zoom-area.tsx';

export default memo(Lines);

const MARK_COLOURS = { neutral: 'var(--muted)', warn: 'var(--warn)', bad: 'var(--bad)' } as const;
const MARK_FONT = { fontSize: 10 };
/** The labels of marks, and the values of charts beside the pointer, stand above the lines. */
const MARK_ROOM = 14;
/** Between the axes (500) and the dots (600): an axis would cover a line at zero. */
const LINE_LAYER = 550;
const TOP_PX = 8;
const RIGHT_PX = 8;

function Lines({
  starts,
  end,
  series,
  tick,
  format,
  line = format,
  zone,
  most,
  whole,
  least = 0,
  together,
  marks = [],
  isOpen = false,
  heights,
  objective,
}: LinesProps) {
  const rows = rowsOf(starts, series, isOpen);
  const usual =
    most === undefined ? linesOf(series, whole === true, least, line) : [0, most / 2, most];
  const lines = heights ?? usual;
  const labelOf = (height: number) => line(height, (lines[1] ?? 0) - (lines[0] ?? 0));
  const left = useAxisWidth(widthOf(lines.map(labelOf)));
  const { ticks, label: labelOfTime } = timeAxis(starts, zone, tick);
  const happened = markLines(marks, starts, endOf(starts));
  // A line of one value is only visible as a dot.
  const isSparse = starts.length < 3 || series.every(({ values }) => countOf(values) < 3);
  const hasRoom = happened.length > 0 || together !== undefined;
  return (
    <ZoomArea places="points" right={RIGHT_PX} {...{ starts, end, left }}>
      <Sized>
        {(size) => (
          <LineChart
            key={scaleOf(starts)}
            {...size}
            data={rows}
            {...(together !== undefined && { syncId: together, syncMethod: 'value' })}
            margin={{
              top: TOP_PX + (hasRoom ? MARK_ROOM : 0),
              right: RIGHT_PX,
              bottom: 0,
              left: 0,
            }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="start"
              tickFormatter={labelOfTime}
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              {...(ticks ? { ticks } : { interval: 'equidistantPreserveStart' })}
              minTickGap={ticks ? 4 : 28}
            />
            <YAxis
              tickFormatter={labelOf}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              ticks={lines}
              domain={[lines[0] ?? 0, lines.at(-1) ?? 1]}
              interval={0}
              width={left}
            />
            <Tooltip
              cursor={{ stroke: 'var(--line-strong)' }}
              isAnimationActive={false}
              // Where there is no value, it says so.
              filterNull={false}
              // At the top of its chart, the end of a high bubble is seldom below that of the window.
              position={{ y: 0 }}
              wrapperStyle={{ zIndex: 10 }}
              content={({ active, label }) => {
                const at = starts.indexOf(String(label));
                if (!active || at < 0) return null;
                const notes = happened.find(({ start }) => start === starts[at])?.marks ?? [];
                const isShared = together !== undefined;
                return <Bubble {...{ at, starts, series, tick, format, notes, isShared }} />;
              }}
            />
            <ActiveBucket starts={starts} />
            {objective !== undefined && (
              <ReferenceLine y={objective} stroke="var(--muted)" strokeDasharray="6 4" />
            )}
            {happened.map(({ start, label, isLeft, tone }) => (
              <ReferenceLine
                key={start}
                x={start}
                stroke={MARK_COLOURS[tone]}
                strokeDasharray="3 3"
                label={{
                  value: label,
                  position: isLeft ? 'insideTopRight' : 'insideTopLeft',
                  fill: MARK_COLOURS[tone],
                  dy: -MARK_ROOM,
                  ...MARK_FONT,
                }}
              />
            ))}
            {series.flatMap((one, index) =>
              (isOpen ? [String(index), openKey(index)] : [String(index)]).map((dataKey) => (
                <Line
                  // Two hosts may have the same name.
                  key={`${dataKey} ${one.name}`}
                  type="linear"
                  zIndex={LINE_LAYER}
                  dataKey={dataKey}
                  stroke={colourOf(series, index)}
                  strokeWidth={1.5}
                  {...(dataKey === openKey(index) && { strokeDasharray: '3 3' })}
                  dot={isSparse ? { r: 2 } : false}
                  connectNulls={false}
                  isAnimationActive={false}
                />
              )),
            )}
          </LineChart>
        )}
      </Sized>
    </ZoomArea>
  );
}

/** The part of a line that leads to a bucket which is not over is a line of its own. */
function openKey(index: number): string {
  return `${index} open`;
}

function rowsOf(
  starts: readonly string[],
  series: LinesProps['series'],
  isOpen: boolean,
): readonly Readonly<Record<string, string | number | null | undefined>>[] {
  const last = starts.length - 1;
  return starts.map((start, at) => {
    const isEnded = !isOpen || at < last;
    const leads = isOpen && at >= last - 1;
    const cells = series.flatMap(({ values }, index) => [
      ...(isEnded ? [[String(index), values[at]] as const] : []),
      ...(leads ? [[openKey(index), values[at]] as const] : []),
    ]);
    return { start, ...Object.fromEntries(cells) };
  });
}

/** The grid lines up to the highest value, or up to `least`. */
function linesOf(
  series: LinesProps['series'],
  isWhole: boolean,
  least: number,
  label: NonNullable<LinesProps['line']>,
): number[] {
  const values = series.flatMap((one) => one.values.map(Number));
  return ticksUpTo(Math.max(least, ...values), isWhole, label);
}

function countOf(values: readonly (number | null)[]): number {
  return values.filter((value) => value !== null).length;
}

type BubbleProps = Pick<LinesProps, 'starts' | 'series' | 'tick' | 'format'> &
  Readonly<{ at: number; notes: readonly Mark[]; isShared: boolean }>;

function Bubble({ at, starts, series, tick, format, notes, isShared }: BubbleProps) {
  const values = series.flatMap((one, index) => {
    const value = one.values[at] ?? null;
    return value === null ? [] : [{ name: one.name, value, colour: colourOf(series, index) }];
  });
  const title = tick(starts[at] ?? '');
  const shown = { title, format, values, notes, none: 'No data' };
  return isShared ? <SharedBubble {...shown} /> : <ChartBubble {...shown} compact />;
}
