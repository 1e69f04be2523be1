/** Lines over time, each with gaps where it has no value. It is loaded with the first chart. */
import {
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { colourOf, type LinesProps } from './series.ts';

const TICK = { fill: 'var(--muted)', fontSize: 11 };
const LETTER_PX = 6.5;
const GAP_PX = 8;

export default function Lines({ starts, series, tick, format, most, whole }: LinesProps) {
  const rows = starts.map((start, at) => ({
    start,
    ...Object.fromEntries(series.map(({ values }, index) => [String(index), values[at]])),
  }));
  const highest = most ?? Math.max(0, ...series.flatMap(({ values }) => values.map(Number)));
  const letters = [0.25, 0.5, 0.75, 1].map((part) => format(highest * part).length);
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
          minTickGap={28}
        />
        <YAxis
          tickFormatter={format}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          domain={[0, most ?? 'auto']}
          tickCount={4}
          allowDecimals={whole !== true}
          {...(most !== undefined && { ticks: [0, most / 2, most] })}
          width={GAP_PX + (Math.max(...letters) + 1) * LETTER_PX}
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

function countOf(values: readonly (number | null)[]): number {
  return values.filter((value) => value !== null).length;
}

function Bubble({ at, starts, series, tick, format }: Omit<LinesProps, 'label'> & { at: number }) {
  const known = series.flatMap((one, index) => {
    const value = one.values[at] ?? null;
    return value === null ? [] : [{ name: one.name, value, colour: colourOf(series, index) }];
  });
  return (
    <div className="grid gap-1 rounded-lg border bg-panel px-3 py-2 text-xs shadow-float">
      <p className="font-medium">{tick(starts[at] ?? '')}</p>
      {known.map(({ name, value, colour }) => (
        <p key={name} className="flex items-center gap-2">
          <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden>
            <rect width="8" height="8" rx="2" fill={colour} />
          </svg>
          <span className="max-w-48 truncate text-muted">{name}</span>
          <span className="ml-auto tabular-nums">{format(value)}</span>
        </p>
      ))}
      {known.length === 0 && <p className="text-muted">No figures</p>}
    </div>
  );
}
