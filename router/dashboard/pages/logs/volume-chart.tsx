/**
 * Bars of requests over time. A click on a bar, or a drag over several, chooses their time; so do
 * the arrow keys with Shift and Enter. It is drawn without the library of the other charts, which
 * would make the page wait for it.
 */
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { compactCount, shownCount } from '../../format/count.ts';
import { cx } from '../../parts/class-names.ts';
import { ChartBubble } from '../../parts/chart/chart-bubble.tsx';
import { ticksUpTo } from '../../parts/chart/ticks.ts';
import { timeAxis } from '../../parts/chart/time-ticks.ts';
import type { Zone } from '../../format/time.ts';
import { OUTCOME_LOOKS, OUTCOMES, type Outcome } from '../usage/outcome-looks.ts';
import { noneOf, totalOf, type VolumeBar } from './volume.ts';

const HEIGHT_PX = 72;
/** The least height of what is not zero. */
const SEEN_PX = 2;
/** The part of its place that a bar leaves free. */
const GAP = 0.15;

type VolumeChartProps = Readonly<{
  bars: readonly VolumeBar[];
  /** The outcomes that the bars have counts of. */
  outcomes: readonly Outcome[];
  /** Writes the time of bars, of which the first begins at `start`, and the last ends at `end`. */
  spanOf: (start: number, end: number) => string;
  /** Labels an instant below the chart. */
  tick: (start: string) => string;
  /** The time zone of the labels. */
  zone: Zone;
  onChosen: (start: number, end: number) => void;
}>;

/** Bars by their indexes, both included. `from` is where a choice began. */
type Choice = Readonly<{ from: number; to: number }>;

export function VolumeChart({ bars, outcomes, spanOf, tick, zone, onChosen }: VolumeChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const hint = useId();
  const [choice, setChoice] = useState<Choice | null>(null);
  const [isDragging, setDragging] = useState(false);
  const last = bars.length - 1;
  const most = Math.max(0, ...bars.map(totalOf));
  const top = ticksUpTo(most, true).at(-1) ?? 1;
  const shown = choice && { from: Math.min(choice.from, last), to: Math.min(choice.to, last) };
  const [low, high] = shown
    ? [Math.min(shown.from, shown.to), Math.max(shown.from, shown.to)]
    : [0, 0];
  const at = shown?.to ?? last;

  const indexAt = ({ clientX }: PointerEvent) => {
    const box = place.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    const share = (clientX - box.left) / box.width;
    return Math.min(last, Math.max(0, Math.floor(share * bars.length)));
  };
  const choose = () => {
    const [first, final] = [bars[low], bars[high]];
    if (first && final) onChosen(first.start, final.end);
    setChoice(null);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && shown) choose();
    else if (event.key === 'Escape') {
      // It ends a choice of several bars, and otherwise leads back from the chosen time.
      if (isDragging || low !== high) event.preventDefault();
      setDragging(false);
      setChoice(null);
    }
    const to = moved(event.key, at, last);
    if (to === null) return;
    event.preventDefault();
    setChoice({ from: event.shiftKey && shown ? shown.from : to, to });
  };
  return (
    <div className="grid gap-1">
      <div className="flex gap-2">
        <span
          aria-hidden
          className="flex w-8 shrink-0 flex-col justify-between text-right text-[11px] leading-none text-muted"
        >
          <span>{most > 0 && compactCount(top)}</span>
          <span>0</span>
        </span>
        <div
          ref={place}
          role="slider"
          tabIndex={0}
          aria-label="Requests over time"
          aria-describedby={hint}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at}
          aria-valuetext={textOf(
            bars.slice(shown ? low : at, (shown ? high : at) + 1),
            noneOf(outcomes),
            spanOf,
          )}
          className="relative min-w-0 flex-1 cursor-crosshair touch-pan-y select-none"
          style={{ height: HEIGHT_PX }}
          onKeyDown={onKey}
          onBlur={() => setChoice(null)}
          onPointerDown={(event) => {
            if (event.button !== 0) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDragging(true);
            setChoice({ from: indexAt(event), to: indexAt(event) });
          }}
          onPointerMove={(event) => {
            const to = indexAt(event);
            setChoice((before) => ({ from: isDragging && before ? before.from : to, to }));
          }}
          onPointerUp={() => {
            if (isDragging) choose();
            setDragging(false);
          }}
          onPointerCancel={() => {
            setDragging(false);
            setChoice(null);
          }}
          onPointerLeave={() => isDragging || setChoice(null)}
        >
          <Bars bars={bars} top={top} />
          {shown && (
            <>
              <span
                aria-hidden
                className="pointer-events-none absolute inset-y-0 bg-accent/15"
                style={{
                  left: `${(100 * low) / bars.length}%`,
                  width: `${(100 * (high - low + 1)) / bars.length}%`,
                }}
              />
              <Bubble bars={bars} none={noneOf(outcomes)} {...{ low, high, spanOf }} />
            </>
          )}
        </div>
      </div>
      <Labels bars={bars} tick={tick} zone={zone} />
      <p id={hint} className="sr-only">
        Arrow keys move, and with Shift they choose several bars. Enter shows only their time.
      </p>
    </div>
  );
}

