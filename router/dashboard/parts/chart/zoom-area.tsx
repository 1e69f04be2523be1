/**
 * The place of a chart, over which a drag with the mouse chooses a time. In a group of charts that has
 * clicks, so does a click on a bucket, or Enter.
 */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ReportActive, useBucketKeys } from './bucket-keys.ts';
import { useChartGroup } from './chart-group.tsx';
import { cx } from '../class-names.ts';
import { useKeptFocus } from './kept-focus.ts';
import { chosenRange, endOf, type Places, rangeOf, type TimeRange } from './chosen-range.ts';

/** A press that moves by less is a click. */
const DRAG_PX = 6;

type ZoomAreaProps = Readonly<{
  starts: readonly string[];
  /** See `ChartProps`. */
  end: string | undefined;
  places: Places;
  /** How far the drawing is from the edges of the chart, in pixels. */
  left: number;
  right: number;
  children: ReactNode;
}>;

/** Shares of the width of the drawing. `from` is where the drag began. */
type Drag = Readonly<{ from: number; to: number }>;

export function ZoomArea({ starts, end: last, places, left, right, children }: ZoomAreaProps) {
  const { onZoom, hasClicks = false } = useChartGroup() ?? {};
  const [drag, setDrag] = useState<Drag | null>(null);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  const { place, keepFocus } = useKeptFocus(starts);
  const until = last === undefined ? endOf(starts) : Date.parse(last);
  const zoomTo = (chosen: TimeRange | null) => chosen && onZoom?.(chosen);
  const { choice, report, ...keys } = useBucketKeys(({ from, to }) => {
    keepFocus();
    zoomTo(rangeOf(starts, until, from, to));
  });
  const canZoom = onZoom !== undefined;
  const hasKeys = canZoom && hasClicks;
  const begin = ({ button, pointerType, clientX: first, currentTarget }: PointerEvent) => {
    // A finger scrolls the page, or asks for values.
    if (button !== 0 || pointerType === 'touch') return;
    const box = currentTarget.getBoundingClientRect();
    const placeAt = (x: number) => (x - box.left - left) / (box.width - left - right);
    const shareAt = (x: number) => Math.min(1, Math.max(0, placeAt(x)));
    const isDrag = (x: number) => Math.abs(x - first) >= DRAG_PX;
    const end = () => {
      ending.current?.abort();
      setDrag(null);
    };
    ending.current?.abort();
    ending.current = new AbortController();
    const { signal } = ending.current;
    const move = ({ clientX }: globalThis.PointerEvent) =>
      setDrag(isDrag(clientX) ? { from: shareAt(first), to: shareAt(clientX) } : null);
    const finish = ({ clientX }: globalThis.PointerEvent) => {
      end();
      const isClick = !isDrag(clientX);
      // A click beside the drawing is at no bucket.
      if (isClick && !(hasClicks && placeAt(first) >= 0 && placeAt(first) <= 1)) return;
      const to = isClick ? first : clientX;
      zoomTo(chosenRange(starts, until, places, shareAt(first), shareAt(to)));
    };
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      end();
    };
    addEventListener('pointermove', move, { signal });
    addEventListener('pointerup', finish, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', cancel, { signal, capture: true });
  };
  const marked = drag ?? (choice && sharesOf(choice, places, starts.length));
  return (
    <div
      ref={place}
      role="presentation"
      className={cx('relative h-full w-full', canZoom && 'cursor-crosshair select-none')}
      {...(canZoom && { onPointerDown: begin })}
      {...keys}
    >
      <ReportActive value={hasKeys ? report : ignore}>{children}</ReportActive>
      {marked && (
        <span
          className="pointer-events-none absolute inset-y-0 bg-accent/15"
          style={{
            left: `calc(${left}px + (100% - ${left + right}px) * ${Math.min(marked.from, marked.to)})`,
            width: `calc((100% - ${left + right}px) * ${Math.abs(marked.to - marked.from)})`,
          }}
        />
      )}
    </div>
  );
}

function ignore(): void {}

/** The place of several buckets, which may be in either order. */
function sharesOf({ from, to }: Drag, places: Places, count: number): Drag {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  return places === 'points'
    ? { from: first / (count - 1), to: last / (count - 1) }
    : { from: first / count, to: (last + 1) / count };
}
