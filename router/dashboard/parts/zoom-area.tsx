/** The place of a chart, over which a drag with the mouse chooses a time. */
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useChartGroup } from './chart-group.tsx';
import { chosenRange, endOf, type Places } from './chosen-range.ts';

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
  const onZoom = useChartGroup()?.onZoom;
  const [drag, setDrag] = useState<Drag | null>(null);
  const ending = useRef<AbortController | null>(null);
  const hasDragged = useRef(false);
  useEffect(() => () => ending.current?.abort(), []);
  if (onZoom === undefined) return children;

  const begin = ({ button, pointerType, clientX: first, currentTarget }: PointerEvent) => {
    hasDragged.current = false;
    // A finger scrolls the page, or asks for values.
    if (button !== 0 || pointerType === 'touch') return;
    const box = currentTarget.getBoundingClientRect();
    const shareAt = (x: number) =>
      Math.min(1, Math.max(0, (x - box.left - left) / (box.width - left - right)));
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
      if (!isDrag(clientX)) return;
      hasDragged.current = true;
      const until = last === undefined ? endOf(starts) : Date.parse(last);
      const chosen = chosenRange(starts, until, places, shareAt(first), shareAt(clientX));
      if (chosen) onZoom(chosen);
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
  return (
    <div
      role="presentation"
      className="relative h-full w-full cursor-crosshair select-none"
      onPointerDown={begin}
      // The end of a drag is no click on the bar below it.
      onClickCapture={(event) => hasDragged.current && event.stopPropagation()}
    >
      {children}
      {drag && (
        <span
          className="pointer-events-none absolute inset-y-0 bg-accent/15"
          style={{
            left: `calc(${left}px + (100% - ${left + right}px) * ${Math.min(drag.from, drag.to)})`,
            width: `calc((100% - ${left + right}px) * ${Math.abs(drag.to - drag.from)})`,
          }}
        />
      )}
    </div>
  );
}