/** The bar that a key leads to; null for other keys. */
function moved(key: string, at: number, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, at - 1);
    case 'ArrowRight':
      return Math.min(last, at + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

function Bars({ bars, top }: Readonly<{ bars: readonly VolumeBar[]; top: number }>) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${bars.length} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full border-b border-line-strong"
    >
      <path d={zerosOf(bars)} fill="var(--line-strong)" />
      {bars.map((bar, index) => {
        let bottom = HEIGHT_PX;
        return OUTCOMES.filter((outcome) => bar[outcome] > 0).map((outcome) => {
          const height = Math.max(SEEN_PX, (bar[outcome] / top) * HEIGHT_PX);
          bottom -= height;
          return (
            <rect
              key={`${bar.start} ${outcome}`}
              data-outcome={outcome}
              x={index + GAP / 2}
              width={1 - GAP}
              y={Math.max(0, bottom)}
              height={height}
              fill={OUTCOME_LOOKS[outcome].colour}
            />
          );
        });
      })}
    </svg>
  );
}

/** The outline of what bars without requests have in place of a bar. */
function zerosOf(bars: readonly VolumeBar[]): string {
  const zeros = bars.flatMap((bar, index) => (totalOf(bar) === 0 ? [index] : []));
  const width = 1 - GAP;
  return zeros
    .map((index) => `M${index + GAP / 2} ${HEIGHT_PX}v-${SEEN_PX}h${width}v${SEEN_PX}z`)
    .join('');
}

/** So many bars are labelled each. */
const LABELS_MAX = 4;

function Labels({ bars, tick, zone }: Pick<VolumeChartProps, 'bars' | 'tick' | 'zone'>) {
  const starts = bars.map(({ start }) => new Date(start).toISOString());
  const { ticks, label } = timeAxis(starts, zone, tick);
  const last = starts.length - 1;
  const spread = new Set([0, Math.round(last / 3), Math.round((2 * last) / 3), last]);
  const labelled = starts.filter((start, at) =>
    ticks ? ticks.includes(start) : last < LABELS_MAX || spread.has(at),
  );
  return (
    <p
      aria-hidden
      className="relative ml-10 h-4 text-[11px] text-muted tabular-nums max-sm:text-[10px]"
    >
      {labelled.map((start, nth) => {
        const middle = (starts.indexOf(start) + 0.5) / starts.length;
        return (
          <span
            key={start}
            // A phone has room for every second of them.
            className={cx('absolute whitespace-nowrap', nth % 2 === 1 && 'max-sm:hidden')}
            style={{ left: `${100 * middle}%`, transform: `translateX(${shiftOf(middle)}%)` }}
          >
            {label(start)}
          </span>
        );
      })}
    </p>
  );
}

/** Labels stand below the middle of their bars, but those at the edges within the chart. */
function shiftOf(middle: number): number {
  if (middle < 0.06) return -100 * middle;
  return middle > 0.94 ? -100 : -50;
}

type BubbleProps = Pick<VolumeChartProps, 'bars' | 'spanOf'> &
  Readonly<{ none: string; low: number; high: number }>;

function Bubble({ bars, none, low, high, spanOf }: BubbleProps) {
  const chosen = bars.slice(low, high + 1);
  const [first, final] = [chosen[0], chosen.at(-1)];
  if (!first || !final) return null;
  const middle = (low + high + 1) / 2 / bars.length;
  const values = OUTCOMES.map((outcome) => ({
    name: OUTCOME_LOOKS[outcome].name,
    value: chosen.reduce((sum, bar) => sum + bar[outcome], 0),
    colour: OUTCOME_LOOKS[outcome].colour,
  })).filter(({ value }) => value > 0);
  const total = values.reduce((sum, { value }) => sum + value, 0);
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-full z-20 mt-1 w-max max-w-64"
      style={{ left: `${100 * middle}%`, transform: `translateX(${-100 * middle}%)` }}
    >
      <ChartBubble
        title={spanOf(first.start, final.end)}
        format={shownCount}
        {...{ values, total, none }}
      />
    </div>
  );
}

/** What a screen reader says of bars. */
function textOf(
  bars: readonly VolumeBar[],
  none: string,
  spanOf: VolumeChartProps['spanOf'],
): string {
  const [first, final] = [bars[0], bars.at(-1)];
  if (!first || !final) return '';
  const counts = OUTCOMES.map(
    (outcome) => [outcome, bars.reduce((sum, bar) => sum + bar[outcome], 0)] as const,
  )
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${shownCount(count)} ${outcome}`);
  const what = counts.length === 0 ? none.toLowerCase() : counts.join(', ');
  return `${spanOf(first.start, final.end)}: ${what}`;
}
